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
