// What a report says beside its verdicts: what the data could show, what differs between the sides.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tracker/judge/verdict/judge.hpp"
#include "tracker/report/reason_words.hpp"

namespace tracker {
namespace {

using test::around;
using test::around_again;
using test::kBase;
using test::kCandidate;
using test::make_run;
using test::Timed;
using testing::HasSubstr;
using testing::Not;

// Each benchmark in a process of its own, so that it does not matter to it what else is measured.
ComparisonReport judge_two(const std::vector<Timed>& base, const std::vector<Timed>& candidate) {
  Run before = make_run(kBase, base);
  Run after = make_run(kCandidate, candidate);
  before.isolated = after.isolated = true;
  return judge({{}, {before}}, {{}, {after}}, {}, test::policy_at(0.02));
}

TEST(Judge, SaysLargeChangesAsFactors) {
  const auto reason = [](double base, double candidate) {
    return reason_in_words(judge_two({{"k", around(base, 0.0001)}}, {{"k", around_again(candidate, 0.0001)}})
                               .comparisons.front());
  };
  EXPECT_THAT(reason(100, 917), testing::StartsWith("9.2× slower, past"));
  EXPECT_THAT(reason(100, 5000), testing::StartsWith("50× slower, past"));
  EXPECT_THAT(reason(100, 5), testing::StartsWith("20× faster, past"));
  EXPECT_THAT(reason(100, 150), testing::StartsWith("50 % slower, past"));
  EXPECT_THAT(reason(100, 60), testing::StartsWith("40 % faster, past"));
}

TEST(Judge, SaysHowManyInvocationsAndWhatTheyResolve) {
  const Comparison comparison =
      judge_two({{"k", around(100, 0.02)}}, {{"k", around_again(100, 0.02)}}).comparisons.front();
  EXPECT_EQ(comparison.base_invocations, 5);
  EXPECT_EQ(comparison.candidate_invocations, 5);
  ASSERT_TRUE(comparison.resolvable);
  EXPECT_NEAR(*comparison.resolvable, comparison.interval->high - *comparison.change, 1e-3);
  ASSERT_TRUE(comparison.more_invocations);
  EXPECT_GT(*comparison.more_invocations, 0);
}

TEST(Judge, NotesWhatDiffersBetweenTheSides) {
  auto base = make_run(kBase, {{"k", around(100)}});
  auto candidate = make_run(kCandidate, {{"k", around_again(100)}});
  EXPECT_TRUE(judge({{}, {base}}, {{}, {candidate}}, {}, {}).notes.empty());
  base.software.driver = "580.1";
  candidate.software.driver = "590.2\x1b[31m";
  candidate.dirty = true;
  candidate.invocations[1].conditions.throttle_reasons = {"thermal"};
  candidate.invocations[2].conditions.other_processes = 1;
  const auto report = judge({{}, {base}}, {{}, {candidate}}, {}, {});
  EXPECT_EQ(report.notes, (std::vector<std::string>{
                              "the candidate was measured from a working tree with uncommitted changes",
                              "the candidate's clocks were held down (thermal) in 1 of 5 invocations",
                              "another process was on the GPU in 1 of 5 invocations of the candidate",
                              "different driver: 580.1 → 590.2 [31m"}));
  EXPECT_TRUE(report.candidate.dirty);
  EXPECT_FALSE(report.base.dirty);
}

// A board that something else loads beside one side alone says nothing of the code.
TEST(Judge, CannotJudgeWhereAnotherProcessWasOnTheGpuOfOneSideAlone) {
  for (const bool is_base : {true, false}) {
    auto base = make_run(kBase, {{"k", around(is_base ? 150 : 100)}});
    auto candidate = make_run(kCandidate, {{"k", around_again(is_base ? 100 : 150)}});
    for (std::size_t i = 0; i < 4; ++i)
      (is_base ? base : candidate).invocations[i].conditions.other_processes = 1;
    const auto report = judge({{}, {base}}, {{}, {candidate}}, {}, test::policy_at(0.02));
    EXPECT_EQ(report.comparisons.front().verdict, Verdict::kNotComparable);
    EXPECT_EQ(reason_in_words(report.comparisons.front()),
              std::string("cannot be judged: another process was on the GPU in 4 of 5 invocations of the ") +
                  (is_base ? "base" : "candidate") + ", and in 0 of the other side");
    // On both sides it is how this machine is.
    for (auto* run : {&base, &candidate})
      for (auto& invocation : run->invocations) invocation.conditions.other_processes = 1;
    EXPECT_NE(judge({{}, {base}}, {{}, {candidate}}, {}, test::policy_at(0.02)).comparisons.front().verdict,
              Verdict::kNotComparable);
  }
}

// No figures that only show how little is known: "changes below 18076695522 %".
TEST(Judge, SaysWhereTheNoiseHidesAnyChange) {
  const auto report = judge_two({{"k", {100, 900}}}, {{"k", {500, 120}}});
  const Comparison& comparison = report.comparisons.front();
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_GT(comparison.resolvable.value(), 10);
  EXPECT_TRUE(noise_hides_everything(comparison));
  EXPECT_THAT(reason_in_words(comparison), HasSubstr("the noise hides any change; "));
  EXPECT_FALSE(noise_hides_everything(
      judge_two({{"k", around(100, 0.1)}}, {{"k", around_again(100, 0.1)}}).comparisons.front()));
}

// Fifteen repetitions in one execution a side: the ratio and its spread are shown, and no verdict rests on
// them.
TEST(Judge, SaysWhatTheRepetitionsOfOneExecutionShow) {
  std::vector<tracker::Run> sides;
  for (const double time_ns : {100.0, 120.0}) {
    sides.push_back(test::make_run(time_ns < 110 ? test::kBase : test::kCandidate, {{"k", {time_ns}}}));
    auto& times = sides.back().invocations[0].samples["k"].real_time_ns;
    for (int i = 1; i < 15; ++i) times.push_back(time_ns * (1 + 0.01 * (i % 3 - 1)));
  }
  const auto report = judge({{}, {sides[0]}}, {{}, {sides[1]}}, {}, {});
  const Comparison& comparison = report.comparisons.front();
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_NEAR(*comparison.change, 0.2, 0.001);
  EXPECT_THAT(reason_in_words(comparison),
              testing::StartsWith("20 % slower, but one invocation a side shows no noise of its "
                                  "own: its 15 repetitions scatter by 0.8"));
}

TEST(Judge, SaysOfAHugeChangeThatItIsHuge) {
  const auto report = judge_two({{"k", around(100)}}, {{"k", around_again(1e300)}});
  EXPECT_THAT(reason_in_words(report.comparisons.front()), HasSubstr("more than a million times slower"));
}

// In turn there are no jobs to blame.
TEST(Judge, SaysThatTooManyInvocationsWouldBeNeeded) {
  const auto report = judge_two({{"k", around(100, 0.001)}}, {{"k", around_again(101.999, 0.001)}});
  EXPECT_EQ(report.comparisons.front().verdict, Verdict::kInconclusive);
  EXPECT_FALSE(report.comparisons.front().more_invocations);
  EXPECT_THAT(reason_in_words(report.comparisons.front()), HasSubstr("more than 1000 more invocations"));
  EXPECT_THAT(reason_in_words(report.comparisons.front()), Not(HasSubstr("--measure")));
}

}  // namespace
}  // namespace tracker
