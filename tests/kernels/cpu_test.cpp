#include "kernels/cpu.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/check.hpp"
#include "tests/kernels/cases.hpp"

namespace kernels {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kGuard = 64;  // poisoned elements before and after an output

std::size_t to_size(std::int64_t count) {
  return static_cast<std::size_t>(count);
}

// An output with poison in it, before it and after it.
class Guarded {
 public:
  explicit Guarded(std::size_t count) : memory_(count + 2 * kGuard) { fill_poison(memory_); }
  std::span<float> values() { return std::span(memory_).subspan(kGuard, memory_.size() - 2 * kGuard); }
  void expect_guards_untouched() const {
    EXPECT_EQ(count_not_poison(std::span(memory_).first(kGuard)), 0U);
    EXPECT_EQ(count_not_poison(std::span(memory_).last(kGuard)), 0U);
  }

 private:
  std::vector<float> memory_;
};

template <typename Variants>
std::vector<std::string> names_of(const Variants& variants) {
  std::vector<std::string> names;
  for (const auto& variant : variants) {
    names.emplace_back(variant.name);
    EXPECT_FALSE(variant.summary.empty()) << variant.name;
  }
  return names;
}

TEST(CpuTables, NameTheirVariantsInOrder) {
  EXPECT_THAT(names_of(cpu::transpose_variants()), ElementsAre("copy", "naive", "blocked"));
  EXPECT_THAT(names_of(cpu::gemm_variants()), ElementsAre("naive", "interchanged", "blocked"));
}

TEST(TransposeOracle, MovesEachElement) {
  const std::vector<float> in = {1, 2, 3, 4, 5, 6};
  std::vector<float> out(6);
  cpu::transpose_oracle({.in = in.data(), .out = out.data(), .rows = 2, .columns = 3});
  EXPECT_THAT(out, ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(CpuTransposes, AreTheOracleForEveryShape) {
  SCOPED_TRACE(test::describe_seed());
  for (const auto& shape : test::matrix_shapes()) {
    SCOPED_TRACE(test::describe(shape));
    std::vector<float> in(to_size(shape.rows * shape.columns));
    fill_random(in, test::seed_of_this_run());
    std::vector<float> transposed(in.size());
    cpu::transpose_oracle({in.data(), transposed.data(), shape.rows, shape.columns});
    for (const auto& variant : cpu::transpose_variants()) {
      SCOPED_TRACE(variant.name);
      Guarded out(in.size());
      variant.run({in.data(), out.values().data(), shape.rows, shape.columns});
      const auto& expected = variant.is_copy ? in : transposed;
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.values().begin(), out.values().end()));
      out.expect_guards_untouched();
    }
  }
}

TEST(GemmOracle, ComputesATinyProduct) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};     // 2 × 3
  const std::vector<float> b = {7, 8, 9, 10, 11, 12};  // 3 × 2
  std::vector<float> c = {1000, 2000, 3000, 4000};
  GemmProblem problem{.m = 2, .n = 2, .k = 3, .alpha = 1, .a = a.data(), .b = b.data(), .c = c.data()};
  problem.beta = 1;
  cpu::gemm_oracle(problem);
  EXPECT_THAT(c, ElementsAre(1058, 2064, 3139, 4154));
  problem.alpha = 2;
  problem.beta = 0;
  c.assign(4, kNan);
  cpu::gemm_oracle(problem);
  EXPECT_THAT(c, ElementsAre(116, 128, 278, 308));
}

// 2^24 + 1 - 2^24: float32 loses the 1.
TEST(GemmOracle, AccumulatesInDouble) {
  const std::vector<float> a = {0x1p24F, 1, -0x1p24F};
  const std::vector<float> b = {1, 1, 1};
  float c = 0;
  cpu::gemm_oracle({.m = 1, .n = 1, .k = 3, .a = a.data(), .b = b.data(), .c = &c});
  EXPECT_EQ(c, 1);
}

