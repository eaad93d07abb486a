#include "tracker/history/series.hpp"

#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
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

TEST(Series, MarksNoStepWithinTheThreshold) {
  Policy policy;
  policy.rules = {{.match = "k", .threshold = 0.15}};
  EXPECT_TRUE(make_series(slowed_down(), "gpu", {}, policy, "")[0].steps.empty());
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
}  // namespace tracker
