#include <cmath>

#include <gtest/gtest.h>

#include "tests/events/made_up_line.hpp"
#include "tests/support/random.hpp"
#include "tracker/base/time.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/events/events.hpp"

namespace tracker::events {
namespace {

constexpr std::size_t kDriftLine = 120;  // commits, one a day
constexpr double kDriftThreshold = 0.02;
constexpr std::size_t kNewestCommits = 20;

// Creeps by this share a commit, from this commit on.
Series creeping(std::size_t number, double slope, std::size_t from, unsigned seed = 1) {
  test::Random random(seed * 100 + number);
  std::vector<double> logs;
  for (std::size_t i = 0; i < kDriftLine; ++i)
    logs.push_back(0.004 * random.normal() + (i > from ? slope * static_cast<double>(i - from) : 0));
  Series series = test::made_up_series(number, logs, kDriftThreshold);
  const auto first = parse_time("2026-03-02T12:00:00Z").value();
  for (auto& point : series.points) point.date = format_utc(first + std::chrono::days(point.position));
  return series;
}

std::vector<DriftAlarm> alarms_of(const std::vector<Series>& all, const std::vector<LineReference>& since) {
  return drift_alarms(find(all), all, kNewestCommits, since);
}

TEST(DriftAlarms, SayWhatWasLostSinceWhenAndByWhich) {
  const std::vector<Series> all{creeping(1, 0.0006, 0), creeping(2, 0.0009, 0), creeping(3, 0, 0)};
  const auto alarms = alarms_of(all, {{"release v1", 20, ""}, {"30 days ago", 89, ""}});
  ASSERT_EQ(alarms.size(), 1u);
  EXPECT_EQ(alarms[0].since.name, "release v1");
  ASSERT_EQ(alarms[0].losses.size(), 2u);
  EXPECT_EQ(alarms[0].event.changes[alarms[0].losses[0].change].benchmark, "k2");
  EXPECT_NEAR(alarms[0].losses[0].loss, std::expm1(0.0009 * 99), 0.01);
  EXPECT_NEAR(alarms[0].losses[1].loss, std::expm1(0.0006 * 99), 0.01);
}

TEST(DriftAlarms, NeedAReferenceSinceWhichItIsPastTheThreshold) {
  const std::vector<Series> all{creeping(1, 0.0006, 0)};
  EXPECT_TRUE(alarms_of(all, {}).empty());
  EXPECT_TRUE(alarms_of(all, {{"yesterday", 118, ""}}).empty());
  EXPECT_TRUE(alarms_of(all, {{"the last baseline", 0, "another device"}}).empty());
  EXPECT_EQ(alarms_of(all, {{"the last baseline", 0, "gpu"}}).size(), 1u);
}

TEST(DriftAlarms, AThresholdOfTheirOwnStandsForTheBenchmarks) {
  const std::vector<Series> all{creeping(1, 0.0006, 0)};  // 6 % over 100 commits; its threshold is 2 %
  const auto events = find(all);
  const std::vector<LineReference> since{{"release v1", 19, ""}};
  EXPECT_EQ(drift_alarms(events, all, kNewestCommits, since, 0.05).size(), 1u);
  EXPECT_TRUE(drift_alarms(events, all, kNewestCommits, since, 0.08).empty());
}

TEST(DriftAlarms, LeaveAsideWhatGotFasterOrStoppedOrIsAccepted) {
  const std::vector<LineReference> since{{"release v1", 0, ""}};
  EXPECT_TRUE(alarms_of({creeping(1, -0.0006, 0)}, since).empty());
  const std::vector<Series> all{creeping(1, 0.0006, 0)};
  auto events = find(all);
  ASSERT_EQ(events.size(), 1u);
  auto stopped = events;
  stopped[0].last_possible.position = 60;
  EXPECT_TRUE(drift_alarms(stopped, all, kNewestCommits, since).empty());
  accept_changes(events, {{"k*", "known", 0.5, {}}});
  EXPECT_TRUE(drift_alarms(events, all, kNewestCommits, since).empty());
}

TEST(DriftAlarms, NoiseMakesNone) {
  int alarms = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::vector<Series> all;
    for (std::size_t i = 0; i < 50; ++i) all.push_back(creeping(i, 0, 0, seed));
    alarms += static_cast<int>(alarms_of(all, {{"release v1", 0, ""}}).size());
  }
  EXPECT_EQ(alarms, 0) << "of 500 series";
}

TEST(DriftAlarms, DaysAreCountedBackFromTheNewestValue) {
  const auto references = days_ago({creeping(1, 0, 0)}, {30, 90, 365});
  ASSERT_EQ(references.size(), 2u) << "nothing is a year old";
  EXPECT_EQ(references[0].name, "30 days ago");
  EXPECT_EQ(references[0].position, static_cast<int>(kDriftLine) - 31);
  EXPECT_EQ(references[1].position, static_cast<int>(kDriftLine) - 91);
  EXPECT_TRUE(days_ago({}, {30}).empty());
}

}  // namespace
}  // namespace tracker::events
