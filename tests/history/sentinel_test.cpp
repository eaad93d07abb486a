#include "tracker/history/sentinel.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/base/time.hpp"
#include "tracker/history/series.hpp"

namespace tracker::history {
namespace {

using test::around;
using test::make_run;
using testing::HasSubstr;

// The sentinel in one night: both of its benchmarks, on this board, with this driver.
Run night(int day, double a_ns, double b_ns, const std::string& board = "GPU-11111111",
          const std::string& driver = "570.1") {
  Run run = make_run({}, {{"copy/a/1", around(a_ns)}, {"gemm/b/1", around(b_ns)}});
  run.device.kind = DeviceKind::kGpu;
  run.device.uuid = board;
  run.software.driver = driver;
  run.sentinel = true;
  run.started_at = format_utc(parse_time("2026-11-01T02:00:00Z").value() + std::chrono::hours(24 * day));
  return run;
}

// Ten nights, and ten in which copy takes 10 % longer.
std::vector<Run> nights_with_a_driver(const std::string& driver) {
  std::vector<tracker::Run> runs;
  for (int day = 0; day < 20; ++day)
    runs.push_back(
        night(day, day < 10 ? 100 + day % 2 * 0.1 : 110, 200, "GPU-11111111", day < 10 ? "570.1" : driver));
  return runs;
}

TEST(Sentinel, KnowsNothingWithoutRuns) {
  const Sentinel none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.era_of(night(1, 100, 200)), kNoEra);
  EXPECT_FALSE(none.shift(0, 1, "copy/a/1"));
}

TEST(Sentinel, TellsErasByTheirFacts) {
  const Sentinel sentinel(nights_with_a_driver("580.2"));
  ASSERT_EQ(sentinel.eras().size(), 2u);
  const auto moved = sentinel.shift(0, 1, "copy/a/1");
  ASSERT_TRUE(moved);
  EXPECT_NEAR(moved->log_time, std::log(1.1), 0.002);
  EXPECT_LT(moved->error, 0.005);
  EXPECT_THAT(sentinel.in_words(0, 1, "copy/a/1"),
              HasSubstr("driver 570.1 → 580.2; the sentinel takes 9.95 % longer"));
  EXPECT_NEAR(sentinel.shift(0, 1, "gemm/b/1")->log_time, 0, 0.001);
}

TEST(Sentinel, TellsErasByItsLevelWhereNoFactSaysSo) {
  const Sentinel sentinel(nights_with_a_driver("570.1"));
  ASSERT_EQ(sentinel.eras().size(), 2u);
  EXPECT_EQ(sentinel.eras()[1].first.substr(0, 10), "2026-11-11");
  EXPECT_THAT(sentinel.in_words(0, 1, "copy/a/1"), HasSubstr("the machine changed about 2026-11-11"));
  EXPECT_EQ(sentinel.era_of(night(9, 0, 0)), 0);
  EXPECT_EQ(sentinel.era_of(night(10, 0, 0)), 1);
  EXPECT_EQ(sentinel.era_of(night(400, 0, 0)), 1);
}

// What it lacks moves as its family did, and is as uncertain as a half of that.
TEST(Sentinel, OfABenchmarkThatItLacksItGivesTheRelativesMoveWithAWideError) {
  const Sentinel sentinel(nights_with_a_driver("580.2"));
  const auto moved = sentinel.shift(0, 1, "copy/other/1");
  ASSERT_TRUE(moved);
  EXPECT_NEAR(moved->log_time, std::log(1.1), 0.002);
  EXPECT_GT(moved->error, 0.04);
}

TEST(Sentinel, ABoardThatItNeverMetIsUnknownAfterItsFirstNight) {
  const Sentinel sentinel(nights_with_a_driver("580.2"));
  EXPECT_EQ(sentinel.era_of(night(15, 0, 0, "GPU-22222222")), kUnknownEra);
  EXPECT_EQ(sentinel.era_of(night(-5, 0, 0, "GPU-22222222")), kNoEra);
  EXPECT_EQ(sentinel.era_of(night(-5, 0, 0)), 0);
}

TEST(Sentinel, OneHotNightIsAnEraOfItsOwn) {
  std::vector<tracker::Run> runs;
  for (int day = 0; day < 20; ++day) {
    const double heat = day == 12 ? 1.05 : 1;
    runs.push_back(night(day, (100 + day % 3 * 0.1) * heat, (200 + day % 2 * 0.1) * heat));
  }
  const Sentinel sentinel(runs);
  EXPECT_NE(sentinel.era_of(night(12, 0, 0)), sentinel.era_of(night(11, 0, 0)));
  EXPECT_EQ(sentinel.era_of(night(13, 0, 0)), sentinel.era_of(night(11, 0, 0)));
  const auto drift = sentinel.drift();
  ASSERT_EQ(drift.size(), 20u);
  EXPECT_NEAR(drift[12].moved, 0.05, 0.005);
  EXPECT_NEAR(drift[5].moved, 0, 0.002);
}

// Rates fall where times rise, and what is no time is left as it is.
TEST(Sentinel, JoinsRatesTheOtherWayAndLeavesOtherValuesAlone) {
  const Sentinel sentinel(nights_with_a_driver("580.2"));
  for (const auto& [metric, sign] :
       {std::pair("real_time", 1.0), {"bytes_per_second", -1.0}, {"sm_cycles", 0.0}}) {
    Series series;
    series.benchmark = "copy/a/1";
    series.metric = find_metric(metric);
    series.points.resize(2);
    series.points[0].era = 0;
    series.points[1].era = 1;
    place_on_machine(series, sentinel);
    EXPECT_NEAR(series.points[0].machine, -sign * std::log(1.1), 0.002) << metric;
    EXPECT_EQ(series.points[1].machine, 0) << metric;
  }
}

// Times of a benchmark over 20 nights: the driver's 10 %, and on the same day `code` times as long.
Series slowed(double code, const std::string& name) {
  const auto runs = nights_with_a_driver("580.2");
  const Sentinel sentinel(runs);
  Series series;
  series.device = "gpu";
  series.benchmark = name;
  series.metric = find_metric("real_time");
  series.threshold = 0.02;
  for (int day = 0; day < 20; ++day) {
    SeriesPoint point;
    point.commit = std::string(40, static_cast<char>('a' + day));
    point.position = day;
    point.median = (day < 10 ? 100e-9 : 110e-9 * code) * (1 + 0.0005 * (day % 3));
    point.spread = {point.median * 0.999, point.median * 1.001};
    point.era = sentinel.era_of(runs[static_cast<std::size_t>(day)]);
    series.points.push_back(point);
  }
  find_changes(series, DeviceKind::kGpu, sentinel);
  return series;
}

TEST(SentinelInSeries, WhatTheMachineDidIsAStepOfOtherConditions) {
  const Series series = slowed(1, "copy/a/1");
  ASSERT_EQ(series.steps.size(), 1u);
  EXPECT_EQ(series.steps[0].point, 10u);
  EXPECT_FALSE(series.steps[0].settled);
  EXPECT_THAT(series.steps[0].other_conditions, HasSubstr("driver 570.1 → 580.2"));
  EXPECT_NEAR(series.steps[0].after / series.steps[0].before, 1.1, 0.003);
}

TEST(SentinelInSeries, WhatTheCodeDidOnThatDayIsFoundBesideIt) {
  const Series series = slowed(1.05, "copy/a/1");
  ASSERT_EQ(series.steps.size(), 2u);
  const auto& code = series.steps[series.steps[0].other_conditions.empty() ? 0 : 1];
  EXPECT_TRUE(code.other_conditions.empty());
  EXPECT_TRUE(code.settled);
  EXPECT_NEAR(code.after / code.before, 1.05, 0.003);
  EXPECT_NEAR(code.after, 115.5e-9, 0.3e-9);
}

// The sentinel lacks it: 5 % more than its relatives may be the machine as well.
TEST(SentinelInSeries, WhatItLeavesOpenIsNotBlamed) {
  const Series series = slowed(1.05, "copy/other/1");
  ASSERT_FALSE(series.steps.empty());
  for (const auto& step : series.steps) EXPECT_THAT(step.other_conditions, HasSubstr("driver 570.1 → 580.2"));
}

}  // namespace
}  // namespace tracker::history
