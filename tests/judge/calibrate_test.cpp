#include "tracker/judge/calibrate.hpp"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/random.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker::judge {
namespace {

using test::make_run;
using testing::ElementsAre;

std::vector<double> normal_times(int count, double time_ns, double noise, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(time_ns * std::exp(noise * random.normal()));
  return times;
}

Policy policy_of(double threshold) {
  Policy policy;
  PolicyRule rule;
  rule.match = "*";
  rule.threshold = threshold;
  policy.rules.push_back(rule);
  return policy;
}

Run calibration_run(int invocations, double noise) {
  Run run = make_run(test::kBase, {{.name = "loud", .times_ns = normal_times(invocations, 100, 5 * noise, 1)},
                                   {.name = "quiet", .times_ns = normal_times(invocations, 100, noise, 2)}});
  for (auto& invocation : run.invocations) invocation.length_s = 3;
  return run;
}

TEST(Calibrate, MeasuresTheNoiseOfPairs) {
  const Calibration found = calibrate({calibration_run(200, 0.002)}, policy_of(0.05));
  ASSERT_EQ(found.benchmarks.size(), 2u);
  EXPECT_EQ(found.benchmarks[0].name, "loud") << "the noisiest first";
  EXPECT_NEAR(found.benchmarks[0].noise, 0.01 * std::sqrt(2), 0.002);
  EXPECT_NEAR(found.benchmarks[1].noise, 0.002 * std::sqrt(2), 0.0004);
  EXPECT_EQ(found.invocations, 200);
  EXPECT_DOUBLE_EQ(found.pair_s.value(), 6);
}

// With t of 9 degrees (two benchmarks lend each other none) at 1 − 1 % / 8: 4.65 · 0.2 % · √(2 / 10).
TEST(Calibrate, SaysWhatPairsResolve) {
  const Calibration found = calibrate({calibration_run(400, 0.002)}, policy_of(0.01));
  const CalibratedBenchmark& quiet = found.benchmarks[1];
  EXPECT_NEAR(quiet.resolvable[1], 0.00416, 0.0006);
  EXPECT_GT(quiet.resolvable[0], 1.4 * quiet.resolvable[1]) << "√2, and a wider t";
  EXPECT_LT(quiet.resolvable[2], quiet.resolvable[1] / 1.4);
  EXPECT_EQ(quiet.pairs_needed, 10);
  EXPECT_FALSE(found.benchmarks[0].pairs_needed) << "twice 0.7 % is more than 1 %";
}

TEST(Calibrate, CountsWhatIsFoundInTheSameCode) {
  const Calibration still = calibrate({calibration_run(40, 0.002)}, policy_of(0.01));
  EXPECT_EQ(still.reports, 4);
  EXPECT_EQ(still.pairs_a_report, 5);
  EXPECT_EQ(still.comparisons, 8);
  EXPECT_EQ(still.false_alarms, 0);
  // Each second invocation of an order that alternates is a change that no noise explains.
  tracker::Run moved = calibration_run(20, 0.0001);
  for (std::size_t i = 0; i < moved.invocations.size(); ++i)
    if (i % 4 == 1 || i % 4 == 2)
      for (auto& [name, samples] : moved.invocations[i].samples) samples.real_time_ns.front() *= 1.1;
  EXPECT_GT(calibrate({moved}, policy_of(0.01)).false_alarms, 0);
}

TEST(Calibrate, SaysWhatNeighboursDoToTheNoise) {
  const auto quiet = calibrate({calibration_run(20, 0.001)}, {});
  const auto loud = calibrate({calibration_run(20, 0.003)}, {});
  EXPECT_NEAR(noise_of_neighbours(quiet, quiet), 1, 1e-9);
  EXPECT_NEAR(noise_of_neighbours(quiet, loud), 3, 0.1);
  EXPECT_TRUE(std::isnan(noise_of_neighbours(quiet, Calibration{})));
}

TEST(Calibrate, NeedsSixInvocationsOfEach) {
  const Calibration found = calibrate({calibration_run(5, 0.002)}, policy_of(0.01));
  EXPECT_TRUE(found.benchmarks.empty());
  EXPECT_THAT(found.unknown, ElementsAre("loud", "quiet"));
  EXPECT_EQ(found.reports, 0);
  EXPECT_EQ(calibrate({calibration_run(6, 0.002)}, policy_of(0.01)).benchmarks.size(), 2u);
}

TEST(Calibrate, LeavesOutWhatDoesNotCount) {
  tracker::Run run = calibration_run(20, 0.002);
  for (int i = 0; i < 10; ++i)
    run.invocations[static_cast<std::size_t>(i)].excluded = exclusion_of("warm-up");
  const Calibration found = calibrate({run}, policy_of(0.01));
  EXPECT_EQ(found.reports, 1);
  EXPECT_EQ(found.comparisons, 2);
}

TEST(Calibrate, FloorsAreNoAlarms) {
  Policy policy = policy_of(0.05);
  policy.rules.front().floor = Floor{.limit = 1e-9, .unit = "s", .text = "1 ns"};
  EXPECT_EQ(calibrate({calibration_run(20, 0.002)}, policy).false_alarms, 0);
}

constexpr double kClockScatter = 0.01;
constexpr double kScatterAtSameClock = 0.001;

// Times that fall as the clock rises, by a power of 0.8 of it.
Run clocked_run(const test::RunNumbers& numbers, int invocations, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<double> clocks;
  std::vector<double> times;
  for (int i = 0; i < invocations; ++i) {
    clocks.push_back(std::exp(kClockScatter * random.normal()));
    times.push_back(1e6 * std::pow(clocks.back(), -0.8) * std::exp(kScatterAtSameClock * random.normal()));
  }
  tracker::Run run = make_run(numbers, {{"k", times, {}, {}}});
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    run.invocations[i].round = static_cast<int>(i) + 1;
    run.invocations[i].samples["k"].counters[counter_name::kCoreClock] = {1950 * clocks[i]};
  }
  return run;
}

