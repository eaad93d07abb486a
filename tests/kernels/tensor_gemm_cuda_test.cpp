#include <algorithm>
#include <bit>

#include <gmock/gmock.h>

#include "kernels/cpu.hpp"
#include "tests/kernels/device.hpp"

namespace kernels::test {
namespace {

constexpr std::int64_t kTooLargeForTensor = std::int64_t{1} << 31;

// Of inputs in [-1, 1): an element may be off by `relative` of itself, for the rounding of the result, and by
// `per_term` for each of its k terms, for the accumulation in float32 in whatever order. TensorInputs are
// rounded to the type before, so that their products are exact.
struct Bound {
  double relative;
  double per_term;
};

Bound bound_of(TensorType type) {
  constexpr double kPerTerm = 1e-6;
  return type == TensorType::kBf16 ? Bound{0x1p-8, kPerTerm} : Bound{0x1p-23, kPerTerm};
}

// Tiles and parts of them, rows that are not aligned to 16 bytes, more tiles than a chip has multiprocessors,
// more than a grid's y can count, and every remainder of k by what the kernels take at a time.
std::vector<GemmCase> tensor_cases() {
  std::vector<GemmCase> all = {
      {1, 1, 1},
      {1, 1, 1000},
      {5, 3, 7},
      {16, 16, 16},
      {31, 33, 32},
      {64, 48, 8},
      {127, 255, 65},
      {128, 256, 64},
      {129, 257, 128},
      {130, 136, 72},
      {136, 130, 200},
      {256, 256, 1000},
      {1000, 1, 100},
      {1, 1000, 100},
      {640, 384, 999},
      {1023, 1025, 67},
      {2056, 4136, 72},
      {2048, 4096, 33},
      {3, 100003, 5},
      {100003, 3, 5},
      {72, 100003, 8},
      {100003, 72, 8},
      {3072, 2048, 136},
      // split along k, few rows or columns, many tiles of one step
      {64, 64, 20000},
      {256, 250, 8192},
      {16, 1030, 2056},
      {1030, 16, 2056},
      {130, 4100, 1000},
      {2050, 2047, 64},
      {300, 300, 3001},
  };
  for (std::int64_t k = 2; k <= 34; k += 4) {
    all.push_back({97, 161, k});
  }
  std::erase_if(all, [](const GemmCase& one) { return is_quick() && one.m * one.n >= kQuickElementsMax; });
  return all;
}

std::vector<float> random_values(std::int64_t count, std::uint64_t seed, TensorType type) {
  std::vector<float> values(static_cast<std::size_t>(count));
  fill_random(values, seed);
  for (float& value : values) {
    value = type == TensorType::kBf16 ? from_bf16(to_bf16(value)) : rounded_to_tf32(value);
  }
  return values;
}

// `count` elements of the type on the device, poisoned and between guards; floats on the host.
class TensorArray {
 public:
  TensorArray(std::int64_t count, TensorType type)
      : count_(static_cast<std::size_t>(count)),
        is_half_(type == TensorType::kBf16),
        words_(is_half_ ? (count + 1) / 2 : count) {}

  float* data() const { return words_.data(); }
  void poison() { words_.poison(); }

  void upload(const std::vector<float>& values) {
    if (!is_half_) {
      words_.upload(values);
      return;
    }
    std::vector<float> words((values.size() + 1) / 2);
    fill_poison(words);
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto halves = std::bit_cast<Halves>(words[i / 2]);
      halves[i % 2] = to_bf16(values[i]);
      words[i / 2] = std::bit_cast<float>(halves);
    }
    words_.upload(words);
  }

  std::vector<float> download() const {
    const std::vector<float> words = words_.download();
    if (!is_half_) {
      return words;
    }
    std::vector<float> values;
    values.reserve(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      values.push_back(from_bf16(std::bit_cast<Halves>(words[i / 2])[i % 2]));
    }
    return values;
  }

  // Also the half of a word that an odd number of elements leaves over.
  bool guards_are_untouched() const {
    const bool has_rest = is_half_ && count_ % 2 == 1;
    const bool rest_is_poison =
        !has_rest || std::bit_cast<Halves>(words_.download().back())[1] == kPoisonBits >> 16;
    return rest_is_poison && words_.guards_are_untouched();
  }

