// Comparing at the same clock: what of the pairs follows the device's clock is taken out, and nothing else.

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/protocol/context_keys.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
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
  EXPECT_THAT(report::reason_in_words(comparison), testing::StartsWith("at the same clock: 1.2 % slower"));
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
  EXPECT_THAT(report::reason_in_words(comparison),
              HasSubstr("the clocks differ by more than chance (base 1950 MHz, candidate 1755 MHz)"));
  EXPECT_THAT(report.notes,
              Contains(HasSubstr("1 benchmark is not compared at the same clock, as the clocks")));
}

TEST(SameClock, StillClocksThatDifferAreSaid) {
  const std::vector<double> still(10, 0.0);
  const std::vector<double> lower(10, -0.02);
  const Comparison comparison = judged_at_same_clock(side("1", still, 1), side("2", lower, 1));
  EXPECT_NEAR(comparison.change.value(), 1 / 0.98 - 1, 0.001);
  EXPECT_THAT(report::reason_in_words(comparison), HasSubstr("the clocks differ by more than chance"));
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
  EXPECT_THAT(report::reason_in_words(few), Not(HasSubstr("same clock")));
  const std::vector<double> still(10, 0.0);
  const Comparison quiet = judged_at_same_clock(side("1", still, 1), side("2", still, 1));
  EXPECT_THAT(report::reason_in_words(quiet), Not(HasSubstr("same clock")));
  EXPECT_EQ(quiet.verdict, Verdict::kUnchanged);
}

TEST(SameClock, AWildPairDoesNotTiltTheLine) {
  tracker::Run base = side("1", kBaseClocks, 1);
  base.invocations[1].samples["k"].real_time_ns = {3 * kTimeNs};
  const Comparison comparison = judged_at_same_clock(base, side("2", kCandidateClocks, 1, 0.012));
  EXPECT_EQ(comparison.verdict, Verdict::kRegressed);
  EXPECT_NEAR(comparison.change.value(), 0.012, 0.0005);
  EXPECT_THAT(report::reason_in_words(comparison), HasSubstr("round 2, where the base"));
}

TEST(SameClock, AnotherJobIsComparedAsItWasMeasured) {
  tracker::Run candidate = side("2", kCandidateClocks, 1);
  candidate.job = "job-2";
  const auto report = report_of(side("1", kBaseClocks, 1), candidate, at_same_clock());
  EXPECT_THAT(report.notes, Not(Contains(HasSubstr("same clock"))));
}

}  // namespace

// Times read from a clock with steps: no interval is narrower than the step lets it be.