std::vector<Run> clocked_job(int pairs, std::uint64_t seed = 1) {
  return {clocked_run(test::kBase, pairs, seed), clocked_run(test::kCandidate, pairs, seed + 1)};
}

Policy at_same_clock() {
  Policy policy = policy_of(0.01);
  policy.rules.front().same_clock = true;
  return policy;
}

void without_clocks(Run& run) {
  for (auto& invocation : run.invocations) invocation.samples["k"].counters.clear();
}

const double kPairNoise = kScatterAtSameClock * std::sqrt(2);

TEST(CalibrateAtSameClock, PromisesWhatComparingFinds) {
  const auto found = calibrate(clocked_job(200), at_same_clock()).benchmarks.front();
  EXPECT_TRUE(found.at_same_clock);
  EXPECT_NEAR(found.noise, kPairNoise, 0.0003);
  double sum = 0;
  constexpr int kJobs = 100;
  for (int i = 0; i < kJobs; ++i) {
    const auto job = clocked_job(10, 1000 + 2 * static_cast<std::uint64_t>(i));
    const auto report = judge({{}, {job[0]}}, {{}, {job[1]}}, {}, at_same_clock());
    sum += report.comparisons.front().resolvable.value() / kJobs;
  }
  EXPECT_NEAR(found.resolvable[1] / sum, 1, 0.15);
  EXPECT_EQ(found.pairs_needed, 10);
}

TEST(CalibrateAtSameClock, FivePairsAreAsMeasured) {
  const auto at = calibrate(clocked_job(200), at_same_clock()).benchmarks.front();
  const auto as_measured = calibrate(clocked_job(200), policy_of(0.01)).benchmarks.front();
  EXPECT_FALSE(as_measured.at_same_clock);
  EXPECT_DOUBLE_EQ(at.resolvable[0], as_measured.resolvable[0]);
  EXPECT_LT(at.resolvable[1], as_measured.resolvable[1] / 4);
}

TEST(CalibrateAtSameClock, AlarmsAreCountedInReportsOfTenPairs) {
  const Calibration found = calibrate(clocked_job(20), at_same_clock());
  EXPECT_EQ(found.pairs_a_report, 10);
  EXPECT_EQ(found.reports, 2);
  const Calibration few = calibrate(clocked_job(9), at_same_clock());
  EXPECT_EQ(few.pairs_a_report, 5);
  EXPECT_EQ(few.reports, 1);
}

TEST(CalibrateAtSameClock, InvocationsThatFollowOneAnotherAreAsGood) {
  const Calibration found = calibrate({clocked_run(test::kBase, 200, 1)}, at_same_clock());
  EXPECT_TRUE(found.benchmarks.front().at_same_clock);
  EXPECT_NEAR(found.benchmarks.front().noise, kPairNoise, 0.0003);
  EXPECT_EQ(found.pairs_a_report, 10);
}

TEST(CalibrateAtSameClock, WithoutClocksItIsAsMeasured) {
  auto job = clocked_job(20);
  without_clocks(job[1]);
  const Calibration found = calibrate(job, at_same_clock());
  EXPECT_FALSE(found.benchmarks.front().at_same_clock);
  EXPECT_EQ(found.without_clock, 1);
  EXPECT_EQ(calibrate(clocked_job(20), at_same_clock()).without_clock, 0);
  EXPECT_EQ(calibrate(job, policy_of(0.01)).without_clock, 0) << "nobody asked for it";
}

TEST(CalibrateAtSameClock, ClocksThatHardlyScatterAreLeftAlone) {
  Policy policy = at_same_clock();
  policy.rules.front().threshold = 0.1;
  EXPECT_FALSE(calibrate(clocked_job(20), policy).benchmarks.front().at_same_clock)
      << "1.4 % is less than a fifth of 10 %";
}

}  // namespace
}  // namespace tracker::judge