 private:
  using Halves = std::array<std::uint16_t, 2>;

  std::size_t count_;
  bool is_half_;
  DeviceArray words_;
};

// A and B of one case on the device, between guards, and the product in double.
struct TensorInputs {
  TensorArray a;
  TensorArray b;
  std::vector<float> expected;

  TensorInputs(const GemmCase& one, TensorType type, std::uint64_t seed)
      : TensorInputs(one, type, random_values(one.m * one.k, seed, type),
                     random_values(one.n * one.k, seed + 1, type)) {}

  TensorInputs(const GemmCase& one, TensorType type, const std::vector<float>& host_a,
               const std::vector<float>& host_b)
      : a(one.m * one.k, type), b(one.n * one.k, type), expected(static_cast<std::size_t>(one.m * one.n)) {
    a.upload(host_a);
    b.upload(host_b);
    cpu::tensor_gemm_oracle({one.m, one.n, one.k, host_a.data(), host_b.data(), expected.data()});
  }

  TensorGemmProblem problem(const GemmCase& one, const TensorArray& c) const {
    return {.m = one.m, .n = one.n, .k = one.k, .a = a.data(), .b = b.data(), .c = c.data()};
  }
};

std::vector<std::string> names_of(TensorType type) {
  std::vector<std::string> names;
  for (const auto& variant : tensor_gemm_variants()) {
    if (variant.type == type) {
      names.emplace_back(variant.name);
    }
  }
  return names;
}

TEST(TensorTable, NamesItsVariantsInOrder) {
  EXPECT_THAT(names_of(TensorType::kBf16),
              testing::ElementsAre("wmma", "mma_sync", "wgmma_tma", "wgmma_roles", "wgmma_cluster", "wgmma",
                                   "wgmma_plans", "best", "cublas"));
  EXPECT_THAT(names_of(TensorType::kTf32),
              testing::ElementsAre("mma_sync", "wgmma_tma", "wgmma", "wgmma_plans", "best", "cublas"));
  EXPECT_EQ(name_of(TensorType::kBf16), "bf16");
  EXPECT_EQ(name_of(TensorType::kTf32), "tf32");
  for (const auto& variant : tensor_gemm_variants()) {
    EXPECT_FALSE(variant.summary.empty()) << variant.name;
    EXPECT_GE(variant.requirements.compute_capability_min, 80) << variant.name;
  }
}

class TensorCuda : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!IsSkipped()) {
      int major = 0;
      int minor = 0;
      require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "attribute");
      require(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "attribute");
      capability_ = major * 10 + minor;
    }
  }

  // Calls `check` with every variant of the type that the device can run.
  template <typename Check>
  void for_each_variant(TensorType type, const Check& check) const {
    for (const auto& variant : tensor_gemm_variants()) {
      const Requirements& needs = variant.requirements;
      if (variant.type == type && needs.compute_capability_min <= capability_ &&
          capability_ <= needs.compute_capability_max) {
        SCOPED_TRACE(std::string(variant.name) + " " + std::string(name_of(type)));
        check(variant);
      }
    }
  }

  void expect_product(const TensorArray& out, const TensorInputs& inputs, const GemmCase& one,
                      TensorType type) const {
    const Bound bound = bound_of(type);
    EXPECT_EQ(count_beyond(out.download(), inputs.expected, bound.relative,
                           bound.per_term * static_cast<double>(one.k)),
              0U)
        << "of " << inputs.expected.size();
    EXPECT_TRUE(out.guards_are_untouched());
  }

  int capability_ = 0;
};

constexpr TensorType kTypes[] = {TensorType::kBf16, TensorType::kTf32};

TEST_F(TensorCuda, AgreesWithTheOracleForEveryShape) {
  SCOPED_TRACE(describe_seed());
  std::uint64_t seed = seed_of_this_run();
  for (const auto& one : tensor_cases()) {
    SCOPED_TRACE(describe(one));
    for (const TensorType type : kTypes) {
      const TensorInputs inputs(one, type, seed);
      seed += 2;
      TensorArray out(one.m * one.n, type);
      for_each_variant(type, [&](const TensorGemmVariant& variant) {
        out.poison();
        ASSERT_EQ(finish(variant.launch(inputs.problem(one, out), stream_)), cudaSuccess);
        expect_product(out, inputs, one, type);
      });
    }
  }
}