TEST(CpuGemms, AgreeWithTheOracleForEveryShape) {
  SCOPED_TRACE(test::describe_seed());
  for (const auto& one : test::gemm_cases()) {
    const bool few = test::has_few_results(one);
    const float low = few ? 0.5F : -1.0F;
    std::vector<float> a(to_size(one.m * one.k));
    std::vector<float> b(to_size(one.k * one.n));
    std::vector<float> c(to_size(one.m * one.n));
    fill_random(a, test::seed_of_this_run(), low);
    fill_random(b, test::seed_of_this_run() + 1, low);
    fill_random(c, test::seed_of_this_run() + 2, low);
    for (const auto& factors : test::kFactors) {
      if (few && factors.alpha < 0) {
        continue;
      }
      SCOPED_TRACE(test::describe(one) + ", " + test::describe(factors));
      std::vector<float> start = c;
      if (factors.beta == 0) {
        fill_poison(start);  // must not be read
      }
      GemmProblem problem{one.m, one.n, one.k, factors.alpha, a.data(), b.data(), factors.beta, nullptr};
      std::vector<float> expected = start;
      problem.c = expected.data();
      cpu::gemm_oracle(problem);
      for (const auto& variant : cpu::gemm_variants()) {
        SCOPED_TRACE(variant.name);
        Guarded out(c.size());
        std::copy(start.begin(), start.end(), out.values().begin());
        problem.c = out.values().data();
        variant.run(problem);
        EXPECT_LE(relative_error(out.values(), expected), test::kGemmErrorMax);
        out.expect_guards_untouched();
      }
    }
  }
}

TEST(TensorGemmOracle, MultipliesByTheTransposed) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};     // 2 × 3
  const std::vector<float> b = {7, 9, 11, 8, 10, 12};  // 2 × 3
  std::vector<float> c(4, kNan);
  cpu::tensor_gemm_oracle({.m = 2, .n = 2, .k = 3, .a = a.data(), .b = b.data(), .c = c.data()});
  EXPECT_THAT(c, ElementsAre(58, 64, 139, 154));
}

TEST(TensorGemmOracle, AccumulatesInDouble) {
  const std::vector<float> a = {0x1p24F, 1, -0x1p24F};
  const std::vector<float> b = {1, 1, 1};
  float c = 0;
  cpu::tensor_gemm_oracle({.m = 1, .n = 1, .k = 3, .a = a.data(), .b = b.data(), .c = &c});
  EXPECT_EQ(c, 1);
}

TEST(RelativeError, IsTheQuotientOfNorms) {
  const std::vector<float> reference = {3, 4};
  EXPECT_EQ(relative_error(reference, reference), 0);
  EXPECT_DOUBLE_EQ(relative_error(std::vector<float>{3, 4.5F}, reference), 0.1);
}

TEST(RelativeError, NeverPassesWhatIsNotFinite) {
  const std::vector<float> good = {1, 2};
  for (const float bad : {kNan, kInfinity, -kInfinity, std::bit_cast<float>(kPoisonBits)}) {
    const std::vector<float> with_bad = {1, bad};
    EXPECT_EQ(relative_error(with_bad, good), kInfinity);
    EXPECT_EQ(relative_error(good, with_bad), kInfinity);
    EXPECT_EQ(relative_error(with_bad, with_bad), kInfinity);
  }
}

TEST(RelativeError, RefusesOtherSizesAndJudgesZeros) {
  const std::vector<float> zeros = {0, 0};
  EXPECT_EQ(relative_error(zeros, zeros), 0);
  EXPECT_EQ(relative_error(std::vector<float>{0, 1e-30F}, zeros), kInfinity);
  EXPECT_EQ(relative_error(std::vector<float>{0}, zeros), kInfinity);
}

TEST(CountBeyond, AllowsAShareAndAFixedPart) {
  const std::vector<float> reference = {0, 100, -100};
  const std::vector<float> out = {0.5F, 101.5F, -98.5F};
  EXPECT_EQ(count_beyond(reference, reference, 0, 0), 0U);
  EXPECT_EQ(count_beyond(out, reference, 0.01, 0.5), 0U);
  EXPECT_EQ(count_beyond(out, reference, 0.01, 0.4), 3U);
  EXPECT_EQ(count_beyond(out, reference, 0.001, 0.5), 2U);
}

TEST(CountBeyond, NeverPassesWhatIsNotFinite) {
  const std::vector<float> good = {1, 2};
  for (const float bad : {kNan, kInfinity, -kInfinity, std::bit_cast<float>(kPoisonBits)}) {
    const std::vector<float> with_bad = {1, bad};
    EXPECT_EQ(count_beyond(with_bad, good, 1, 1e300), 1U);
    EXPECT_EQ(count_beyond(good, with_bad, 1, 1e300), 1U);
    EXPECT_EQ(count_beyond(with_bad, with_bad, 1, 1e300), 1U);
  }
  EXPECT_EQ(count_beyond(std::vector<float>{1}, good, 1, 1e300), 2U);
}

