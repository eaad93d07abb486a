#include "tracker/site/event_text.hpp"

#include <gtest/gtest.h>

#include "tests/site/made_up.hpp"
#include "tracker/events/events.hpp"

namespace tracker {
namespace {

using test::stepped;

TEST(EventText, SaysWhetherItIsStillThere) {
  auto events = find_events({stepped("a", 60, {{20, 2}})});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(state_in_words(events[0]), "still there");
  EXPECT_DOUBLE_EQ(largest_change(events[0]), 1);
  events[0].changes[0].settled = false;
  EXPECT_EQ(state_in_words(events[0]), "not settled yet");
  events[0].changes[0].other_conditions = "load";
  EXPECT_EQ(state_in_words(events[0]), "measured under other conditions");
}

TEST(EventText, SaysWhatWasMended) {
  const auto mended = find_events({stepped("a", 60, {{20, 2}, {40, 1}})});
  ASSERT_EQ(mended.size(), 2U);
  EXPECT_EQ(state_in_words(mended[0]), "mended by");
  EXPECT_EQ(mended[0].undone_by->position, 40);
  const auto partly = find_events({stepped("a", 60, {{20, 2}, {40, 1}}), stepped("b", 60, {{20, 3}})});
  EXPECT_EQ(state_in_words(partly[0]), "1 of 2 mended");
  EXPECT_EQ(state_in_words(find_events({stepped("a", 60, {{20, 0.5}, {40, 1}})})[0]), "undone by");
}

}  // namespace
}  // namespace tracker
