#include "bench/cases.hpp"

#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace bench {
namespace {

TEST(Cases, NamesTellVariantTypeAndShape) {
  EXPECT_EQ(case_name("transpose", "naive_row", TransposeShape{2048, 1024}),
            "transpose/naive_row/f32/2048x1024");
  EXPECT_EQ(case_name("gemm", "tile_2d", GemmShape{1024, 512, 256}), "gemm/tile_2d/f32/1024x512x256");
  EXPECT_EQ(case_name("gemm", "wmma", GemmShape{1024, 512, 256}, "bf16"), "gemm/wmma/bf16/1024x512x256");
}

TEST(Cases, ShapesAreThoseOfTheProject) {
  std::set<std::string> names;
  for (const auto& shape : kTransposeShapes) names.insert(case_name("t", "v", shape));
  EXPECT_EQ(names, (std::set<std::string>{"t/v/f32/1024x1024", "t/v/f32/2048x2048", "t/v/f32/2048x1024",
                                          "t/v/f32/4000x4000", "t/v/f32/8192x8192", "t/v/f32/8191x4097"}));
  names.clear();
  for (const auto& shape : kGemmShapes) names.insert(case_name("g", "v", shape, "t"));
  EXPECT_EQ(names, (std::set<std::string>{"g/v/t/1024x1024x1024", "g/v/t/2048x2048x2048",
                                          "g/v/t/4096x4096x4096", "g/v/t/8192x8192x8192"}));
  names.clear();
  for (const auto& shape : kGemmShapes) names.insert(case_name("g", "v", shape));
  EXPECT_EQ(names, (std::set<std::string>{"g/v/f32/1024x1024x1024", "g/v/f32/2048x2048x2048",
                                          "g/v/f32/4096x4096x4096", "g/v/f32/8192x8192x8192"}));
}

TEST(Cases, SweptBlocksFitADeviceAndDiffer) {
  std::set<std::pair<int, int>> shapes;
  for (const auto& block : kSweptBlocks) {
    EXPECT_LE(block.x * block.y, 1024);
    EXPECT_TRUE(shapes.emplace(block.x, block.y).second) << block.x << "x" << block.y;
  }
  EXPECT_TRUE(shapes.contains({32, 8}));  // most variants' own
}

TEST(Cases, WorkOfALaunch) {
  EXPECT_EQ(bytes_per_launch({8192, 8192}), 536870912);  // 256 MiB in, 256 MiB out
  EXPECT_EQ(flops_per_launch({1024, 512, 256}), 268435456);
  EXPECT_EQ(flops_per_launch({100000, 100000, 100000}), 2e15);  // beyond 32 bits
}

TEST(Budget, FollowsTheWorkBetweenItsBounds) {
  const Budget budget{.work_per_s = 1e12, .seconds = 0.02, .launches_min = 10, .launches_max = 100};
  EXPECT_EQ(launches_per_repetition(1e9, budget), 20);
  EXPECT_EQ(launches_per_repetition(1e6, budget), 100);
  EXPECT_EQ(launches_per_repetition(1e12, budget), 10);
  EXPECT_EQ(launches_per_repetition(1, budget), 100);
}

// At a nominal rate, a repetition stays short; and a mean of few launches is only made of long ones.
TEST(Budget, BoundsARepetition) {
  for (const auto& shape : kTransposeShapes) {
    const double bytes = bytes_per_launch(shape);
    const auto launches = static_cast<double>(launches_per_repetition(bytes, kTransposeBudget));
    EXPECT_LE(launches * bytes / kTransposeBudget.work_per_s, 0.15) << shape.rows << "x" << shape.columns;
    EXPECT_GE(launches, 30) << shape.rows << "x" << shape.columns;
  }
  for (const auto& shape : kGemmShapes) {
    const double flops = flops_per_launch(shape);
    const auto launches = static_cast<double>(launches_per_repetition(flops, kGemmBudget));
    // Plain variants leave out what is larger; the others reach at least five times their rate.
    const double rate = shape.m > 4096 ? 5 * kGemmBudget.work_per_s : kGemmBudget.work_per_s;
    EXPECT_LE(launches * flops / rate, 0.15) << shape.m;
    EXPECT_GE(launches, 2) << shape.m;
  }
  for (const auto& shape : kGemmShapes) {
    const double flops = flops_per_launch(shape);
    const auto launches = static_cast<double>(launches_per_repetition(flops, kTensorGemmBudget));
    EXPECT_LE(launches * flops / kTensorGemmBudget.work_per_s, 0.15) << shape.m;
    EXPECT_GE(launches, 4) << shape.m;
  }
}

}  // namespace
}  // namespace bench
