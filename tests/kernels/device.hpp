// Device memory for the tests, and checks that run on the device.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "kernels/check.hpp"
#include "tests/kernels/cases.hpp"

namespace kernels::test {

// Why no kernel can run here; empty where one can.
std::optional<std::string> why_no_device();

inline void require(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
  }
}

// Writes `bits` to each element; the device is idle afterwards.
void fill_on_device(float* data, std::int64_t count, std::uint32_t bits);

// An input whose elements are known from their place: hash(seed, place).
void fill_hashed_on_device(float* data, std::int64_t count, std::uint32_t seed);

// How many elements of `out` are not, bit by bit, the ones of a rows × columns input filled with that seed,
// transposed or (is_copy) in their places.
std::uint64_t count_wrong_on_device(const float* out, const MatrixShape& shape, bool is_copy,
                                    std::uint32_t seed);

// `count` floats with poison in them, before them and after them.
class DeviceArray {
 public:
  explicit DeviceArray(std::int64_t count) : count_(count) {
    require(cudaMalloc(reinterpret_cast<void**>(&memory_), bytes(count_ + 2 * kGuard)), "cudaMalloc");
    poison();
  }
  ~DeviceArray() { static_cast<void>(cudaFree(memory_)); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  float* data() const { return memory_ + kGuard; }
  std::int64_t count() const { return count_; }

  void poison() { fill_on_device(memory_, count_ + 2 * kGuard, kPoisonBits); }

  // The device is idle afterwards, so that launches on any stream see it.
  void upload(std::span<const float> values) {
    if (!values.empty()) {
      require(cudaMemcpy(data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice), "upload");
    }
    require(cudaDeviceSynchronize(), "upload");
  }

  std::vector<float> download() const { return download(0, count_); }

  bool guards_are_untouched() const {
    return count_not_poison(download(-kGuard, kGuard)) == 0 &&
           count_not_poison(download(count_, kGuard)) == 0;
  }

  // What memory an array of so many takes.
  static std::size_t bytes_needed(std::int64_t count) { return bytes(count + 2 * kGuard); }

 private:
  static constexpr std::int64_t kGuard = 4096;  // elements on each side; keeps data() aligned for anything

  static std::size_t bytes(std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(float); }

  std::vector<float> download(std::int64_t first, std::int64_t count) const {
    std::vector<float> values(static_cast<std::size_t>(count));
    require(cudaMemcpy(values.data(), data() + first, bytes(count), cudaMemcpyDeviceToHost), "download");
    return values;
  }

  std::int64_t count_;
  float* memory_ = nullptr;
};

// Skips where there is no device. Launches go to a stream of the test's own that does not wait for others.
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = why_no_device()) {
      GTEST_SKIP() << "no usable CUDA device: " << *reason;
    }
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  void TearDown() override {
    if (stream_ != nullptr) {
      EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
      EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an error was left behind";
    }
  }

  // What the launch returned, or else what the kernel ended with.
  cudaError_t finish(int launched) const {
    return launched != cudaSuccess ? static_cast<cudaError_t>(launched) : cudaStreamSynchronize(stream_);
  }

  cudaStream_t stream_ = nullptr;
};

}  // namespace kernels::test
