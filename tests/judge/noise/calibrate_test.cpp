#include "tracker/judge/noise/calibrate.hpp"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/random.hpp"

namespace tracker {
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

}  // namespace
}  // namespace tracker
