// What the checks on the device find: needs a GPU.
#include "bench/device_check.hpp"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "bench/kit/counters.hpp"
#include "bench/kit/gpu_process.hpp"
#include "kernels/check.hpp"

namespace bench {
namespace {

using tracker::kit::poison;
using tracker::kit::wrong_result;

// Host values on the device.
template <typename Value>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<Value>& values) : count_(values.size()) {
    EXPECT_EQ(cudaMalloc(&memory_, bytes()), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(memory_, values.data(), bytes(), cudaMemcpyHostToDevice), cudaSuccess);
  }
  ~OnDevice() { cudaFree(memory_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  Value* data() const { return static_cast<Value*>(memory_); }
  std::span<std::byte> span() const { return {static_cast<std::byte*>(memory_), bytes()}; }

 private:
  std::size_t bytes() const { return count_ * sizeof(Value); }

  std::size_t count_;
  void* memory_ = nullptr;
};

std::vector<float> random_values(std::int64_t count, std::uint64_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  kernels::fill_random(values, seed);
  return values;
}

std::vector<std::uint16_t> as_bf16(const std::vector<float>& values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) bits.push_back(kernels::to_bf16(value));
  return bits;
}

class DeviceCheck : public ::testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no usable CUDA device";
  }
};

TEST_F(DeviceCheck, EveryElementOfATranspose) {
  constexpr std::int64_t kRows = 37;
  constexpr std::int64_t kColumns = 101;
  const auto in = random_values(kRows * kColumns, 1);
  std::vector<float> right(in.size());
  for (std::int64_t r = 0; r < kRows; ++r)
    for (std::int64_t c = 0; c < kColumns; ++c)
      right[static_cast<std::size_t>(c * kRows + r)] = in[static_cast<std::size_t>(r * kColumns + c)];
  const auto error = [&](const std::vector<float>& out, bool is_copy) {
    const OnDevice on_in(in);
    const OnDevice on_out(out);
    return check_transpose({.in = on_in.data(), .out = on_out.data(), .rows = kRows, .columns = kColumns},
                           is_copy, nullptr)
        .error;
  };
  EXPECT_EQ(error(right, false), 0);
  EXPECT_EQ(error(in, true), 0);
  EXPECT_GT(error(in, false), 0.9);
  auto wrong = right;
  wrong.back() += 1;
  EXPECT_DOUBLE_EQ(error(wrong, false), 1.0 / (kRows * kColumns));
}

TEST_F(DeviceCheck, WhatWasNotWrittenIsWrong) {
  const OnDevice in(random_values(64, 1));
  const OnDevice out(random_values(64, 1));
  poison(out.span(), nullptr);
  EXPECT_EQ(
      check_transpose({.in = in.data(), .out = out.data(), .rows = 8, .columns = 8}, true, nullptr).error, 1);
}

// No side is a multiple of anything.
struct Shape {
  std::int64_t m = 67;
  std::int64_t n = 131;
  std::int64_t k = 203;
};

std::vector<float> product_of(const std::vector<float>& a, const std::vector<float>& b, const Shape& shape,
                              bool b_is_k_major) {
  std::vector<float> c;
  for (std::int64_t i = 0; i < shape.m; ++i)
    for (std::int64_t j = 0; j < shape.n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < shape.k; ++l)
        sum += double{a[static_cast<std::size_t>(i * shape.k + l)]} *
               double{b[static_cast<std::size_t>(b_is_k_major ? j * shape.k + l : l * shape.n + j)]};
      c.push_back(static_cast<float>(sum));
    }
  return c;
}

TEST_F(DeviceCheck, EveryElementOfAProduct) {
  const Shape shape;
  const auto a = random_values(shape.m * shape.k, 1);
  const auto b = random_values(shape.k * shape.n, 2);
  for (const bool b_is_k_major : {false, true}) {
    const auto wrong = [&](const std::vector<float>& c) {
      const OnDevice on_a(a);
      const OnDevice on_b(b);
      const OnDevice on_c(c);
      return wrong_result(check_product({.m = shape.m,
                                         .n = shape.n,
                                         .k = shape.k,
                                         .a = on_a.data(),
                                         .b = on_b.data(),
                                         .c = on_c.data(),
                                         .b_is_k_major = b_is_k_major},
                                        nullptr))
          .has_value();
    };
    const auto right = product_of(a, b, shape, b_is_k_major);
    EXPECT_FALSE(wrong(right));
    for (const std::size_t place : {std::size_t{0}, right.size() / 2, right.size() - 1}) {
      auto off = right;
      off[place] += 0.1F;
      EXPECT_TRUE(wrong(off)) << place;
      off[place] = NAN;
      EXPECT_TRUE(wrong(off)) << place;
    }
    auto exchanged = right;
    std::swap(exchanged[3], exchanged[4]);
    EXPECT_TRUE(wrong(exchanged));
  }
}

TEST_F(DeviceCheck, RoundingToBf16IsNoError) {
  const Shape shape;
  auto a = random_values(shape.m * shape.k, 1);
  auto b = random_values(shape.k * shape.n, 2);
  for (float& value : a) value = kernels::from_bf16(kernels::to_bf16(value));
  for (float& value : b) value = kernels::from_bf16(kernels::to_bf16(value));
  const auto error = [&](const std::vector<float>& c) {
    const OnDevice on_a(as_bf16(a));
    const OnDevice on_b(as_bf16(b));
    const OnDevice on_c(as_bf16(c));
    return check_product({.m = shape.m,
                          .n = shape.n,
                          .k = shape.k,
                          .a = on_a.data(),
                          .b = on_b.data(),
                          .c = on_c.data(),
                          .b_is_k_major = true,
                          .element = Element::kBf16,
                          .result = Element::kBf16,
                          .arithmetic = tracker::devices::Arithmetic::kTensorBf16},
                         nullptr);
  };
  const auto right = product_of(a, b, shape, true);
  EXPECT_FALSE(wrong_result(error(right)));
  EXPECT_GT(error(right).error, 1e-4);  // it is not exact
  auto cut = a;
  for (std::int64_t i = 0; i < shape.m; ++i)
    for (std::int64_t l = shape.k - 3; l < shape.k; ++l) cut[static_cast<std::size_t>(i * shape.k + l)] = 0;
  EXPECT_TRUE(wrong_result(error(product_of(cut, b, shape, true))));
}

}  // namespace
}  // namespace bench
