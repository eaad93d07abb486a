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
    if (variant.name != "thin") {  // it does no more than sliced_k at the shapes of the benchmarks
      EXPECT_GE(variant.measured_side_max, 1024) << variant.name;
    }
  }
  EXPECT_THAT(names, testing::ElementsAre(
                         "naive", "coalesced", "smem", "tile_1d", "tile_2d", "tile_2d_vector", "warp_tile",
                         "async", "async_pair", "sliced_k", "sliced_k_small", "sliced_k_tiny",
                         "sliced_k_narrow", "sliced_k_deep", "sliced_k_pair", "sliced_k_48x64",
                         "sliced_k_64x48", "sliced_k_96x32", "sliced_k_128x24", "sliced_k_24x128", "short_k",
                         "short_k_wide", "split_k", "thin", "best", "cublas"));
}

// Those that the device can run.
std::vector<GemmVariant> runnable_variants() {
  int device = 0;
  int major = 0;
  int minor = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "compute capability");
  require(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "compute capability");
  const int capability = major * 10 + minor;
  std::vector<GemmVariant> variants;
  for (const auto& variant : gemm_variants()) {
    if (capability >= variant.requirements.compute_capability_min &&
        capability <= variant.requirements.compute_capability_max) {
      variants.push_back(variant);
    }
  }
  return variants;
}

