// Renames hold for all runs of a comparison.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::judge {
namespace {

using test::around;
using test::around_again;
using test::kBase;
using test::kCandidate;
using test::make_run;
using test::RunNumbers;
using testing::ElementsAre;
using testing::IsEmpty;

Policy renaming(const std::string& from, const std::string& to) {
  Policy policy;
  policy.renames = {{from, to}};
  return policy;
}

TEST(Rename, ComparesTheOldNameWithTheNewOne) {
  const SideRuns base{{}, {make_run(kBase, {{"old/a", around(100)}, {"old/b", around(100)}})}};
  const SideRuns candidate{{},
                           {make_run(kCandidate, {{"new/a", around_again(110)}, {"new/b", around(100)}})}};
  const auto without = judge(base, candidate, {}, {});
  EXPECT_EQ(without.comparisons.size(), 4u) << "two missing, two new";
  const auto report = judge(base, candidate, {}, renaming("old/*", "new/*"));
  ASSERT_EQ(report.comparisons.size(), 2u);
  EXPECT_EQ(report.comparisons[0].benchmark, "new/a");
  EXPECT_EQ(report.comparisons[0].verdict, Verdict::kRegressed);
  EXPECT_EQ(report.comparisons[1].verdict, Verdict::kUnchanged);
  EXPECT_THAT(report.notes, IsEmpty());
}

// The spread between jobs is that of the whole series.
TEST(Rename, LearnsFromTheHistoryUnderTheOldName) {
  const auto history_of = [](const std::string& name) {
    std::vector<tracker::Run> history;
    for (int i = 0; i < 8; ++i) {
      const RunNumbers numbers{.id = "2026110" + std::to_string(i + 1) + "T120000Z-00000001",
                               .job = "past-" + std::to_string(i)};
      history.push_back(make_run(numbers, {{name, around(i % 2 == 0 ? 100 : 100.5)}}));
    }
    return history;
  };
  RunNumbers other_job = kCandidate;
  other_job.job = "job-2";
  const SideRuns old_base{{}, {make_run(kBase, {{"old", around(100)}})}};
  const SideRuns base{{}, {make_run(kBase, {{"new", around(100)}})}};
  const SideRuns candidate{{}, {make_run(other_job, {{"new", around(100)}})}};
  const auto resolvable = [&](const SideRuns& of_base, const std::vector<tracker::Run>& history,
                              const Policy& policy) {
    return judge(of_base, candidate, history, policy).comparisons.front().resolvable;
  };
  const auto never_renamed = resolvable(base, history_of("new"), {});
  ASSERT_TRUE(never_renamed);
  EXPECT_EQ(resolvable(old_base, history_of("old"), renaming("old", "new")), never_renamed);
  EXPECT_NE(resolvable(old_base, {}, renaming("old", "new")), never_renamed);
}

TEST(Rename, ThatMatchesNothingIsSaid) {
  const SideRuns base{{}, {make_run(kBase, {{"new", around(100)}})}};
  const SideRuns candidate{{}, {make_run(kCandidate, {{"new", around_again(100)}})}};
  EXPECT_THAT(judge(base, candidate, {}, renaming("old", "new")).notes, IsEmpty()) << "done long ago";
  EXPECT_THAT(judge(base, candidate, {}, renaming("old", "nwe")).notes,
              ElementsAre("the rename of 'old' matches no benchmark"));
}

}  // namespace
}  // namespace tracker::judge
