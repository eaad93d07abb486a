// Comparing at the same clock: what of the pairs follows the device's clock is taken out, and nothing else.
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/judge/verdict/judge.hpp"
#include "tracker/protocol/context_keys.hpp"
#include "tracker/report/reason_words.hpp"

namespace tracker {
namespace {

using test::make_run;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr double kTimeNs = 1e6;

// By how much the clock of each round is above 1950 MHz, as a share: the two sides' means are the same.
const std::vector<double> kBaseClocks{0, 0.02, -0.01, 0.01, 0, -0.02, 0.01, -0.01, 0.02, -0.02};
const std::vector<double> kCandidateClocks{0.01, -0.02, 0.02, -0.01, 0.02, 0, -0.02, 0, 0.01, -0.01};

// Times that fall as the clock rises, by this power of it, and have a noise of a tenth of a per mille.
Run side(const std::string& id, const std::vector<double>& clocks, double power, double slower = 0) {
  std::vector<double> times;
  for (std::size_t i = 0; i < clocks.size(); ++i)
    times.push_back(kTimeNs * (1 + slower) * std::pow(1 + clocks[i], -power) *
                    (1 + 1e-4 * std::sin(static_cast<double>(7 * i) + slower * 1000)));
  tracker::Run run = make_run({.id = id}, {{"k", times, {}, {}}});
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    run.invocations[i].round = static_cast<int>(i) + 1;
    run.invocations[i].samples["k"].counters[counter_name::kCoreClock] = {1950 * (1 + clocks[i])};
  }
  return run;
}

Policy at_same_clock() {
  Policy policy;
  policy.rules.push_back({.match = "*", .threshold = 0.01, .same_clock = true});
  return policy;
}

ComparisonReport report_of(const Run& base, const Run& candidate, const Policy& policy) {
  return judge({{}, {base}}, {{}, {candidate}}, {}, policy);
}

Comparison judged_at_same_clock(const Run& base, const Run& candidate,
                                const Policy& policy = at_same_clock()) {
  return report_of(base, candidate, policy).comparisons.front();
}

TEST(SameClock, TellsWhatTheClockHid) {
  const tracker::Run base = side("1", kBaseClocks, 0.7);
  const tracker::Run candidate = side("2", kCandidateClocks, 0.7, 0.012);
  Policy as_measured = at_same_clock();
  as_measured.rules.front().same_clock = false;
  EXPECT_EQ(judged_at_same_clock(base, candidate, as_measured).verdict, Verdict::kInconclusive);
  const Comparison comparison = judged_at_same_clock(base, candidate);
  EXPECT_EQ(comparison.verdict, Verdict::kRegressed);
  EXPECT_NEAR(comparison.change.value(), 0.012, 0.0003);
  EXPECT_LT(comparison.resolvable.value(), 0.001);
  EXPECT_NEAR(comparison.candidate.value() / comparison.base.value(), 1 + comparison.change.value(), 1e-9)
      << "what is shown is what was compared";
  EXPECT_THAT(reason_in_words(comparison), testing::StartsWith("at the same clock: 1.2 % slower"));
}

TEST(SameClock, IsSaidOfTheReport) {
  const auto report = report_of(side("1", kBaseClocks, 1), side("2", kCandidateClocks, 1), at_same_clock());
  EXPECT_EQ(report.comparisons.front().verdict, Verdict::kUnchanged);
  EXPECT_THAT(report.notes,
              Contains(HasSubstr("1 benchmark is compared at the same clock of the device (1950 MHz)")));
}

TEST(SameClock, ARateRisesWithTheClock) {
  tracker::Run base = side("1", kBaseClocks, 1);
  tracker::Run candidate = side("2", kCandidateClocks, 1);
  for (tracker::Run* run : {&base, &candidate}) run->benchmarks.front().bytes_per_iteration = 1e6;
  const Comparison comparison = judged_at_same_clock(base, candidate);
  EXPECT_EQ(comparison.metric.name, "bytes_per_second");
  EXPECT_LT(comparison.resolvable.value(), 0.001);
}

TEST(SameClock, NothingFallsFasterThanTheClockRises) {
  const Comparison steep = judged_at_same_clock(side("1", kBaseClocks, 3), side("2", kCandidateClocks, 3));
  EXPECT_GT(steep.resolvable.value(), 0.01) << "a power of 1 explains a third of it";
  const Comparison wrong_way =
      judged_at_same_clock(side("1", kBaseClocks, -1), side("2", kCandidateClocks, -1));
  EXPECT_GT(wrong_way.resolvable.value(), 0.01);
}

TEST(SameClock, AClockThatTheCandidateChangedIsPartOfTheChange) {
  std::vector<double> lower = kCandidateClocks;
  for (double& clock : lower) clock -= 0.1;
  const auto report = report_of(side("1", kBaseClocks, 1), side("2", lower, 1), at_same_clock());
  const Comparison& comparison = report.comparisons.front();
  EXPECT_NEAR(comparison.change.value(), 1 / 0.9 - 1, 0.005);
  EXPECT_EQ(comparison.verdict, Verdict::kRegressed);
  EXPECT_THAT(reason_in_words(comparison),
              HasSubstr("the clocks differ by more than chance (base 1950 MHz, candidate 1755 MHz)"));
  EXPECT_THAT(report.notes,
              Contains(HasSubstr("1 benchmark is not compared at the same clock, as the clocks")));
}

TEST(SameClock, StillClocksThatDifferAreSaid) {
  const std::vector<double> still(10, 0.0);
  const std::vector<double> lower(10, -0.02);
  const Comparison comparison = judged_at_same_clock(side("1", still, 1), side("2", lower, 1));
  EXPECT_NEAR(comparison.change.value(), 1 / 0.98 - 1, 0.001);
  EXPECT_THAT(reason_in_words(comparison), HasSubstr("the clocks differ by more than chance"));
}

TEST(SameClock, WithoutClocksItIsSaid) {
  tracker::Run candidate = side("2", kCandidateClocks, 1);
  for (auto& invocation : candidate.invocations) invocation.samples["k"].counters.clear();
  const auto report = report_of(side("1", kBaseClocks, 1), candidate, at_same_clock());
  EXPECT_GT(report.comparisons.front().resolvable.value(), 0.01);
  EXPECT_THAT(report.notes, Contains(HasSubstr("condition_core_clock_mhz is missing")));
}

TEST(SameClock, FewPairsAndStillClocksAreLeftAsTheyAre) {
  const auto first = [](std::vector<double> all, std::size_t count) {
    all.resize(count);
    return all;
  };
  const Comparison few =
      judged_at_same_clock(side("1", first(kBaseClocks, 5), 1), side("2", first(kCandidateClocks, 5), 1));
  EXPECT_THAT(reason_in_words(few), Not(HasSubstr("same clock")));
  const std::vector<double> still(10, 0.0);
  const Comparison quiet = judged_at_same_clock(side("1", still, 1), side("2", still, 1));
  EXPECT_THAT(reason_in_words(quiet), Not(HasSubstr("same clock")));
  EXPECT_EQ(quiet.verdict, Verdict::kUnchanged);
}

TEST(SameClock, AWildPairDoesNotTiltTheLine) {
  tracker::Run base = side("1", kBaseClocks, 1);
  base.invocations[1].samples["k"].real_time_ns = {3 * kTimeNs};
  const Comparison comparison = judged_at_same_clock(base, side("2", kCandidateClocks, 1, 0.012));
  EXPECT_EQ(comparison.verdict, Verdict::kRegressed);
  EXPECT_NEAR(comparison.change.value(), 0.012, 0.0005);
  EXPECT_THAT(reason_in_words(comparison), HasSubstr("round 2, where the base"));
}

TEST(SameClock, AnotherJobIsComparedAsItWasMeasured) {
  tracker::Run candidate = side("2", kCandidateClocks, 1);
  candidate.job = "job-2";
  const auto report = report_of(side("1", kBaseClocks, 1), candidate, at_same_clock());
  EXPECT_THAT(report.notes, Not(Contains(HasSubstr("same clock"))));
}

}  // namespace
}  // namespace tracker