// Half-way cases, the carry into the exponent, and what overflows.
TEST(Rounding, IsToTheNearestTiesToEven) {
  EXPECT_EQ(to_bf16(1.0F), 0x3f80);
  EXPECT_EQ(to_bf16(-2.5F), 0xc020);
  EXPECT_EQ(to_bf16(1 + 0x1p-8F), 0x3f80);
  EXPECT_EQ(to_bf16(1 + 0x1p-8F + 0x1p-23F), 0x3f81);
  EXPECT_EQ(to_bf16(1 + 3 * 0x1p-8F), 0x3f82);
  EXPECT_EQ(to_bf16(2 - 0x1p-23F), 0x4000);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(from_bf16(0x3f81), 1 + 0x1p-7F);
  EXPECT_EQ(rounded_to_tf32(1 + 0x1p-11F), 1);
  EXPECT_EQ(rounded_to_tf32(1 + 0x1p-11F + 0x1p-23F), 1 + 0x1p-10F);
  EXPECT_EQ(rounded_to_tf32(-1 - 3 * 0x1p-11F), -1 - 0x1p-9F);
}

// Every value is its own neighbour; half-way cases, denormals, and what overflows (OCP 8-bit floating point).
TEST(Rounding, OfE4m3FollowsItsTable) {
  for (int bits = 0; bits < 256; ++bits) {
    if ((bits & 0x7f) != 0x7f) {
      EXPECT_EQ(to_e4m3(from_e4m3(static_cast<std::uint8_t>(bits))), bits);
    }
  }
  EXPECT_EQ(from_e4m3(0x38), 1);
  EXPECT_EQ(from_e4m3(0x7e), 448);
  EXPECT_EQ(from_e4m3(0x08), 0x1p-6F);
  EXPECT_EQ(from_e4m3(0x81), -0x1p-9F);
  EXPECT_EQ(to_e4m3(1 + 0x1p-4F), 0x38);
  EXPECT_EQ(to_e4m3(1 + 0x1p-4F + 0x1p-20F), 0x39);
  EXPECT_EQ(to_e4m3(1 + 3 * 0x1p-4F), 0x3a);
  EXPECT_EQ(to_e4m3(2 - 0x1p-20F), 0x40);
  EXPECT_EQ(to_e4m3(0x1p-10F), 0);
  EXPECT_EQ(to_e4m3(0x1p-10F + 0x1p-20F), 1);
  EXPECT_EQ(to_e4m3(0x1p-6F - 0x1p-20F), 0x08);
  EXPECT_EQ(to_e4m3(-1e9F), 0xfe);
  EXPECT_EQ(to_e4m3(kInfinity), 0x7e);
  EXPECT_TRUE(std::isnan(from_e4m3(to_e4m3(kNan))));
}

TEST(Rounding, KeepsInfinitiesAndNan) {
  for (const float sign : {1.0F, -1.0F}) {
    EXPECT_EQ(from_bf16(to_bf16(sign * kInfinity)), sign * kInfinity);
    EXPECT_EQ(rounded_to_tf32(sign * kInfinity), sign * kInfinity);
  }
  for (const std::uint32_t bits : {0x7fc00000U, 0x7f800001U, 0xffffffffU, kPoisonBits}) {
    EXPECT_TRUE(std::isnan(from_bf16(to_bf16(std::bit_cast<float>(bits)))));
    EXPECT_TRUE(std::isnan(rounded_to_tf32(std::bit_cast<float>(bits))));
  }
}

TEST(FillRandom, StaysInRangeAndFollowsTheSeed) {
  std::vector<float> first(10000);
  std::vector<float> again(first.size());
  std::vector<float> other(first.size());
  fill_random(first, 1);
  fill_random(again, 1);
  fill_random(other, 2);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
  EXPECT_THAT(first, Each(testing::AllOf(testing::Ge(-1.0F), testing::Lt(1.0F))));
  EXPECT_GT(std::set<float>(first.begin(), first.end()).size(), 9900U);
  double sum = 0;
  for (const float value : first) {
    sum += double{value};
  }
  EXPECT_LT(std::abs(sum / 10000), 0.03);  // five standard errors of a uniform mean
}

TEST(Poison, IsNanAndCountsWhatWasWritten) {
  std::vector<float> values(5);
  fill_poison(values);
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(count_not_poison(values), 0U);
  values[1] = 0;
  values[3] = kNan;  // another NaN
  EXPECT_EQ(count_not_poison(values), 2U);
}

}  // namespace
}  // namespace kernels
