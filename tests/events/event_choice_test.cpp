#include "tracker/events/event_choice.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

ChangeEvent event_of(const std::string& date, double ratio, bool settled = true) {
  ChangeEvent event;
  event.first_seen.date = date;
  event.last_possible.date = date;
  EventChange change;
  change.before = 1;
  change.after = ratio;
  change.worse = ratio > 1;
  change.settled = settled;
  event.changes = {change};
  return event;
}

TEST(LastingEvents, AreThoseSinceThatDayLargestFirst) {
  const auto chosen =
      lasting_events({event_of("2026-08-23T23:59:59Z", 9), event_of("2026-08-24T00:00:00Z", 1.1),
                      event_of("2026-09-01T00:00:00Z", 0.5), event_of("2026-09-02T00:00:00Z", 1.2)},
                     "2026-08-24");
  ASSERT_EQ(chosen.size(), 3u);
  EXPECT_EQ(chosen[0].changes[0].after, 0.5) << "half weighs more than a tenth more";
  EXPECT_EQ(chosen[1].changes[0].after, 1.2);
  EXPECT_EQ(chosen[2].changes[0].after, 1.1);
}

TEST(LastingEvents, AreSettled) {
  EXPECT_TRUE(lasting_events({event_of("2026-09-01", 2, false)}, "").empty());
}

TEST(LastingEvents, DriftsCountByTheirEnd) {
  auto drift = event_of("2026-01-01", 1.1);
  drift.shape = EventShape::kDrift;
  drift.last_possible.date = "2026-09-01";
  EXPECT_EQ(lasting_events({drift}, "2026-08-24").size(), 1u);
  drift.shape = EventShape::kStep;
  EXPECT_TRUE(lasting_events({drift}, "2026-08-24").empty());
}

}  // namespace
}  // namespace tracker