namespace {

using test::make_run;
using testing::HasSubstr;

Run stepped_run(const test::RunNumbers& numbers, const std::vector<double>& times_ns, double registers = 32) {
  Run run = make_run(numbers, {{.name = "x", .times_ns = times_ns, .counters = {{"registers", registers}}}});
  run.isolated = true;
  return run;
}

double step_between(const std::vector<double>& base, const std::vector<double>& candidate,
                    const char* metric = "real_time") {
  const std::vector<Run> of_base{stepped_run(test::kBase, base)};
  const std::vector<Run> of_candidate{stepped_run(test::kCandidate, candidate)};
  return clock_step(side_evidence(of_base, "x"), side_evidence(of_candidate, "x"), find_metric(metric),
                    clock_ticks(of_base, of_candidate))
      .hides;
}

Comparison judge_stepped(const std::vector<double>& base, const std::vector<double>& candidate,
                         double threshold) {
  Policy policy;
  PolicyRule rule;
  rule.match = "*";
  rule.threshold = threshold;
  policy.rules.push_back(rule);
  return judge({{}, {stepped_run(test::kBase, base)}}, {{}, {stepped_run(test::kCandidate, candidate)}}, {},
               policy)
      .comparisons.front();
}

std::vector<double> times(int count, double time_ns, int others = 0, double other_ns = 0) {
  std::vector<double> all(static_cast<std::size_t>(count), time_ns);
  for (int i = 0; i < others; ++i) all[static_cast<std::size_t>(3 * i)] = other_ns;
  return all;
}

TEST(ClockStep, ShowsWhereTimesRepeat) {
  EXPECT_NEAR(step_between(times(10, 100), times(10, 101)), std::log(1.01), 1e-12);
  EXPECT_NEAR(step_between(times(10, 100, 2, 101), times(10, 103)), std::log(1.01), 1e-12);
  EXPECT_TRUE(std::isinf(step_between(times(2, 100), times(2, 100)))) << "the step may be of any size";
  EXPECT_EQ(step_between({100.1, 100.2, 100.4, 100.7, 101.1}, {100.15, 100.3, 100.5, 100.9, 101.4}), 0)
      << "continuous times do not repeat";
  EXPECT_EQ(step_between(times(2, 100), times(2, 101)), 0) << "too few to say";
}

TEST(ClockStep, IsTheTickThatBenchmarksShareWhereOneShowsTooFewValues) {
  std::vector<test::Timed> base;
  std::vector<test::Timed> candidate;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "benchmark " + std::to_string(i);
    base.push_back({.name = name, .times_ns = times(10, 1000 + 70 * i)});
    candidate.push_back({.name = name, .times_ns = times(10, 1000 + 70 * i + (i == 0 ? 20 : 0))});
  }
  const auto step_of_first = [&] {
    const std::vector<tracker::Run> of_base{make_run(test::kBase, base)};
    const std::vector<tracker::Run> of_candidate{make_run(test::kCandidate, candidate)};
    const auto ticks = clock_ticks(of_base, of_candidate);
    const auto hidden = [&](const char* name) {
      return clock_step(side_evidence(of_base, name), side_evidence(of_candidate, name),
                        find_metric("real_time"), ticks)
          .hides;
    };
    return std::pair(hidden("benchmark 0"), hidden("benchmark 1"));
  };
  EXPECT_NEAR(step_of_first().first, std::log1p(10. / 1010), 1e-9) << "1000 and 1020 of a clock of 10 ns";
  EXPECT_NEAR(step_of_first().second, std::log1p(10. / 1070), 1e-9) << "1070 alone";
  base[3].times_ns[2] += 0.13717;
  EXPECT_NEAR(step_of_first().first, std::log(1.02), 1e-9) << "no common tick";
  EXPECT_TRUE(std::isinf(step_of_first().second));
}

// 10 and 11 ns of one clock, and times that show its tick.
TEST(ClockStep, MayBeOfAnySize) {
  EXPECT_NEAR(step_between(times(10, 10, 1, 11), times(10, 10)), std::log(1.1), 1e-12);
}

TEST(ClockStep, IsNotKnownWhereAllTimesAreTheSame) {
  const Comparison same = judge_stepped(times(10, 10000), times(10, 10000), 0.05);
  EXPECT_EQ(same.verdict, Verdict::kInconclusive);
  EXPECT_THAT(report::reason_in_words(same), HasSubstr("all times are the same"));
}

TEST(ClockStep, AveragesOutWhereInvocationsDifferByMore) {
  const std::vector<double> noisy{98, 99, 100, 101, 102, 98, 99, 100, 101, 102};
  EXPECT_EQ(step_between(noisy, noisy), 0);
}

TEST(ClockStep, IsOfTimesAlone) {
  EXPECT_EQ(step_between(times(10, 100), times(10, 101), "registers"), 0);
  EXPECT_EQ(step_between(times(10, 100), times(10, 110)), 0) << "neither side varies";
}

// Between 100.4 and 100.9 lies 0.5 %, and a clock of 1 ns shows 1 %.
TEST(ClockStep, IsPartOfTheInterval) {
  const Comparison open = judge_stepped(times(10, 100), times(10, 101), 0.005);
  EXPECT_EQ(open.verdict, Verdict::kInconclusive);
  EXPECT_NEAR(open.interval->low, 0, 1e-9);
  EXPECT_NEAR(open.interval->high, 0.0201, 1e-9);
  EXPECT_THAT(report::reason_in_words(open), HasSubstr("the clock's step of 1 % hides changes below 1 %"));
  EXPECT_FALSE(open.more_invocations);
  EXPECT_EQ(judge_stepped(times(10, 100), times(10, 101), 0.05).verdict, Verdict::kUnchanged);
}

TEST(ClockStep, HidesNoChangeThatIsLarger) {
  EXPECT_EQ(judge_stepped(times(10, 100, 2, 101), times(10, 104, 2, 105), 0.02).verdict, Verdict::kRegressed);
  EXPECT_EQ(judge_stepped(times(10, 104, 2, 105), times(10, 100, 2, 101), 0.02).verdict, Verdict::kImproved);
}

}  // namespace

}  // namespace tracker::judge
