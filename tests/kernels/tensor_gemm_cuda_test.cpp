#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include <gmock/gmock.h>

#include "kernels/cpu.hpp"
#include "kernels/tensor_gemm/choice.hpp"
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
  // FP8 sums are cut to some 13 bits at every step of 32 of k (a product with one k left out is off by 0.3).
  constexpr double kPerTermFp8 = 1e-4;
  switch (type) {
    case TensorType::kBf16:
      return {0x1p-8, kPerTerm};
    case TensorType::kTf32:
      return {0x1p-23, kPerTerm};
    case TensorType::kFp8:
      return {0x1p-7, kPerTermFp8};
  }
  return {};
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
      // thin, by the warps of a block together and by each alone
      {1, 900, 3001},
      {2, 700, 2048},
      {9000, 3, 517},
      {16, 5001, 1003},
      {7, 129, 70001},
      // columns of C as rows of the tile, clusters of four, rows of C that begin between two words
      {160, 2128, 1984},
      {48, 1232, 4176},
      {35, 1228, 2175},
      {117, 1375, 20},
      // a k of a few, and just beyond
      {275, 67, 1},
      {1151, 1377, 5},
      {129, 257, 47},
      {65, 385, 49},
      {63, 1000, 15},
      {40, 20003, 3},
      {20003, 40, 3},
      {1501, 999, 12},
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
    value = type == TensorType::kFp8    ? from_e4m3(to_e4m3(value))
            : type == TensorType::kBf16 ? from_bf16(to_bf16(value))
                                        : rounded_to_tf32(value);
  }
  return values;
}

// What C is stored as.
TensorType result_of(TensorType type) {
  return type == TensorType::kFp8 ? TensorType::kBf16 : type;
}

// `count` elements of the type on the device, poisoned and between guards; floats on the host.
class TensorArray {
 public:
  TensorArray(std::int64_t count, TensorType type)
      : count_(static_cast<std::size_t>(count)),
        type_(type),
        words_((count * bytes() + kWordBytes - 1) / kWordBytes) {}

  float* data() const { return words_.data(); }
  void poison() { words_.poison(); }

  void upload(const std::vector<float>& values) {
    std::vector<float> words((values.size() * static_cast<std::size_t>(bytes()) + kWordBytes - 1) /
                             kWordBytes);
    fill_poison(words);
    const auto to = std::as_writable_bytes(std::span(words));
    for (std::size_t i = 0; i < values.size(); ++i) {
      switch (type_) {
        case TensorType::kTf32:
          put(to, i, values[i]);
          break;
        case TensorType::kBf16:
          put(to, i, to_bf16(values[i]));
          break;
        case TensorType::kFp8:
          put(to, i, to_e4m3(values[i]));
          break;
      }
    }
    words_.upload(words);
  }

  std::vector<float> download() const {
    const std::vector<float> words = words_.download();
    const auto from = std::as_bytes(std::span(words));
    std::vector<float> values(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      switch (type_) {
        case TensorType::kTf32:
          values[i] = get<float>(from, i);
          break;
        case TensorType::kBf16:
          values[i] = from_bf16(get<std::uint16_t>(from, i));
          break;
        case TensorType::kFp8:
          values[i] = from_e4m3(get<std::uint8_t>(from, i));
          break;
      }
    }
    return values;
  }

  // Also what is left over of the last word.
  bool guards_are_untouched() const {
    const std::size_t used = count_ * static_cast<std::size_t>(bytes()) % kWordBytes;
    const auto last = used == 0 ? kPoisonBits : std::bit_cast<std::uint32_t>(words_.download().back());
    return last >> 8 * used == kPoisonBits >> 8 * used && words_.guards_are_untouched();
  }

 private:
  static constexpr std::int64_t kWordBytes = sizeof(float);

  std::int64_t bytes() const {
    return type_ == TensorType::kFp8 ? 1 : type_ == TensorType::kBf16 ? 2 : kWordBytes;
  }
  template <typename Value>
  static void put(std::span<std::byte> to, std::size_t place, Value value) {
    std::memcpy(to.data() + place * sizeof(Value), &value, sizeof(Value));
  }
  template <typename Value>
  static Value get(std::span<const std::byte> from, std::size_t place) {
    Value value;
    std::memcpy(&value, from.data() + place * sizeof(Value), sizeof(Value));
    return value;
  }

