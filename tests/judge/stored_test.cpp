// Stored runs, among them those of jobs that confirmed: judged again, they say what they said then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tests/support/random.hpp"
#include "tracker/judge/confirm.hpp"

namespace tracker::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// `a` and `b` are as fast as they are said to be, `noise` around that.
struct StoredTruth {
  double a = 100;
  double b = 100;
  double noise = 0.001;
};

class Store {
 public:
  tracker::Run run(const std::string& id, const StoredTruth& truth, int rounds,
                   const std::string& only = "") {
    std::vector<test::Timed> benchmarks;
    for (const auto& [name, time] : {std::pair{"a", truth.a}, std::pair{"b", truth.b}}) {
      if (!only.empty() && only != name) continue;
      benchmarks.push_back({name, {}});
      for (int i = 0; i < rounds; ++i)
        benchmarks.back().times_ns.push_back(time * (1 + truth.noise * random_.normal()));
    }
    tracker::Run run = test::make_run({.id = id, .job = id.substr(0, id.find('-'))}, benchmarks);
    run.selection.expression = only;
    for (std::size_t i = 0; i < run.invocations.size(); ++i) {
      run.invocations[i].round = static_cast<int>(i) + 1;
      run.invocations[i].length_s = 1;
    }
    return run;
  }

 private:
  test::Random random_{1};
};

const Comparison& find_stored(const ComparisonReport& report, const std::string& name) {
  for (const auto& comparison : report.comparisons)
    if (comparison.benchmark == name) return comparison;
  throw std::out_of_range(name);
}

class JudgeStored : public testing::Test {
 protected:
  // A store that holds a false alarm: the machine was slow when the candidate was measured.
  JudgeStored()
      : base_{{}, {store_.run("1", {}, 5)}}, candidate_{{}, {store_.run("2", {.a = 150, .b = 150}, 5)}} {}

  // A job that measured one of them in turn, and what it found.
  void confirm(const std::string& job, const StoredTruth& candidate, const std::string& only, int rounds,
               const std::vector<int>& analyses) {
    base_.runs.push_back(store_.run(job + "-a", {.noise = candidate.noise}, rounds, only));
    candidate_.runs.push_back(store_.run(job + "-b", candidate, rounds, only));
    base_.runs.back().interim_analyses = candidate_.runs.back().interim_analyses = analyses;
  }
  ComparisonReport judged() const { return judge_stored(base_, candidate_, {}, policy_, {}); }

  Store store_;
  SideRuns base_;
  SideRuns candidate_;
  Policy policy_ = test::policy_at(0.1);
};

TEST_F(JudgeStored, IsAJudgeWhereNothingWasConfirmed) {
  const auto report = judged();
  const auto plain = judge(base_, candidate_, {}, policy_);
  ASSERT_EQ(report.comparisons.size(), plain.comparisons.size());
  for (std::size_t i = 0; i < plain.comparisons.size(); ++i) {
    EXPECT_EQ(report.comparisons[i].verdict, Verdict::kRegressed);
    EXPECT_EQ(report.comparisons[i].interval->low, plain.comparisons[i].interval->low);
  }
  EXPECT_FALSE(report.effort);
}

TEST_F(JudgeStored, AConfirmingJobSpeaksOfWhatItMeasuredAndHidesNothing) {
  confirm("3", {.a = 100}, "a", 8, {5, 8});
  const auto report = judged();
  EXPECT_EQ(find_stored(report, "a").verdict, Verdict::kUnchanged);
  EXPECT_TRUE(find_stored(report, "a").confirmed);
  EXPECT_EQ(find_stored(report, "b").verdict, Verdict::kRegressed) << "the stored runs still speak of it";
  EXPECT_FALSE(find_stored(report, "b").confirmed);
  EXPECT_FALSE(report.interleaved);
  EXPECT_THAT(report.base.runs, ElementsAre("1", "3-a"));
}

