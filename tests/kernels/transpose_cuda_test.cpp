#include <algorithm>
#include <bit>
#include <tuple>

#include <gmock/gmock.h>

#include "kernels/cpu.hpp"
#include "tests/kernels/device.hpp"

namespace kernels::test {
namespace {

std::string describe(const BlockShape& block) {
  return "block " + std::to_string(block.x) + "x" + std::to_string(block.y);
}

std::vector<std::string> variant_names() {
  std::vector<std::string> names;
  for (const auto& variant : transpose_variants()) {
    names.emplace_back(variant.name);
  }
  return names;
}

const TransposeVariant& variant_named(const std::string& name) {
  return *std::ranges::find(transpose_variants(), name, &TransposeVariant::name);
}

// Usual ones, extreme ones, and some that divide nothing.
constexpr BlockShape kBlocks[] = {{32, 8},  {8, 8}, {32, 32}, {8, 32}, {256, 1}, {1, 256},
                                  {16, 16}, {1, 1}, {33, 7},  {5, 3},  {1024, 1}};

constexpr BlockShape kBadBlocks[] = {{0, 1},   {1, 0},    {0, 0},    {-1, 4},        {-32, -8},
                                     {33, 32}, {1025, 1}, {1, 1025}, {65536, 65536}, {1 << 30, 4}};

TEST(TransposeTable, NamesItsVariantsInOrder) {
  EXPECT_THAT(variant_names(),
              testing::ElementsAre("copy_row", "copy_col", "naive_row", "naive_col", "naive_row_nol1",
                                   "naive_col_nol1", "unroll4_row", "unroll4_col", "unroll8_row",
                                   "unroll8_col", "diagonal_row", "diagonal_col", "smem", "smem_column_write",
                                   "smem_padded", "smem_unroll_padded"));
  for (const auto& variant : transpose_variants()) {
    EXPECT_EQ(variant.is_copy, variant.name.starts_with("copy_")) << variant.name;
    EXPECT_FALSE(variant.summary.empty()) << variant.name;
    EXPECT_GE(variant.requirements.compute_capability_min, 75) << variant.name;
  }
}

class TransposeCuda : public DeviceTest, public testing::WithParamInterface<std::string> {
 protected:
  const TransposeVariant& variant_ = variant_named(GetParam());
};

TEST_P(TransposeCuda, IsRightForEveryShapeAndBlock) {
  SCOPED_TRACE(describe_seed());
  std::uint64_t seed = seed_of_this_run();
  for (const auto& shape : matrix_shapes()) {
    SCOPED_TRACE(describe(shape));
    std::vector<float> host_in(static_cast<std::size_t>(shape.rows * shape.columns));
    std::vector<float> expected(host_in.size());
    DeviceArray in(shape.rows * shape.columns);
    DeviceArray out(in.count());
    for (const BlockShape& block : kBlocks) {
      SCOPED_TRACE(describe(block));
      fill_random(host_in, seed++);
      in.upload(host_in);
      out.poison();
      if (variant_.is_copy) {
        expected = host_in;
      } else {
        cpu::transpose_oracle({host_in.data(), expected.data(), shape.rows, shape.columns});
      }
      const TransposeProblem problem{in.data(), out.data(), shape.rows, shape.columns};
      ASSERT_EQ(finish(variant_.launch(problem, block, stream_)), cudaSuccess);
      EXPECT_TRUE(out.download() == expected);
      EXPECT_TRUE(out.guards_are_untouched());
    }
  }
}

TEST_P(TransposeCuda, RefusesBlocksItCannotRun) {
  const MatrixShape shape{64, 48};
  DeviceArray in(shape.rows * shape.columns);
  DeviceArray out(in.count());
  fill_hashed_on_device(in.data(), in.count(), 1);
  const TransposeProblem problem{in.data(), out.data(), shape.rows, shape.columns};
  for (const BlockShape& block : kBadBlocks) {
    EXPECT_EQ(variant_.launch(problem, block, stream_), cudaErrorInvalidValue) << describe(block);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << describe(block);
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(count_not_poison(out.download()), 0U);
}

TEST_P(TransposeCuda, RunsOrRefusesTheTallestBlock) {
  const MatrixShape shape{2051, 5};
  const BlockShape block{1, 1024};
  DeviceArray in(shape.rows * shape.columns);
  DeviceArray out(in.count());
  fill_hashed_on_device(in.data(), in.count(), 1);
  const int launched = variant_.launch({in.data(), out.data(), shape.rows, shape.columns}, block, stream_);
  // Two padded tiles of 4096 rows are 64 KiB of shared memory: more than every device has.
  if (variant_.name == "smem_unroll_padded") {
    EXPECT_EQ(launched, cudaErrorInvalidValue);
    return;
  }
  ASSERT_EQ(finish(launched), cudaSuccess);
  EXPECT_EQ(count_wrong_on_device(out.data(), shape, variant_.is_copy, 1), 0U);
  EXPECT_TRUE(out.guards_are_untouched());
}

TEST_P(TransposeCuda, LeavesEmptyMatricesAlone) {
  DeviceArray out(16);
  for (const MatrixShape& shape : {MatrixShape{0, 0}, MatrixShape{0, 5}, MatrixShape{5, 0}}) {
    const TransposeProblem problem{nullptr, out.data(), shape.rows, shape.columns};
    EXPECT_EQ(finish(variant_.launch(problem, variant_.default_block, stream_)), cudaSuccess);
  }
  const TransposeProblem negative{nullptr, out.data(), -1, 5};
  EXPECT_EQ(variant_.launch(negative, variant_.default_block, stream_), cudaErrorInvalidValue);
  EXPECT_EQ(count_not_poison(out.download()), 0U);
}

INSTANTIATE_TEST_SUITE_P(Each, TransposeCuda, testing::ValuesIn(variant_names()),
                         [](const auto& param_info) { return param_info.param; });

struct HugeShape {
  const char* name;
  MatrixShape shape;
};

// More than 2³¹ bytes a matrix; more than 2³¹ elements; lines longer than a launch's panel of 2³⁰.
constexpr HugeShape kHugeShapes[] = {{"bytes", {23999, 23001}},
                                     {"elements", {46349, 46337}},
                                     {"one_row", {1, (std::int64_t{1} << 30) + 4099}},
                                     {"one_column", {(std::int64_t{1} << 30) + 4099, 1}}};

constexpr std::size_t kSlackBytes = std::size_t{256} << 20;  // what the checks and the runtime take

class TransposeCudaHuge : public DeviceTest,
                          public testing::WithParamInterface<std::tuple<std::string, HugeShape>> {};

TEST_P(TransposeCudaHuge, IsRight) {
  if (is_quick()) {
    GTEST_SKIP() << "TRACKER_TEST_QUICK=1";
  }
  const auto& [name, huge] = GetParam();
  const auto& variant = variant_named(name);
  const MatrixShape& shape = huge.shape;
  const std::int64_t count = shape.rows * shape.columns;
  const std::size_t needed_bytes = 2 * DeviceArray::bytes_needed(count) + kSlackBytes;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  require(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
  if (free_bytes < needed_bytes) {
    GTEST_SKIP() << "needs " << needed_bytes << " bytes of GPU memory, free are " << free_bytes;
  }
  const auto seed = static_cast<std::uint32_t>(seed_of_this_run());
  SCOPED_TRACE(describe_seed());
  DeviceArray in(count);
  DeviceArray out(count);
  fill_hashed_on_device(in.data(), count, seed);
  const TransposeProblem problem{in.data(), out.data(), shape.rows, shape.columns};
  ASSERT_EQ(finish(variant.launch(problem, variant.default_block, stream_)), cudaSuccess);
  EXPECT_EQ(count_wrong_on_device(out.data(), shape, variant.is_copy, seed), 0U);
  EXPECT_TRUE(out.guards_are_untouched());
}

INSTANTIATE_TEST_SUITE_P(Each, TransposeCudaHuge,
                         testing::Combine(testing::ValuesIn(variant_names()), testing::ValuesIn(kHugeShapes)),
                         [](const auto& param_info) {
                           return std::get<0>(param_info.param) + "_" + std::get<1>(param_info.param).name;
                         });

}  // namespace
}  // namespace kernels::test
