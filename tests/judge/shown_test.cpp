// What a comparison brings along for reports: the source, rates behind times, clocks.
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::judge {
namespace {

using test::around;
using test::around_again;
using test::kBase;
using test::kCandidate;
using test::make_run;
using test::policy_at;

ComparisonReport judged(const Run& base, const Run& candidate, const Policy& policy) {
  return judge({{}, {base}, {}}, {{}, {candidate}, {}}, {}, policy);
}

TEST(Shown, ATimeBringsTheRateOfItsWork) {
  auto base = make_run(kBase, {{"gemm/a", around(1e6)}, {"gone", around(1e6)}, {"idle", around(1e6)}});
  auto candidate =
      make_run(kCandidate, {{"gemm/a", around_again(2e6)}, {"new", {2e6, 2e6}}, {"idle", around(1e6)}});
  base.benchmarks[0].flops_per_iteration = base.benchmarks[1].flops_per_iteration = 4e9;
  candidate.benchmarks[0].flops_per_iteration = candidate.benchmarks[1].flops_per_iteration = 4e9;
  candidate.benchmarks[0].bytes_per_iteration = 1;  // work counts more than traffic
  Policy policy = policy_at(0.01);
  policy.rules[0].metric = "real_time";
  for (const auto& row : judged(base, candidate, policy).comparisons) {
    ASSERT_EQ(row.rate.has_value(), row.benchmark != "idle") << row.benchmark;
    if (!row.rate) continue;
    EXPECT_EQ(row.rate->unit, "FLOP/s");
    EXPECT_EQ(row.rate->base.has_value(), row.benchmark != "new");
    EXPECT_EQ(row.rate->candidate.has_value(), row.benchmark != "gone");
    if (row.rate->base) {
      EXPECT_NEAR(*row.rate->base / 4e12, 1, 1e-3);
    }
    if (row.rate->candidate) {
      EXPECT_NEAR(*row.rate->candidate / 2e12, 1, 1e-3);
    }
  }
  policy.rules[0].metric = "cpu_time";  // not what its rates refer to
  for (const auto& row : judged(base, candidate, policy).comparisons) EXPECT_FALSE(row.rate) << row.benchmark;
}

TEST(Shown, TheSourceIsThePolicys) {
  Policy policy = policy_at(0.01);
  policy.rules[0].source = "kernels/{2}.cu";
  const auto base = make_run(kBase, {{"gemm/a", around(1e6)}, {"gemm/gone", around(1e6)}});
  const auto candidate = make_run(kCandidate, {{"gemm/a", around_again(1e6)}});
  for (const auto& row : judged(base, candidate, policy).comparisons)
    EXPECT_EQ(row.source, "kernels/" + row.benchmark.substr(5) + ".cu");
}

TEST(Shown, ClocksAreThoseOfTheInvocationsThatCount) {
  auto base = make_run(kBase, {{"a", around(1e6)}});
  auto candidate = make_run(kCandidate, {{"a", around_again(1e6)}});
  const auto clock = [](Invocation& invocation, double low, double high, double memory) {
    invocation.conditions.core_clock_mhz_min = low;
    invocation.conditions.core_clock_mhz_max = high;
    invocation.conditions.memory_clock_mhz = memory;
  };
  clock(base.invocations[0], 1900, 1980, 3201);
  clock(base.invocations[2], 1905, 1995, 2619);
  clock(base.invocations[3], 300, 2200, 405);
  base.invocations[3].excluded = exclusion_of("warm-up");
  const auto report = judged(base, candidate, policy_at(0.01));
  EXPECT_EQ(report.base.clocks.core_mhz->low, 1900);
  EXPECT_EQ(report.base.clocks.core_mhz->high, 1995);
  EXPECT_EQ(report.base.clocks.memory_mhz->low, 2619);
  EXPECT_EQ(report.base.clocks.memory_mhz->high, 3201);
  EXPECT_FALSE(report.candidate.clocks.core_mhz);
  EXPECT_FALSE(report.candidate.clocks.memory_mhz);
}

}  // namespace
}  // namespace tracker::judge
