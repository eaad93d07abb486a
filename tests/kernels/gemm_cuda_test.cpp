#include <algorithm>

#include <gmock/gmock.h>

#include "kernels/cpu.hpp"
#include "tests/kernels/device.hpp"

namespace kernels::test {
namespace {

constexpr std::int64_t kTooLarge = std::int64_t{1} << 31;

TEST(GemmTable, NamesItsVariantsInOrder) {
  std::vector<std::string> names;
  for (const auto& variant : gemm_variants()) {
    names.emplace_back(variant.name);
    EXPECT_FALSE(variant.summary.empty()) << variant.name;
    EXPECT_GE(variant.requirements.compute_capability_min, 75) << variant.name;
  }
  EXPECT_THAT(names, testing::ElementsAre("naive", "coalesced", "smem", "tile_1d", "tile_2d", "cublas"));
}

// Inputs of one case, on the host and between guards on the device: a kernel that reads beside A or B gets
// NaN.
struct Inputs {
  std::vector<float> a;
  std::vector<float> b;
  std::vector<float> c;
  DeviceArray device_a;
  DeviceArray device_b;

  Inputs(const GemmCase& one, std::uint64_t seed)
      : a(static_cast<std::size_t>(one.m * one.k)),
        b(static_cast<std::size_t>(one.k * one.n)),
        c(static_cast<std::size_t>(one.m * one.n)),
        device_a(one.m * one.k),
        device_b(one.k * one.n) {
    const float low = has_few_results(one) ? 0.5F : -1.0F;
    fill_random(a, seed, low);
    fill_random(b, seed + 1, low);
    fill_random(c, seed + 2, low);
    device_a.upload(a);
    device_b.upload(b);
  }
};

class GemmCuda : public DeviceTest {
 protected:
  // Every variant on one case and one pair of factors. With beta = 0 it starts from NaN.
  void check_all(const GemmCase& one, const Factors& factors, const Inputs& inputs) {
    std::vector<float> start = inputs.c;
    if (factors.beta == 0) {
      fill_poison(start);
    }
    std::vector<float> expected = start;
    GemmProblem problem{.m = one.m, .n = one.n, .k = one.k, .alpha = factors.alpha, .beta = factors.beta};
    problem.a = inputs.a.data();
    problem.b = inputs.b.data();
    problem.c = expected.data();
    cpu::gemm_oracle(problem);
    problem.a = inputs.device_a.data();
    problem.b = inputs.device_b.data();
    DeviceArray out(one.m * one.n);
    problem.c = out.data();
    for (const auto& variant : gemm_variants()) {
      SCOPED_TRACE(variant.name);
      out.poison();
      out.upload(start);
      ASSERT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
      EXPECT_LE(relative_error(out.download(), expected), kGemmErrorMax);
      EXPECT_TRUE(out.guards_are_untouched());
    }
  }
};

TEST_F(GemmCuda, AgreesWithTheOracleForEveryShape) {
  SCOPED_TRACE(describe_seed());
  std::uint64_t seed = seed_of_this_run();
  for (const auto& one : gemm_cases()) {
    const Inputs inputs(one, seed);
    seed += 3;
    for (const auto& factors : kFactors) {
      if (has_few_results(one) && factors.alpha < 0) {
        continue;
      }
      SCOPED_TRACE(describe(one) + ", " + describe(factors));
      check_all(one, factors, inputs);
    }
  }
}

TEST_F(GemmCuda, ScalesWhenThereIsNothingToAdd) {
  const std::vector<float> start = {1, 2, 3, 4, 5, 6};
  DeviceArray out(6);
  for (const auto& variant : gemm_variants()) {
    SCOPED_TRACE(variant.name);
    GemmProblem problem{.m = 2, .n = 3, .k = 0, .alpha = 2, .beta = 0.5F, .c = out.data()};
    out.upload(start);
    ASSERT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
    EXPECT_THAT(out.download(), testing::ElementsAre(0.5F, 1, 1.5F, 2, 2.5F, 3));
    problem.beta = 0;
    out.poison();
    ASSERT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
    EXPECT_THAT(out.download(), testing::Each(0.0F));
    EXPECT_TRUE(out.guards_are_untouched());
  }
}

TEST_F(GemmCuda, LeavesAnEmptyResultAloneAndRefusesSizesItCannotCount) {
  DeviceArray out(16);
  for (const auto& variant : gemm_variants()) {
    SCOPED_TRACE(variant.name);
    for (const GemmCase& one : {GemmCase{0, 4, 4}, GemmCase{4, 0, 4}, GemmCase{0, 0, 0}}) {
      const GemmProblem problem{.m = one.m, .n = one.n, .k = one.k, .c = out.data()};
      EXPECT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
    }
    for (const GemmCase& one :
         {GemmCase{-1, 4, 4}, GemmCase{4, -1, 4}, GemmCase{4, 4, -1}, GemmCase{kTooLarge, 1, 1},
          GemmCase{1, kTooLarge, 1}, GemmCase{1, 1, kTooLarge}}) {
      const GemmProblem problem{.m = one.m, .n = one.n, .k = one.k, .c = out.data()};
      EXPECT_EQ(variant.launch(problem, stream_), cudaErrorInvalidValue) << describe(one);
    }
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(count_not_poison(out.download()), 0U);
}

}  // namespace
}  // namespace kernels::test
