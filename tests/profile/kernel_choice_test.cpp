// Which kernel's counters a benchmark gets.
#include "tracker/profile/kernel_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profile/recorded.hpp"
#include "tracker/profile/counters.hpp"

namespace tracker {
namespace {

constexpr const char* kMetric = "smsp__inst_executed.sum";

NcuLaunch launch(const std::string& kernel, double time_ns, double value,
                 const std::string& grid = "(1, 1, 1)") {
  return {kernel, grid, "(32, 1, 1)", {{kDurationMetric, time_ns}, {kMetric, value}}};
}

TEST(ChooseKernel, TakesTheOneWithTheMostTime) {
  const auto chosen = choose_kernel(
      "a", {launch("reduce(int)", 5, 1), launch("ns::gemm<int>(int)", 9, 2), launch("reduce(int)", 5, 3)},
      {});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->name, "a");
  EXPECT_EQ(chosen->kernel, "reduce");
  EXPECT_EQ(chosen->launches, 2);
  EXPECT_EQ(chosen->counters.at(kMetric), 2) << "the median of both launches";
  EXPECT_FALSE(choose_kernel("a", {}, {}));
}

TEST(ChooseKernel, AnotherShapeIsAnotherKernel) {
  const auto chosen =
      choose_kernel("a", {launch("k", 3, 1), launch("k", 3, 1), launch("k", 7, 8, "(9, 9, 1)")}, {});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->launches, 1);
  EXPECT_EQ(chosen->counters.at(kMetric), 8);
}

TEST(ChooseKernel, WhatABenchmarkStatesComesFirst) {
  const std::vector<NcuLaunch> launches{launch("fill(float *)", 100, 1), launch("ns::smem(Panel)", 2, 7)};
  EXPECT_EQ(choose_kernel("a", launches, {"smem"})->kernel, "smem");
  EXPECT_EQ(choose_kernel("a", launches, {"memset", "void smem<4>(int)"})->kernel, "smem");
  EXPECT_EQ(choose_kernel("a", launches, {"renamed"})->kernel, "fill") << "none of those stated was counted";
}

TEST(ChooseKernel, KeepsNoTimeAndNothingThatWasNotAskedFor) {
  const auto chosen = choose_kernel("copy", parse_ncu_csv(test::recorded_output(), "x"), {"copy_row"});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->launches, 6);
  EXPECT_EQ(chosen->counters.count(kDurationMetric), 0u);
  EXPECT_EQ(chosen->counters.count("launch__registers_per_thread"), 0u);
  // The mean of the two in the middle of six.
  EXPECT_DOUBLE_EQ(chosen->counters.at("dram__bytes.sum.per_second"),
                   (1303496368038.74 + 1312762836185.82) / 2);
}

}  // namespace
}  // namespace tracker