// Beside the shapes of all kernels: whole tiles of every variant, vectors that end inside a tile, k below, at
// and past the depth of a tile, a matrix narrower than a tile.
std::vector<GemmCase> tile_cases() {
  const std::vector<GemmCase> all = {
      {256, 512, 128},
      {128, 256, 16},
      {128, 256, 15},
      {131, 260, 17},
      {200, 388, 129},
      {64, 128, 64},
      {70, 252, 31},
      {5, 1028, 300},
      {1100, 1288, 70},
      // split along k, in parts of even and uneven depths; odd n; thin
      {64, 64, 20011},
      {65, 131, 4099},
      {300, 300, 3000},
      {2049, 301, 130},
      {1, 515, 3000},
      {7, 260, 1999},
      {16, 140, 600},
      {515, 1, 3001},
      {70, 9, 2048},
      {33, 16, 700},
      {3, 515, 400},
      {8, 390, 9000},
      {700, 8, 900},
      // small tiles of many blocks: a short k, its steps a few more than a tile's
      {200, 390, 9},
      {129, 260, 43},
      // few columns: a tile of 16, moved inside or narrower
      {200, 16, 70},
      {130, 20, 65},
      {90, 37, 700},
      {700, 11, 3000},
      // between 17 and 60 rows or columns: tiles of 24, 32 and 48, whole, moved inside or narrower
      {300, 24, 256},
      {24, 300, 256},
      {299, 22, 1001},
      {22, 301, 1001},
      {500, 52, 131},
      {69, 400, 330},
      {96, 32, 700},
      {128, 48, 65},
      {97, 25, 2049},
      // few columns of a long k, shared by warps of a block
      {9, 1, 40000},
      {33, 5, 2500}};
  std::vector<GemmCase> cases;
  for (const auto& one : all) {
    if (!is_quick() || one.m * one.n < kQuickElementsMax) {
      cases.push_back(one);
    }
  }
  return cases;
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
  void check_all(const GemmCase& one, const Factors& factors, const Inputs& inputs) const {
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
    for (const auto& variant : runnable_variants()) {
      SCOPED_TRACE(variant.name);
      out.poison();
      out.upload(start);
      ASSERT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
      EXPECT_LE(relative_error(out.download(), expected), kGemmErrorMax);
      EXPECT_TRUE(out.guards_are_untouched());
    }
  }

  void check_cases(const std::vector<GemmCase>& cases) const {
    SCOPED_TRACE(describe_seed());
    std::uint64_t seed = seed_of_this_run();
    for (const auto& one : cases) {
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
};

TEST_F(GemmCuda, AgreesWithTheOracleForEveryShape) {
  check_cases(gemm_cases());
}

TEST_F(GemmCuda, AgreesWithTheOracleAroundTheTiles) {
  check_cases(tile_cases());
}

// Whole tiles, so that only the alignment rules vectors out: A, B and C in turn start a float late.
TEST_F(GemmCuda, TakesUnalignedMatrices) {
  const GemmCase one{128, 256, 64};
  const std::uint64_t seed = seed_of_this_run();
  SCOPED_TRACE(describe_seed());
  const Inputs inputs(one, seed);
  std::vector<float> expected(inputs.c.size());
  GemmProblem problem{.m = one.m, .n = one.n, .k = one.k};
  problem.a = inputs.a.data();
  problem.b = inputs.b.data();
  problem.c = expected.data();
  cpu::gemm_oracle(problem);
  const auto late = [](const std::vector<float>& values) {
    std::vector<float> shifted(values.size() + 1, 0.0F);
    std::copy(values.begin(), values.end(), shifted.begin() + 1);
    return shifted;
  };
  DeviceArray late_a(one.m * one.k + 1);
  DeviceArray late_b(one.k * one.n + 1);
  DeviceArray out(one.m * one.n + 1);
  late_a.upload(late(inputs.a));
  late_b.upload(late(inputs.b));
  for (const auto& variant : runnable_variants()) {
    for (int matrix = 0; matrix < 3; ++matrix) {
      SCOPED_TRACE(std::string(variant.name) + ", matrix " + std::to_string(matrix));
      problem.a = matrix == 0 ? late_a.data() + 1 : inputs.device_a.data();
      problem.b = matrix == 1 ? late_b.data() + 1 : inputs.device_b.data();
      problem.c = out.data() + (matrix == 2 ? 1 : 0);
      out.poison();
      ASSERT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
      const std::vector<float> all = out.download();
      const auto begin = all.begin() + (matrix == 2 ? 1 : 0);
      EXPECT_LE(relative_error(std::vector<float>(begin, begin + one.m * one.n), expected), kGemmErrorMax);
      EXPECT_EQ(count_not_poison({matrix == 2 ? &all.front() : &all.back(), 1}), 0U);
      EXPECT_TRUE(out.guards_are_untouched());
    }
  }
}

// A launch may begin before the one in front of it has ended: it must not read what that one writes, nor
// write what that one reads.
TEST_F(GemmCuda, WaitsForTheLaunchBefore) {
  SCOPED_TRACE(describe_seed());
  const GemmCase first{300, 210, 900};
  const GemmCase second{300, 170, 210};
  const Inputs one(first, seed_of_this_run());
  const Inputs other(first, seed_of_this_run() + 3);
  const Inputs factor(second, seed_of_this_run() + 6);
  DeviceArray between(first.m * first.n);
  DeviceArray out(second.m * second.n);
  DeviceArray other_out(second.m * second.n);
  const auto expected_of = [&](const Inputs& inputs) {
    std::vector<float> product(inputs.c.size());
    cpu::gemm_oracle({.m = first.m,
                      .n = first.n,
                      .k = first.k,
                      .a = inputs.a.data(),
                      .b = inputs.b.data(),
                      .c = product.data()});
    std::vector<float> result(factor.c.size());
    cpu::gemm_oracle({.m = second.m,
                      .n = second.n,
                      .k = second.k,
                      .a = product.data(),
                      .b = factor.b.data(),
                      .c = result.data()});
    return result;
  };
  const std::vector<float> expected = expected_of(one);
  const std::vector<float> other_expected = expected_of(other);
  for (const auto& variant : runnable_variants()) {
    SCOPED_TRACE(variant.name);
    const auto chain = [&](const Inputs& inputs, DeviceArray& to) {
      int error = variant.launch({.m = first.m,
                                  .n = first.n,
                                  .k = first.k,
                                  .a = inputs.device_a.data(),
                                  .b = inputs.device_b.data(),
                                  .c = between.data()},
                                 stream_);
      if (error == cudaSuccess)
        error = variant.launch({.m = second.m,
                                .n = second.n,
                                .k = second.k,
                                .a = between.data(),
                                .b = factor.device_b.data(),
                                .c = to.data()},
                               stream_);
      return error;
    };
    for (int round = 0; round < 10; ++round) {
      ASSERT_EQ(chain(one, out), cudaSuccess);
      ASSERT_EQ(chain(other, other_out), cudaSuccess);
    }
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_LE(relative_error(out.download(), expected), kGemmErrorMax);
    EXPECT_LE(relative_error(other_out.download(), other_expected), kGemmErrorMax);
  }
}

// After a first launch, a variant allocates nothing and waits for nothing: a graph holds it.
TEST_F(GemmCuda, RunsFromAGraph) {
  const GemmCase one{200, 388, 129};
  const Inputs inputs(one, seed_of_this_run());
  DeviceArray out(one.m * one.n);
  const GemmProblem problem{.m = one.m,
                            .n = one.n,
                            .k = one.k,
                            .a = inputs.device_a.data(),
                            .b = inputs.device_b.data(),
                            .c = out.data()};
  for (const auto& variant : runnable_variants()) {
    SCOPED_TRACE(variant.name);
    ASSERT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
    const std::vector<float> expected = out.download();
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    const int launched = variant.launch(problem, stream_);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    ASSERT_EQ(launched, cudaSuccess);
    cudaGraphExec_t runnable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&runnable, graph, 0), cudaSuccess);
    out.poison();
    ASSERT_EQ(cudaGraphLaunch(runnable, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_EQ(out.download(), expected);  // bit by bit: the order of additions is fixed
    ASSERT_EQ(cudaGraphExecDestroy(runnable), cudaSuccess);
    ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
}

TEST_F(GemmCuda, ScalesWhenThereIsNothingToAdd) {
  const std::vector<float> start = {1, 2, 3, 4, 5, 6};
  DeviceArray out(6);
  for (const auto& variant : runnable_variants()) {
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
  for (const auto& variant : runnable_variants()) {
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
