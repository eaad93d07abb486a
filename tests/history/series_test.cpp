#include "tracker/history/series.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/stats/simulate.hpp"
#include "tests/support/make_run.hpp"

namespace tracker::history {
namespace {

using test::around;
using test::make_run;
using test::Timed;

CommitRuns commit_at(int position, const std::vector<Timed>& benchmarks) {
  CommitRuns commit;
  commit.commit.id = std::string(40, static_cast<char>('a' + position));
  commit.position = position;
  commit.runs = {make_run({}, benchmarks)};
  return commit;
}

TEST(Series, FollowsABenchmarkOverTheCommitsAndLeavesGaps) {
  const std::vector<CommitRuns> history{commit_at(0, {{"k", around(100)}}),
                                        commit_at(3, {{"k", around(110)}}),
                                        commit_at(4, {{"other", around(50)}})};
  const auto all = make_series(history, "gpu", {"k"}, {}, history[1].commit.id);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].points.size(), 2u);
  EXPECT_EQ(all[0].points[1].position, 3);
  EXPECT_DOUBLE_EQ(all[0].points[1].median, 110e-9);
  EXPECT_LE(all[0].points[1].spread.low, all[0].points[1].median);
  EXPECT_GE(all[0].points[1].spread.high, all[0].points[1].median);
  EXPECT_EQ(all[0].base, history[1].commit.id);
}

TEST(Series, MarksNoBaseThatHasNoPoint) {
  const std::vector<CommitRuns> history{commit_at(0, {{"k", around(100)}})};
  EXPECT_FALSE(make_series(history, "gpu", {}, {}, std::string(40, 'z'))[0].base);
}

// Six commits, the last three of them 10 % slower.
std::vector<CommitRuns> slowed_down() {
  std::vector<CommitRuns> history;
  for (int i = 0; i < 6; ++i) history.push_back(commit_at(i, {{"k", around(i < 3 ? 100 : 110)}}));
  return history;
}

