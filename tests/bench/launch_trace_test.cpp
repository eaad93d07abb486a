#include "bench/kit/launch_trace.hpp"

#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/launch_trace_kernels.hpp"
#include "tracker/base/file.hpp"

namespace tracker::kit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tracker::KernelLaunch;

class LaunchTraceCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no usable CUDA device";
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
  }
  void TearDown() override {
    if (stream_ == nullptr) return;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);  // nothing is left behind
    EXPECT_EQ(trace_test::launch_one(stream_), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  }

  std::optional<LaunchTrace> trace(const Launch& launch) {
    static_cast<void>(launch(stream_));
    static_cast<void>(cudaStreamSynchronize(stream_));
    return trace_launch(launch, stream_);
  }

  kernels::Stream stream_ = nullptr;
};

TEST_F(LaunchTraceCuda, AKernelAndItsShape) {
  const auto found = trace(trace_test::launch_one);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->launches, ElementsAre(KernelLaunch{"scale_kernel<3>", "7x5", "32x4", "", 48}));
  ASSERT_TRUE(found->resources);
  EXPECT_EQ(found->resources->threads_per_block, 128);
  EXPECT_EQ(found->resources->shared_dynamic_bytes, 48);
  EXPECT_EQ(found->resources->local_bytes, 0);
  EXPECT_GT(found->resources->registers, 0);
  EXPECT_GE(found->resources->blocks_per_sm, 8);  // at least 1024 threads
}

TEST_F(LaunchTraceCuda, SeveralOperationsInTheirOrder) {
  const auto found = trace(trace_test::launch_several);
  ASSERT_TRUE(found);
  const KernelLaunch small{"small_kernel", "1", "32", "", 0};
  EXPECT_THAT(found->launches, ElementsAre(KernelLaunch{.kernel = "memset"}, small,
                                           KernelLaunch{"scale_kernel<3>", "64", "128", "", 64},
                                           KernelLaunch{.kernel = "memcpy"}, small));
  EXPECT_EQ(found->kernels.size(), 3u);
  ASSERT_TRUE(found->resources);
  EXPECT_EQ(found->resources->threads_per_block, 128);  // of the one with the most threads
}

TEST_F(LaunchTraceCuda, Clusters) {
  int major = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), cudaSuccess);
  if (major < 9) GTEST_SKIP() << "clusters need compute capability 9.0";
  const auto found = trace(trace_test::launch_cluster);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->launches, ElementsAre(KernelLaunch{"cluster_kernel", "8", "64", "2", 0}));
}

TEST_F(LaunchTraceCuda, WhatCannotBeCapturedStatesNothing) {
  EXPECT_FALSE(trace(trace_test::launch_waiting));
  EXPECT_FALSE(trace(trace_test::launch_failing));
}

TEST_F(LaunchTraceCuda, NoLaunchIsNoKernel) {
  const auto found = trace(trace_test::launch_nothing);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->launches, IsEmpty());
  EXPECT_FALSE(found->resources);
}

TEST_F(LaunchTraceCuda, ItsCodeLiesInThisExecutable) {
  const auto found = trace(trace_test::launch_several);
  ASSERT_TRUE(found);
  const machine_code::MachineCode own(tracker::read_file("/proc/self/exe", 256 << 20));
  const tracker::Code code = own.code_of(found->kernels);
  EXPECT_EQ(code.why_no_hash, "");
  EXPECT_EQ(code.hash.size(), 16u);
  const auto one = trace(trace_test::launch_one);
  ASSERT_TRUE(one);
  EXPECT_NE(own.code_of(one->kernels).hash, code.hash);
}

}  // namespace
}  // namespace tracker::kit