// Each of two operands loses up to 2^-10 of itself where it is cut off, half of that where it is rounded.
TEST_F(TensorCuda, ReadsFloatsAsTf32) {
  SCOPED_TRACE(describe_seed());
  const GemmCase one{200, 300, 400};
  std::vector<float> a(static_cast<std::size_t>(one.m * one.k));
  std::vector<float> b(static_cast<std::size_t>(one.n * one.k));
  fill_random(a, seed_of_this_run());
  fill_random(b, seed_of_this_run() + 1);
  const TensorInputs inputs(one, TensorType::kTf32, a, b);
  TensorArray out(one.m * one.n, TensorType::kTf32);
  for_each_variant(TensorType::kTf32, [&](const TensorGemmVariant& variant) {
    out.poison();
    ASSERT_EQ(finish(variant.launch(inputs.problem(one, out), stream_)), cudaSuccess);
    EXPECT_LE(relative_error(out.download(), inputs.expected), 0x1p-9);
  });
}

TEST_F(TensorCuda, IsZeroWhereThereIsNothingToAdd) {
  for (const TensorType type : kTypes) {
    TensorArray out(3 * 5, type);
    for_each_variant(type, [&](const TensorGemmVariant& variant) {
      out.poison();
      const TensorGemmProblem problem{.m = 3, .n = 5, .k = 0, .c = out.data()};
      ASSERT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
      EXPECT_THAT(out.download(), testing::Each(0.0F));
      EXPECT_TRUE(out.guards_are_untouched());
    });
  }
}

TEST_F(TensorCuda, LeavesAnEmptyResultAloneAndRefusesSizesItCannotCount) {
  for (const TensorType type : kTypes) {
    DeviceArray out(16);
    for_each_variant(type, [&](const TensorGemmVariant& variant) {
      for (const GemmCase& one : {GemmCase{0, 4, 4}, GemmCase{4, 0, 4}, GemmCase{0, 0, 0}}) {
        const TensorGemmProblem problem{.m = one.m, .n = one.n, .k = one.k, .c = out.data()};
        EXPECT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
      }
      for (const GemmCase& one :
           {GemmCase{-1, 4, 4}, GemmCase{4, -1, 4}, GemmCase{4, 4, -1}, GemmCase{kTooLargeForTensor, 1, 1},
            GemmCase{1, kTooLargeForTensor, 1}, GemmCase{1, 1, kTooLargeForTensor}}) {
        const TensorGemmProblem problem{.m = one.m, .n = one.n, .k = one.k, .c = out.data()};
        EXPECT_EQ(variant.launch(problem, stream_), cudaErrorInvalidValue) << describe(one);
      }
    });
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(count_not_poison(out.download()), 0U);
  }
}

// A capture refuses whatever allocates or waits.
TEST_F(TensorCuda, CanBeCapturedIntoAGraph) {
  SCOPED_TRACE(describe_seed());
  for (const TensorType type : kTypes) {
    for (const GemmCase& one : {GemmCase{256, 512, 128}, GemmCase{129, 65, 67}}) {
      SCOPED_TRACE(describe(one));
      const TensorInputs inputs(one, type, seed_of_this_run());
      TensorArray out(one.m * one.n, type);
      for_each_variant(type, [&](const TensorGemmVariant& variant) {
        const TensorGemmProblem problem = inputs.problem(one, out);
        ASSERT_EQ(finish(variant.launch(problem, stream_)), cudaSuccess);
        out.poison();
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        require(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
        const int launched = variant.launch(problem, stream_);
        require(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
        ASSERT_EQ(launched, cudaSuccess);
        require(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
        for (int replay = 0; replay < 2; ++replay) {
          out.poison();
          ASSERT_EQ(finish(cudaGraphLaunch(executable, stream_)), cudaSuccess);
          expect_product(out, inputs, one, type);
        }
        require(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
        require(cudaGraphDestroy(graph), "cudaGraphDestroy");
      });
    }
  }
}

}  // namespace
}  // namespace kernels::test
