#include <algorithm>
#include <bit>
#include <iterator>
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

// Beside the shapes that every family has: rows of whole vectors, and around the new tiles' sizes.
std::vector<MatrixShape> transpose_shapes() {
  std::vector<MatrixShape> shapes = matrix_shapes();
  const std::vector<MatrixShape> more = {
      {4, 4},      {64, 64},   {68, 132},    {132, 68},  {128, 64},  {192, 320}, {4, 2052},  {2052, 4},
      {57, 124},   {64, 125},  {65, 123},    {128, 248}, {2, 5},     {5, 2},     {3, 3},     {121, 372},
      {1028, 996}, {512, 511}, {1000, 1001}, {160, 777}, {777, 160}, {31, 4099}, {4099, 31}, {5, 3001},
      {3001, 9},   {33, 61},   {97, 122},    {103, 183}, {39, 247},  {90, 1001}};
  for (const MatrixShape& shape : more) {
    if (!is_quick() || shape.rows * shape.columns < kQuickElementsMax) {
      shapes.push_back(shape);
    }
  }
  // Each strip: several blocks, and ends inside a warp's columns, a vector and a sector.
  for (std::int64_t side = kStripSideMin; side <= kStripSideMax + 1; ++side) {
    shapes.push_back({side, 2051 + side});
    shapes.push_back({2051 + side, side});
  }
  return shapes;
}

std::vector<BlockShape> blocks_of(const TransposeVariant& variant) {
  if (variant.is_block_fixed) {
    return {variant.default_block};
  }
  return {std::begin(kBlocks), std::end(kBlocks)};
}

TEST(TransposeTable, NamesItsVariantsInOrder) {
  EXPECT_THAT(variant_names(),
              testing::ElementsAre("memcpy", "copy_vec4", "copy_vec4_stream", "copy_row", "copy_col",
                                   "naive_row", "naive_col", "naive_row_nol1", "naive_col_nol1",
                                   "unroll4_row", "unroll4_col", "unroll8_row", "unroll8_col", "diagonal_row",
                                   "diagonal_col", "smem", "smem_column_write", "smem_padded",
                                   "smem_unroll_padded", "vec4_tile", "vec4_short_tile", "vec4_tall_tile",
                                   "tma_tile", "shifted_tile", "shifted_short_tile", "shifted_tall_tile",
                                   "shifted_wide_tile", "quad_tile", "strip", "best"));
  for (const auto& variant : transpose_variants()) {
    EXPECT_EQ(variant.is_copy, variant.name == "memcpy" || variant.name.starts_with("copy_")) << variant.name;
    EXPECT_FALSE(variant.summary.empty()) << variant.name;
    EXPECT_GE(variant.requirements.compute_capability_min, 75) << variant.name;
  }
}

TEST(TransposeTable, TakesWhatTheAlignmentAllows) {
  const auto* vectors = reinterpret_cast<float*>(std::uintptr_t{64});
  auto* out = reinterpret_cast<float*>(std::uintptr_t{128});
  EXPECT_TRUE(has_vector_rows({vectors, out, 8, 4}));
  EXPECT_FALSE(has_vector_rows({vectors, out, 8, 5}));
  EXPECT_FALSE(has_vector_rows({vectors, out, 7, 4}));
  EXPECT_FALSE(has_vector_rows({vectors + 1, out, 8, 4}));
  EXPECT_FALSE(has_vector_rows({vectors, out + 2, 8, 4}));
  EXPECT_TRUE(has_vector_rows({vectors + 1, out, 0, 5}));
  EXPECT_TRUE(has_vector_pointers({vectors, out, 7, 5}));
  EXPECT_FALSE(has_vector_pointers({vectors + 2, out, 8, 4}));
  EXPECT_FALSE(has_vector_pointers({vectors, out + 3, 8, 4}));
  for (const auto& variant : transpose_variants()) {
    EXPECT_TRUE(can_take(variant, {vectors, out, 16, 64})) << variant.name;
  }
  EXPECT_TRUE(can_take(variant_named("strip"), {vectors, out, 24, 1000}));
  EXPECT_TRUE(can_take(variant_named("strip"), {vectors, out, 1000, 2}));
  EXPECT_FALSE(can_take(variant_named("strip"), {vectors, out, 25, 25}));
  EXPECT_FALSE(can_take(variant_named("strip"), {vectors, out, 1, 17}));
  EXPECT_TRUE(can_take(variant_named("best"), {vectors + 1, out + 3, 7, 5}));
}