  std::size_t count_;
  TensorType type_;
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
  EXPECT_THAT(names_of(TensorType::kFp8), testing::ElementsAre("best", "cublas"));
  EXPECT_EQ(name_of(TensorType::kBf16), "bf16");
  EXPECT_EQ(name_of(TensorType::kTf32), "tf32");
  EXPECT_EQ(name_of(TensorType::kFp8), "fp8");
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

  // cuBLAS has FP8 of multiples of 16 alone.
  static bool can_do(const TensorGemmVariant& variant, const GemmCase& one) {
    constexpr std::int64_t kMultiple = 16;
    return variant.type != TensorType::kFp8 || variant.name != "cublas" ||
           (one.m % kMultiple == 0 && one.n % kMultiple == 0 && one.k % kMultiple == 0);
  }

  // Calls `check` with every variant of the type that the device can run, and that can do the shape.
  template <typename Check>
  void for_each_variant(TensorType type, const GemmCase& one, const Check& check) const {
    for (const auto& variant : tensor_gemm_variants()) {
      const Requirements& needs = variant.requirements;
      if (variant.type == type && needs.compute_capability_min <= capability_ &&
          capability_ <= needs.compute_capability_max && can_do(variant, one)) {
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

constexpr TensorType kTypes[] = {TensorType::kBf16, TensorType::kTf32, TensorType::kFp8};

TEST_F(TensorCuda, AgreesWithTheOracleForEveryShape) {
  SCOPED_TRACE(describe_seed());
  std::uint64_t seed = seed_of_this_run();
  for (const auto& one : tensor_cases()) {
    SCOPED_TRACE(describe(one));
    for (const TensorType type : kTypes) {
      const TensorInputs inputs(one, type, seed);
      seed += 2;
      TensorArray out(one.m * one.n, result_of(type));
      for_each_variant(type, one, [&](const TensorGemmVariant& variant) {
        out.poison();
        ASSERT_EQ(finish(variant.launch(inputs.problem(one, out), stream_)), cudaSuccess);
        expect_product(out, inputs, one, type);
      });
    }
  }
}

// Unsplit, in parts that another kernel adds, and in parts that the blocks of a cluster add.
std::vector<tensor_gemm::PlanChoice> ways_of(std::span<const tensor_gemm::PlanRow> rows, int plan,
                                             std::int64_t steps, tensor_gemm::Rows read) {
  std::vector<tensor_gemm::PlanChoice> ways = {
      {.plan = plan, .split = {}, .rows = read},
      {.plan = plan, .split = {.whole_tiles = 0, .parts = 3, .depth = (steps + 2) / 3}, .rows = read},
      {.plan = plan, .split = {.whole_tiles = 1, .parts = 2, .depth = (steps + 1) / 2}, .rows = read}};
  if (rows[static_cast<std::size_t>(plan)].cluster() == 1) {
    for (const int sharers : {2, 4, 8}) {
      for (const std::int64_t groups : {1, 2}) {
        ways.push_back({.plan = plan,
                        .split = {.whole_tiles = 0, .parts = sharers * groups},
                        .sharers = sharers,
                        .rows = read});
      }
    }
  }
  return ways;
}

// Every row of the tables in every way, twice: what counts arrivals is left as it was.
TEST_F(TensorCuda, IsRightByEveryPlan) {
  if (capability_ != 90) {
    GTEST_SKIP() << "plans are for compute capability 9.0";
  }
  SCOPED_TRACE(describe_seed());
  using tensor_gemm::Rows;
  const auto check = [&](TensorType type, const GemmCase& one, std::span<const tensor_gemm::PlanRow> rows,
                         Rows read) {
    SCOPED_TRACE(std::string(name_of(type)) + " " + describe(one));
    const std::int64_t bytes = type == TensorType::kFp8 ? 1 : type == TensorType::kBf16 ? 2 : 4;
    const TensorInputs inputs(one, type, seed_of_this_run());
    TensorArray out(one.m * one.n, result_of(type));
    for (int plan = 0; plan < static_cast<int>(rows.size()); ++plan) {
      for (const auto& way : ways_of(rows, plan, (one.k * bytes + 127) / 128, read)) {
        SCOPED_TRACE(testing::Message() << "plan " << plan << ", parts " << way.split.parts << ", whole "
                                        << way.split.whole_tiles << ", sharers " << way.sharers);
        for (int launch = 0; launch < 2; ++launch) {
          out.poison();
          ASSERT_EQ(finish(tensor_gemm::launch_choice(type, way, inputs.problem(one, out), stream_)),
                    cudaSuccess);
          ASSERT_NO_FATAL_FAILURE(expect_product(out, inputs, one, type));
        }
      }
    }
  };
  for (const TensorType type : kTypes) {
    check(type, {211, 328, 2064}, tensor_gemm::kPlans, Rows::kMapped);
  }
  check(TensorType::kTf32, {83, 301, 1031}, tensor_gemm::kWordPlans, Rows::kByWords);
  check(TensorType::kBf16, {83, 301, 2062}, tensor_gemm::kWordPlans, Rows::kByWords);
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
  for_each_variant(TensorType::kTf32, one, [&](const TensorGemmVariant& variant) {
    out.poison();
    ASSERT_EQ(finish(variant.launch(inputs.problem(one, out), stream_)), cudaSuccess);
    EXPECT_LE(relative_error(out.download(), inputs.expected), 0x1p-9);
  });
}

TEST_F(TensorCuda, IsZeroWhereThereIsNothingToAdd) {
  for (const TensorType type : kTypes) {
    TensorArray out(3 * 5, result_of(type));
    for_each_variant(type, {3, 5, 0}, [&](const TensorGemmVariant& variant) {
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
    for_each_variant(type, {}, [&](const TensorGemmVariant& variant) {
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

// Launches that follow each other begin before the one before has ended: A and C in turn, each made of the
// other, with and without waiting between launches.
TEST_F(TensorCuda, WaitsForWhatTheLaunchBeforeWritesAndReads) {
  SCOPED_TRACE(describe_seed());
  constexpr int kLaunches = 8;
  for (const TensorType type : {TensorType::kBf16, TensorType::kTf32}) {
    for (const std::int64_t side : {std::int64_t{67}, std::int64_t{256}, std::int64_t{1000}}) {
      const GemmCase one{side, side, side};
      SCOPED_TRACE(describe(one));
      const std::vector<float> a = random_values(side * side, seed_of_this_run(), type);
      std::vector<float> b = random_values(side * side, seed_of_this_run() + 1, type);
      for (float& value : b) {
        value /= 8;
      }
      const TensorInputs inputs(one, type, a, b);
      TensorArray other(side * side, type);
      for_each_variant(type, one, [&](const TensorGemmVariant& variant) {
        std::vector<float> results[2];
        for (const bool waits : {false, true}) {
          TensorArray first(side * side, type);
          first.upload(a);
          other.poison();
          ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
          for (int i = 0; i < kLaunches; ++i) {
            TensorGemmProblem problem = inputs.problem(one, other);
            problem.a = i % 2 == 0 ? first.data() : other.data();
            problem.c = i % 2 == 0 ? other.data() : first.data();
            ASSERT_EQ(variant.launch(problem, stream_), cudaSuccess);
            if (waits) {
              ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
            }
          }
          ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
          results[waits ? 1 : 0] = first.download();
        }
        EXPECT_EQ(results[0], results[1]);
        EXPECT_NE(results[0], a);
      });
    }
  }
}

// However many blocks share a sum, they add in the same order.
TEST_F(TensorCuda, GivesTheSameBitsEveryTime) {
  SCOPED_TRACE(describe_seed());
  for (const TensorType type : kTypes) {
    for (const GemmCase& one : {GemmCase{64, 64, 20000}, GemmCase{130, 250, 8192}, GemmCase{40, 2000, 1999},
                                GemmCase{700, 900, 2064}}) {
      SCOPED_TRACE(describe(one));
      const TensorInputs inputs(one, type, seed_of_this_run());
      TensorArray out(one.m * one.n, result_of(type));
      for_each_variant(type, one, [&](const TensorGemmVariant& variant) {
        if (variant.name == "cublas") {
          return;
        }
        std::vector<float> first;
        for (int i = 0; i < 5; ++i) {
          out.poison();
          ASSERT_EQ(finish(variant.launch(inputs.problem(one, out), stream_)), cudaSuccess);
          const std::vector<float> now = out.download();
          first = i == 0 ? now : first;
          ASSERT_EQ(now, first);
        }
      });
    }
  }
}

// A capture refuses whatever allocates or waits.
TEST_F(TensorCuda, CanBeCapturedIntoAGraph) {
  SCOPED_TRACE(describe_seed());
  for (const TensorType type : kTypes) {
    for (const GemmCase& one : {GemmCase{256, 512, 128}, GemmCase{129, 65, 67}}) {
      SCOPED_TRACE(describe(one));
      const TensorInputs inputs(one, type, seed_of_this_run());
      TensorArray out(one.m * one.n, result_of(type));
      for_each_variant(type, one, [&](const TensorGemmVariant& variant) {
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