TEST_F(JudgeStored, GoesThroughTheSameAnalyses) {
  confirm("3", {.a = 100}, "a", 27, {5, 8, 12, 18, 27});
  const auto report = judged();
  EXPECT_EQ(find_stored(report, "a").base_invocations, 5) << "the first analysis decided it";
  ASSERT_TRUE(report.effort);
  EXPECT_EQ(report.effort->rounds, 27);
  EXPECT_DOUBLE_EQ(report.effort->measured_s, 54);
}

TEST_F(JudgeStored, ARegressionTakesTenPairsAlsoThen) {
  confirm("3", {.a = 150}, "a", 8, {5, 8});
  EXPECT_EQ(find_stored(judged(), "a").verdict, Verdict::kInconclusive);
  confirm("4", {.a = 150}, "a", 12, {5, 8, 12});
  EXPECT_EQ(find_stored(judged(), "a").verdict, Verdict::kRegressed)
      << "a later job decides what one left open";
  confirm("5", {.a = 100}, "a", 12, {5, 8, 12});
  EXPECT_EQ(find_stored(judged(), "a").verdict, Verdict::kRegressed) << "and what is decided stays so";
}

TEST_F(JudgeStored, SeveralConfirmingJobsAddUp) {
  confirm("3", {.a = 100}, "a", 5, {5});
  confirm("4", {.b = 100}, "b", 5, {5});
  const auto report = judged();
  EXPECT_EQ(find_stored(report, "a").verdict, Verdict::kUnchanged);
  EXPECT_EQ(find_stored(report, "b").verdict, Verdict::kUnchanged);
}

TEST_F(JudgeStored, ANewerJobOfAllStandsAboveThem) {
  confirm("3", {.a = 100}, "a", 5, {5});
  confirm("4", {.a = 150, .b = 100}, "", 12, {});
  const auto report = judged();
  EXPECT_TRUE(report.interleaved);
  EXPECT_EQ(find_stored(report, "a").verdict, Verdict::kRegressed);
  EXPECT_EQ(find_stored(report, "b").verdict, Verdict::kUnchanged);
  EXPECT_THAT(report.base.runs, ElementsAre("4-a"));
}

TEST_F(JudgeStored, AJobOfAllThatWasJudgedInLooksIsSoAgain) {
  confirm("3", {.a = 150, .b = 100}, "", 12, {5, 8, 12});
  const auto report = judged();
  EXPECT_TRUE(report.interleaved);
  EXPECT_EQ(find_stored(report, "a").verdict, Verdict::kRegressed);
  EXPECT_EQ(find_stored(report, "a").base_invocations, 12);
  EXPECT_EQ(find_stored(report, "b").base_invocations, 5) << "decided at the first analysis";
  EXPECT_FALSE(find_stored(report, "a").confirmed) << "nothing was in doubt before";
}

TEST_F(JudgeStored, TheFirstCheckLeavesHalfOfTheErrorToTheAnalyses) {
  confirm("3", {.a = 100}, "a", 5, {5});
  Options half;
  half.error_share = kFirstCheckShare;
  const auto first_check =
      judge({{}, {base_.runs.front()}}, {{}, {candidate_.runs.front()}}, {}, policy_, half);
  EXPECT_EQ(find_stored(judged(), "b").interval->low, find_stored(first_check, "b").interval->low);
}

TEST_F(JudgeStored, WithoutWholeRunsThePartsAreAllThereIs) {
  base_.runs.clear();
  candidate_.runs.clear();
  confirm("3", {.a = 100}, "a", 5, {});
  const auto report = judged();
  EXPECT_EQ(report.comparisons.size(), 1u);
  EXPECT_TRUE(report.interleaved);
}

TEST_F(JudgeStored, ACommitHeldAgainstItself) {
  confirm("3", {.a = 100, .b = 100}, "", 5, {5});
  SideRuns both{{}, {base_.runs.back(), candidate_.runs.back()}};
  const auto report = judge_stored(both, both, {}, policy_, {});
  EXPECT_THAT(report.base.runs, ElementsAre("3-a"));
  EXPECT_THAT(report.candidate.runs, ElementsAre("3-b"));
}

}  // namespace
}  // namespace tracker::judge