TEST(TransposeTable, BestTakesTheVariantThatSuitsTheShape) {
  constexpr std::int64_t kMultiprocessors = 132;
  struct Row {
    std::int64_t rows;
    std::int64_t columns;
    int offset;  // of the input, in floats
    std::string_view variant;
  };
  const auto* vectors = reinterpret_cast<float*>(std::uintptr_t{64});
  auto* out = reinterpret_cast<float*>(std::uintptr_t{128});
  for (const Row& row : {Row{1, 1000, 0, "copy_vec4"},
                         {1000, 1, 0, "copy_vec4"},
                         {1, 1000, 1, "memcpy"},
                         {2, 5000, 0, "strip"},
                         {7, 5000, 0, "strip"},
                         {5000, 7, 0, "strip"},
                         {12, 5000, 0, "strip"},
                         {20, 5000, 0, "vec4_short_tile"},
                         {100000, 64, 0, "vec4_tile"},
                         {1024, 1024, 0, "vec4_short_tile"},
                         {2048, 1024, 0, "vec4_tile"},
                         {2048, 2048, 0, "vec4_short_tile"},
                         {4000, 4000, 0, "vec4_tall_tile"},
                         {5000, 3000, 0, "vec4_tile"},
                         {8192, 8192, 0, "vec4_tile"},
                         {8188, 4100, 0, "shifted_tall_tile"},
                         {1024, 1024, 1, "shifted_short_tile"},
                         {1519, 1358, 0, "shifted_short_tile"},
                         {33, 1000003, 0, "shifted_wide_tile"},
                         {65, 500001, 0, "shifted_tall_tile"},
                         {500000, 65, 0, "shifted_tile"},
                         {500001, 16, 0, "strip"},
                         {500001, 20, 0, "strip"},
                         {100000, 20, 0, "vec4_tile"},
                         {2689, 2427, 0, "shifted_tile"},
                         {8191, 4097, 0, "shifted_tall_tile"}}) {
    SCOPED_TRACE(testing::Message() << row.rows << " x " << row.columns << " from " << row.offset);
    const auto [variant, block] =
        choose_transpose({vectors + row.offset, out, row.rows, row.columns}, kMultiprocessors);
    ASSERT_NE(variant, nullptr);
    EXPECT_EQ(variant->name, row.variant);
    EXPECT_EQ(block, variant->default_block);
  }
}

// A device that is too old for the variant has nothing to show.
class TransposeDeviceTest : public DeviceTest {
 protected:
  void SetUpFor(const TransposeVariant& variant) {
    DeviceTest::SetUp();
    if (!IsSkipped() && compute_capability() < variant.requirements.compute_capability_min) {
      GTEST_SKIP() << "needs compute capability " << variant.requirements.compute_capability_min;
    }
  }

 private:
  static int compute_capability() {
    int major = 0;
    int minor = 0;
    require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "cudaDeviceGetAttribute");
    require(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "cudaDeviceGetAttribute");
    return major * 10 + minor;
  }
};

class TransposeCuda : public TransposeDeviceTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override { SetUpFor(variant_); }

  // Launches on an input of its own; the output is either right or, for what the variant does not take, as
  // it was.
  void expect_right_or_refused(const MatrixShape& shape, const BlockShape& block, std::uint64_t seed,
                               std::int64_t in_offset, std::int64_t out_offset) {
    const std::int64_t count = shape.rows * shape.columns;
    DeviceArray in(count + in_offset);
    DeviceArray out(count + out_offset);
    std::vector<float> host_in(static_cast<std::size_t>(in.count()));
    fill_random(host_in, seed);
    in.upload(host_in);
    const TransposeProblem problem{in.data() + in_offset, out.data() + out_offset, shape.rows, shape.columns};
    const auto launched = static_cast<cudaError_t>(variant_.launch(problem, block, stream_));
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    if (!can_take(variant_, problem)) {
      EXPECT_EQ(launched, cudaErrorNotSupported);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_EQ(count_not_poison(out.download()), 0U);
      return;
    }
    ASSERT_EQ(finish(launched), cudaSuccess);
    const std::vector<float> moved(host_in.begin() + in_offset, host_in.end());
    std::vector<float> expected = moved;
    if (!variant_.is_copy) {
      cpu::transpose_oracle({moved.data(), expected.data(), shape.rows, shape.columns});
    }
    const std::vector<float> written = out.download();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), written.begin() + out_offset));
    EXPECT_EQ(count_not_poison({written.data(), static_cast<std::size_t>(out_offset)}), 0U);
    EXPECT_TRUE(out.guards_are_untouched());
  }

  const TransposeVariant& variant_ = variant_named(GetParam());
};

TEST_P(TransposeCuda, IsRightForEveryShapeAndBlock) {
  SCOPED_TRACE(describe_seed());
  std::uint64_t seed = seed_of_this_run();
  for (const auto& shape : transpose_shapes()) {
    SCOPED_TRACE(describe(shape));
    for (const BlockShape& block : blocks_of(variant_)) {
      SCOPED_TRACE(describe(block));
      ASSERT_NO_FATAL_FAILURE(expect_right_or_refused(shape, block, seed++, 0, 0));
    }
  }
}

