// Times read from a clock with steps: no interval is narrower than the step lets it be.
#include "tracker/judge/noise/clock_step.hpp"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/judge/verdict/judge.hpp"
#include "tracker/report/reason_words.hpp"

namespace tracker {
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
  return clock_step(of_base, of_candidate, "x", find_metric(metric), clock_ticks(of_base, of_candidate))
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
    return std::pair(clock_step(of_base, of_candidate, "benchmark 0", find_metric("real_time"), ticks).hides,
                     clock_step(of_base, of_candidate, "benchmark 1", find_metric("real_time"), ticks).hides);
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
  EXPECT_THAT(reason_in_words(same), HasSubstr("all times are the same"));
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
  EXPECT_THAT(reason_in_words(open), HasSubstr("the clock's step of 1 % hides changes below 1 %"));
  EXPECT_FALSE(open.more_invocations);
  EXPECT_EQ(judge_stepped(times(10, 100), times(10, 101), 0.05).verdict, Verdict::kUnchanged);
}

TEST(ClockStep, HidesNoChangeThatIsLarger) {
  EXPECT_EQ(judge_stepped(times(10, 100, 2, 101), times(10, 104, 2, 105), 0.02).verdict, Verdict::kRegressed);
  EXPECT_EQ(judge_stepped(times(10, 104, 2, 105), times(10, 100, 2, 101), 0.02).verdict, Verdict::kImproved);
}

}  // namespace
}  // namespace tracker