TEST(Series, MarksWhereItGotSlower) {
  const auto all = make_series(slowed_down(), "gpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  const SeriesStep& step = all[0].steps[0];
  EXPECT_EQ(step.point, 3u);
  EXPECT_TRUE(step.worse);
  EXPECT_TRUE(step.settled);
  EXPECT_NEAR(step.before, 100e-9, 1e-9);
  EXPECT_NEAR(step.after, 110e-9, 1e-9);
}

TEST(Series, MarksAStepAndItsMendInAShortHistory) {
  std::vector<CommitRuns> history;
  for (int i = 0; i < 14; ++i) history.push_back(commit_at(i, {{"k", around(i < 5 || i >= 10 ? 100 : 120)}}));
  const auto all = make_series(history, "gpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 2u);
  EXPECT_EQ(all[0].steps[0].point, 5u);
  EXPECT_EQ(all[0].steps[1].point, 10u);
}

TEST(Series, MarksNoStepWithinTheThreshold) {
  Policy policy;
  policy.rules = {{.match = "k", .threshold = 0.15}};
  EXPECT_TRUE(make_series(slowed_down(), "gpu", {}, policy, "")[0].steps.empty());
}

// Six levels of noise apart, and less than the threshold: no step, and not nothing.
TEST(Series, CountsCertainChangesBelowTheThreshold) {
  std::vector<CommitRuns> history;
  for (int i = 0; i < 24; ++i) history.push_back(commit_at(i, {{"k", around(i < 12 ? 100 : 103)}}));
  Policy policy;
  policy.rules = {{.match = "k", .threshold = 0.05}};
  const auto all = make_series(history, "gpu", {}, policy, "");
  EXPECT_TRUE(all[0].steps.empty());
  ASSERT_EQ(all[0].below.size(), 1u);
  EXPECT_EQ(all[0].below[0].point, 12u);
  EXPECT_NEAR(all[0].below[0].change, 0.03, 0.005);
  EXPECT_TRUE(points_from(all[0], 13).below.empty());
  EXPECT_EQ(points_from(all[0], 5).below.at(0).point, 7u);
  policy.rules[0].threshold = 0.02;
  const auto shown = make_series(history, "gpu", {}, policy, "");
  EXPECT_EQ(shown[0].steps.size(), 1u);
  EXPECT_TRUE(shown[0].below.empty());
}

Series at_positions(const std::string& benchmark, int first, int last, int apart) {
  Series series;
  series.benchmark = benchmark;
  for (int position = first; position <= last; position += apart) {
    SeriesPoint point;
    point.position = position;
    series.points.push_back(point);
  }
  return series;
}

TEST(Series, ASeriesEndsWhereTheNewestRunsLackIt) {
  std::vector<Series> all{at_positions("whole", 0, 40, 1), at_positions("ended", 0, 30, 1),
                          at_positions("weekly", 0, 35, 7), at_positions("weekly, ended", 0, 14, 7),
                          at_positions("left out once", 0, 38, 1)};
  mark_ended(all);
  std::vector<std::string> ended;
  for (const auto& series : all)
    if (series.ended) ended.push_back(series.benchmark);
  EXPECT_EQ(ended, (std::vector<std::string>{"ended", "weekly, ended"}));
}

TEST(Series, DisturbedCommitsMakeNoStep) {
  auto history = slowed_down();
  for (std::size_t i = 3; i < 6; ++i) history[i].runs[0].dirty = true;
  EXPECT_TRUE(make_series(history, "gpu", {}, {}, "")[0].steps.empty());
}

// Nine commits of a machine with two threads; the last three were measured beside a build.
std::vector<CommitRuns> loaded_later(double load) {
  std::vector<CommitRuns> history;
  for (int i = 0; i < 9; ++i) {
    history.push_back(commit_at(i, {{"k", around(i < 6 ? 100 : 193.5, 0.01)}}));
    auto& run = history.back().runs[0];
    run.host.cpu_count = 2;
    for (auto& invocation : run.invocations)
      invocation.conditions.load_average = i < 6 ? 0.5 + 0.1 * i : load;
  }
  return history;
}

TEST(Series, AStepUnderOtherLoadIsNotSettled) {
  const auto all = make_series(loaded_later(24), "cpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  EXPECT_EQ(all[0].steps[0].other_conditions, "load per thread 0.375 → 12");
  EXPECT_FALSE(all[0].steps[0].settled);
}

// The benchmark's own process is part of the load: up to one process more says nothing.
TEST(Series, AStepUnderMuchTheSameLoadIsSettled) {
  const auto all = make_series(loaded_later(1.4), "cpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  EXPECT_EQ(all[0].steps[0].other_conditions, "");
  EXPECT_TRUE(all[0].steps[0].settled);
}

// One of the new level's commits was measured on a quiet machine, and was as slow.
TEST(Series, AStepThatAQuietCommitSharesIsSettled) {
  auto history = loaded_later(24);
  for (auto& invocation : history[7].runs[0].invocations) invocation.conditions.load_average = 0.5;
  const auto all = make_series(history, "cpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  EXPECT_TRUE(all[0].steps[0].settled);
}

TEST(Series, AStepWithOtherClocksIsNotSettledUnlessThePowerCapSetsThem) {
  for (const bool capped : {false, true}) {
    auto history = slowed_down();
    for (std::size_t i = 0; i < history.size(); ++i)
      for (auto& invocation : history[i].runs[0].invocations) {
        invocation.conditions.core_clock_mhz_min = i < 3 ? 1980 : 1755;
        if (capped && i >= 3) invocation.conditions.throttle_reasons = {"power_cap"};
      }
    const auto all = make_series(history, "gpu", {}, {}, "");
    ASSERT_EQ(all[0].steps.size(), 1u);
    EXPECT_EQ(all[0].steps[0].other_conditions, capped ? "" : "SM clock 1980 → 1755 MHz");
    EXPECT_EQ(all[0].steps[0].settled, capped);
  }
}

struct Machine {
  int cpu_count = 4;
  const char* caches = "L2 512 KiB, L3 32 MiB";
  double mhz = 3243;
};

// A history whose i-th commit was measured on that machine and took that long.
std::vector<CommitRuns> measured_on(int commits, const std::function<Machine(int)>& machine,
                                    const std::function<double(int)>& time_ns) {
  std::vector<CommitRuns> history;
  for (int i = 0; i < commits; ++i) {
    const double wander = 1 + 0.002 * ((i * 7) % 5 - 2);
    history.push_back(commit_at(i, {{"k", around(time_ns(i) * wander, 0.001)}}));
    Run& run = history.back().runs[0];
    run.device.kind = DeviceKind::kCpu;
    run.host.cpu_count = machine(i).cpu_count;
    run.host.caches = machine(i).caches;
    run.host.cpu_mhz = machine(i).mhz;
  }
  return history;
}

const Machine kOther{64, "L2 1 MiB, L3 36 MiB", 2594};

TEST(Series, AnotherMachineIsALevelThatBlamesNoCode) {
  const auto history = measured_on(
      16, [](int i) { return i < 8 ? Machine{} : kOther; }, [](int i) { return i < 8 ? 100.0 : 140.0; });
  const auto all = make_series(history, "cpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  const SeriesStep& step = all[0].steps[0];
  EXPECT_EQ(step.point, 8u);
  EXPECT_EQ(step.other_conditions,
            "4 CPUs → 64 CPUs, caches L2 512 KiB, L3 32 MiB → L2 1 MiB, L3 36 MiB, "
            "CPU clock 3243 → 2594 MHz");
  EXPECT_FALSE(step.settled);
  EXPECT_NEAR(step.before, 100e-9, 1e-9);
  EXPECT_NEAR(step.after, 140e-9, 1e-9);
}

// Hosted runners: each commit on one machine or the other, and one commit that slows down both.
TEST(Series, AChangeIsFoundOnceAmongMachinesThatTakeTurns) {
  const auto is_other = [](int i) { return i * i % 7 > 2; };
  const auto history = measured_on(
      26, [&](int i) { return is_other(i) ? kOther : Machine{}; },
      [&](int i) { return (is_other(i) ? 140.0 : 100.0) * (i < 13 ? 1 : 1.2); });
  const auto all = make_series(history, "cpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  const SeriesStep& step = all[0].steps[0];
  EXPECT_EQ(step.other_conditions, "");
  EXPECT_NEAR(step.after / step.before, 1.2, 0.01);
  EXPECT_LE(comparable_before(all[0], step.earliest).value_or(0), 12u);
  EXPECT_GE(step.latest, 13u);
  EXPECT_LE(step.point, 15u);
}

TEST(Series, NothingIsFoundAmongMachinesThatTakeTurns) {
  const auto is_other = [](int i) { return i * i % 7 > 2 || i > 20; };
  const auto history = measured_on(
      25, [&](int i) { return is_other(i) ? kOther : Machine{}; },
      [&](int i) { return is_other(i) ? 140.0 : 100.0; });
  for (const auto& step : make_series(history, "cpu", {}, {}, "")[0].steps)
    EXPECT_NE(step.other_conditions, "");
}

TEST(Series, AClockThatWandersIsOneMachine) {
  const auto history = measured_on(
      20, [](int i) { return Machine{.mhz = 3243.0 + (i % 6 == 5 ? -700 : 60 * ((i * 5) % 7))}; },
      [](int i) { return i < 10 ? 100.0 : 110.0; });
  const auto all = make_series(history, "cpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  EXPECT_EQ(all[0].steps[0].point, 10u);
  EXPECT_TRUE(all[0].steps[0].settled);
}

TEST(Series, TwoFixedClocksAreTwoProcessors) {
  const auto history = measured_on(
      20, [](int i) { return Machine{.mhz = i < 10 ? 2095.0 : 2594.0}; },
      [](int i) { return i < 10 ? 120.0 : 100.0; });
  const auto all = make_series(history, "cpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  EXPECT_EQ(all[0].steps[0].other_conditions, "CPU clock 2095 → 2594 MHz");
}

// Of one commit that was measured on two machines, the runs of one make its value.
TEST(Series, TheMachinesOfOneCommitAreNotMixed) {
  auto history = measured_on(
      1, [](int) { return Machine{}; }, [](int) { return 100.0; });
  const auto other = measured_on(
      1, [](int) { return kOther; }, [](int) { return 140.0; });
  history[0].runs.push_back(other[0].runs[0]);
  history[0].runs.push_back(other[0].runs[0]);
  const auto point = make_point(history[0], "k", find_metric("real_time"));
  ASSERT_TRUE(point);
  EXPECT_EQ(point->invocations, 10);
  EXPECT_NEAR(point->median, 140e-9, 1e-9);
}

TEST(Series, WhatIsMeasuredOtherwiseIsALevelThatBlamesNoCode) {
  auto history = slowed_down();
  for (std::size_t i = 0; i < history.size(); ++i)
    history[i].runs[0].benchmarks[0].attributes["iterations"] = i < 3 ? "1000" : "1";
  const auto all = make_series(history, "gpu", {}, {}, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  EXPECT_EQ(all[0].steps[0].other_conditions, "iterations 1000 → 1");
  EXPECT_FALSE(all[0].steps[0].settled);
}

// Google Benchmark counts the time of several threads otherwise since 1.9.0; of one thread it does not.
TEST(Series, ALibraryThatCountsOtherwiseIsALevelOfItsOwn) {
  for (const char* name : {"k/threads:8", "k/threads:1"}) {
    std::vector<CommitRuns> history;
    for (int i = 0; i < 6; ++i) {
      history.push_back(commit_at(i, {{name, around(i < 3 ? 100 : 110)}}));
      history.back().runs[0].software.library = i < 3 ? "1.8.5" : "1.9.1";
    }
    Policy policy;
    policy.rules = {{.match = "*", .metric = "real_time"}};
    const auto all = make_series(history, "gpu", {}, policy, "");
    ASSERT_EQ(all[0].steps.size(), 1u);
    EXPECT_EQ(all[0].steps[0].settled, std::string(name).ends_with(":1"));
    EXPECT_EQ(
        all[0].steps[0].other_conditions.starts_with("Google Benchmark before 1.9.0 → 1.9.0 or later, "),
        std::string(name).ends_with(":8"));
  }
}

// Of the runs of one commit, those on a quiet machine make its value.
TEST(Series, TakesTheCalmestRunsOfACommit) {
  auto commit = commit_at(0, {{"k", around(100)}});
  const auto add = [&](double time_ns, double load) -> tracker::Run& {
    commit.runs.push_back(make_run({}, {{"k", around(time_ns)}}));
    commit.runs.back().host.cpu_count = 2;
    for (auto& invocation : commit.runs.back().invocations) invocation.conditions.load_average = load;
    return commit.runs.back();
  };
  commit.runs[0].host.cpu_count = 2;
  for (auto& invocation : commit.runs[0].invocations) invocation.conditions.load_average = 0.4;
  add(200, 20);
  add(102, 0.9);
  for (auto& invocation : add(300, 0.4).invocations) invocation.conditions.throttle_reasons = {"sw_thermal"};
  const auto point = make_point(commit, "k", find_metric("real_time"));
  ASSERT_TRUE(point);
  EXPECT_EQ(point->invocations, 10) << "neither the loaded run nor the throttled one";
  EXPECT_LT(point->median, 103e-9);
  EXPECT_FALSE(point->disturbed);
}

// A series of so many commits, with noise of 0.3 %.
std::vector<CommitRuns> line_of(std::size_t count, double (*level_ns)(std::size_t)) {
  stats::Simulation noise(1);
  std::vector<CommitRuns> history;
  for (std::size_t i = 0; i < count; ++i) {
    CommitRuns commit;
    commit.commit.id = std::string(36, 'a') + std::to_string(1000 + i);
    commit.position = static_cast<int>(i);
    commit.runs = {make_run({}, {{"k", around(level_ns(i) * (1 + noise.normal(0.003)))}})};
    history.push_back(commit);
  }
  return history;
}

TEST(Series, ACreepIsADriftAndNoRowOfSteps) {
  const auto all =
      make_series(line_of(100, [](std::size_t i) { return 100 * std::exp(0.001 * static_cast<double>(i)); }),
                  "gpu", {}, {}, "");
  EXPECT_TRUE(all[0].steps.empty());
  ASSERT_EQ(all[0].drifts.size(), 1u);
  const SeriesDrift& drift = all[0].drifts[0];
  EXPECT_EQ(drift.from, 0u);
  EXPECT_EQ(drift.to, 100u);
  EXPECT_NEAR(drift.before, 100e-9, 0.5e-9);
  EXPECT_NEAR(drift.after, 110.4e-9, 0.5e-9);
  EXPECT_LT(drift.change.low, 0.104);
  EXPECT_GT(drift.change.high, 0.104);
  EXPECT_TRUE(drift.worse);
  EXPECT_EQ(drift.commits, 100);
  EXPECT_EQ(drift.since, all[0].points[0].commit);
}

// A window of a series has the changes that the whole of it has.
TEST(Series, CuttingChangesNoMark) {
  const auto whole = make_series(line_of(90,
                                         [](std::size_t i) {
                                           return i < 40 ? 100 * std::exp(0.002 * static_cast<double>(i))
                                                         : (i < 88 ? 140.0 : 160.0);
                                         }),
                                 "gpu", {}, {}, std::string(36, 'a') + "1010")[0];
  ASSERT_EQ(whole.drifts.size(), 1u);
  ASSERT_EQ(whole.steps.size(), 2u);
  ASSERT_TRUE(whole.base);
  EXPECT_TRUE(points_from(whole, 10).base);
  for (const int position : {20, 40, 80}) {
    const Series part = points_from(whole, position);
    EXPECT_EQ(part.points.size(), 90u - static_cast<std::size_t>(position));
    EXPECT_FALSE(part.base);
    ASSERT_EQ(part.steps.size(), position > 40 ? 1u : 2u);
    EXPECT_EQ(part.points[part.steps.back().point].position, 88);
    EXPECT_EQ(part.steps.back().before, whole.steps.back().before);
    ASSERT_EQ(part.drifts.size(), position < 39 ? 1u : 0u);
    if (part.drifts.empty()) continue;
    EXPECT_EQ(part.drifts[0].from, 0u);
    EXPECT_EQ(part.drifts[0].after, whole.drifts[0].after);
    EXPECT_NEAR(part.drifts[0].before, 104.1e-9, 1e-9);
    EXPECT_EQ(part.drifts[0].since, whole.points[0].commit);
  }
  EXPECT_TRUE(points_from(whole, 90).points.empty());
}

// Each of two steps is below the threshold, and both together are not.
TEST(Series, SmallStepsMakeALargeOne) {
  const auto level = [](std::size_t i) { return i < 30 ? 100.0 : i < 60 ? 101.6 : 103.2; };
  Policy policy;
  policy.rules = {{.match = "k", .threshold = 0.02}};
  const auto all = make_series(line_of(90, level), "gpu", {}, policy, "");
  ASSERT_EQ(all[0].steps.size(), 1u);
  EXPECT_NEAR(all[0].steps[0].after / all[0].steps[0].before, 1.024, 0.005);
}

TEST(Series, AShortHistoryShowsWhatIsFarBeyondTheUsualNoise) {
  std::vector<CommitRuns> history{commit_at(0, {{"k", around(100)}}), commit_at(1, {{"k", around(101)}}),
                                  commit_at(2, {{"k", around(140)}})};
  const auto found = make_series(history, "gpu", {}, {}, "");
  ASSERT_EQ(found[0].steps.size(), 1u);
  EXPECT_EQ(found[0].steps[0].point, 2u);
  EXPECT_FALSE(found[0].steps[0].settled);
  history[2] = commit_at(2, {{"k", around(103)}});
  EXPECT_TRUE(make_series(history, "gpu", {}, {}, "")[0].steps.empty());
}

TEST(Series, ShowsTheBoundOfItsPolicy) {
  Policy policy;
  policy.rules = {{.match = "t/*", .bound = "t/copy"}};
  const std::vector<CommitRuns> history{
      commit_at(0, {{"t/copy", around(100), 1000}, {"t/naive", around(400), 1000}})};
  const auto all = make_series(history, "gpu", {"t/naive"}, policy, "");
  ASSERT_EQ(all[0].references.size(), 1u);
  EXPECT_EQ(all[0].references[0].label, "t/copy");
  EXPECT_DOUBLE_EQ(all[0].references[0].value, 1000 / 100e-9);
}

TEST(Series, StaysWholeThroughARename) {
  Policy policy;
  policy.renames = {{"old/*", "new/*"}};
  policy.rules = {{.match = "new/*", .threshold = 0.07}};
  const std::vector<CommitRuns> history{commit_at(0, {{"old/k", around(100)}}),
                                        commit_at(1, {{"old/k", around(101)}}),
                                        commit_at(2, {{"new/k", around(102)}})};
  const auto all = make_series(history, "gpu", {"new/k"}, policy, history[0].commit.id);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].benchmark, "new/k");
  EXPECT_EQ(all[0].points.size(), 3u);
  EXPECT_EQ(all[0].threshold, 0.07);
  EXPECT_EQ(all[0].base, history[0].commit.id);
  EXPECT_TRUE(make_series(history, "gpu", {"old/*"}, policy, "").empty());
}

TEST(Series, AFailedOrDirtyRunIsNoCleanPoint) {
  auto commit = commit_at(0, {{"k", around(100)}, {"broken", {}, {}, "out of memory"}});
  EXPECT_FALSE(make_point(commit, "broken", find_metric("real_time")));
  EXPECT_FALSE(make_point(commit, "k", find_metric("real_time"))->disturbed);
  commit.runs[0].dirty = true;
  EXPECT_TRUE(make_point(commit, "k", find_metric("real_time"))->disturbed);
}

}  // namespace
}  // namespace tracker::history