TEST_P(TransposeCuda, IsRightWhereverTheMatricesBegin) {
  SCOPED_TRACE(describe_seed());
  std::uint64_t seed = seed_of_this_run();
  for (const MatrixShape& shape :
       {MatrixShape{68, 132}, MatrixShape{131, 67}, MatrixShape{70, 126}, MatrixShape{1, 9},
        MatrixShape{9, 1}, MatrixShape{3, 2}, MatrixShape{5, 301}, MatrixShape{6, 302}, MatrixShape{301, 5},
        MatrixShape{302, 6}}) {
    SCOPED_TRACE(describe(shape));
    for (std::int64_t offset = 1; offset < 64; offset = offset < 4 ? offset + 1 : 3 * offset + 1) {
      SCOPED_TRACE("offset " + std::to_string(offset));
      const BlockShape block = variant_.default_block;
      ASSERT_NO_FATAL_FAILURE(expect_right_or_refused(shape, block, seed++, offset, 0));
      ASSERT_NO_FATAL_FAILURE(expect_right_or_refused(shape, block, seed++, 0, offset));
      ASSERT_NO_FATAL_FAILURE(expect_right_or_refused(shape, block, seed++, offset, 2 * offset + 1));
    }
  }
}

// A launch may begin early, but neither reads nor writes before the one before it on the stream has ended.
// Each turns what the last one left, so that a result that came too early shows.
TEST_P(TransposeCuda, WaitsForTheLaunchBefore) {
  SCOPED_TRACE(describe_seed());
  constexpr int kLaunches = 20;
  for (const MatrixShape& shape : {MatrixShape{512, 384}, MatrixShape{515, 1021}, MatrixShape{65, 4000},
                                   MatrixShape{4001, 33}, MatrixShape{5, 40001}, MatrixShape{40001, 11}}) {
    SCOPED_TRACE(describe(shape));
    const std::int64_t count = shape.rows * shape.columns;
    DeviceArray first(count);
    DeviceArray second(count);
    std::vector<float> expected(static_cast<std::size_t>(count));
    fill_random(expected, seed_of_this_run());
    first.upload(expected);
    if (!can_take(variant_, {first.data(), second.data(), shape.rows, shape.columns})) {
      continue;
    }
    int launched = cudaSuccess;
    for (int i = 0; i < kLaunches && launched == cudaSuccess; ++i) {
      const TransposeProblem problem{(i % 2 == 0 ? first : second).data(),
                                     (i % 2 == 0 ? second : first).data(), shape.rows, shape.columns};
      launched = variant_.launch(problem, variant_.default_block, stream_);
    }
    ASSERT_EQ(finish(launched), cudaSuccess);
    for (int i = 0; i < kLaunches && !variant_.is_copy; ++i) {
      const std::vector<float> before = expected;
      cpu::transpose_oracle({before.data(), expected.data(), shape.rows, shape.columns});
    }
    EXPECT_EQ(first.download(), expected);
  }
}

TEST_P(TransposeCuda, RefusesBlocksItCannotRun) {
  const MatrixShape shape{64, 48};
  DeviceArray in(shape.rows * shape.columns);
  DeviceArray out(in.count());
  fill_hashed_on_device(in.data(), in.count(), 1);
  const TransposeProblem problem{in.data(), out.data(), shape.rows, shape.columns};
  std::vector<BlockShape> bad(std::begin(kBadBlocks), std::end(kBadBlocks));
  if (variant_.is_block_fixed) {
    std::ranges::copy_if(kBlocks, std::back_inserter(bad),
                         [&](const BlockShape& block) { return block != variant_.default_block; });
  }
  for (const BlockShape& block : bad) {
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
  if (variant_.name == "smem_unroll_padded" || variant_.is_block_fixed) {
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

// More than 2³¹ bytes a matrix; more than 2³¹ elements; lines longer than a launch's panel of 2³⁰. Then the
// last two of rows that are whole vectors.
constexpr HugeShape kHugeShapes[] = {{"bytes", {23999, 23001}},
                                     {"elements", {46349, 46337}},
                                     {"one_row", {1, (std::int64_t{1} << 30) + 4099}},
                                     {"one_column", {(std::int64_t{1} << 30) + 4099, 1}},
                                     {"vectors", {46352, 46348}},
                                     {"vector_rows", {4, (std::int64_t{1} << 30) + 4100}},
                                     {"vector_columns", {(std::int64_t{1} << 30) + 4100, 4}}};

constexpr std::size_t kSlackBytes = std::size_t{256} << 20;  // what the checks and the runtime take

class TransposeCudaHuge : public TransposeDeviceTest,
                          public testing::WithParamInterface<std::tuple<std::string, HugeShape>> {
 protected:
  void SetUp() override { SetUpFor(variant_named(std::get<0>(GetParam()))); }
};

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
  const int launched = variant.launch(problem, variant.default_block, stream_);
  if (!can_take(variant, problem)) {
    EXPECT_EQ(launched, cudaErrorNotSupported);
    return;
  }
  ASSERT_EQ(finish(launched), cudaSuccess);
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
