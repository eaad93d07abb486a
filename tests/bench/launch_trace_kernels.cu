#include <cuda_runtime.h>

#include "tests/bench/launch_trace_kernels.hpp"

namespace tracker::kit::trace_test {
namespace {

__device__ float memory[1024];
__device__ float other_memory[1024];

template <int kFactor>
__global__ void scale_kernel() {
  extern __shared__ float shared[];
  shared[threadIdx.x % 8] = memory[threadIdx.x];
  __syncthreads();
  memory[threadIdx.x] = shared[threadIdx.x % 8] * kFactor;
}

__global__ void small_kernel() {
  memory[threadIdx.x] += 1.0F;
}

__global__ void cluster_kernel() {
  memory[threadIdx.x] += 2.0F;
}

float* address(const void* symbol) {
  void* found = nullptr;
  return cudaGetSymbolAddress(&found, symbol) == cudaSuccess ? static_cast<float*>(found) : nullptr;
}

int last_error() {
  return cudaGetLastError();
}

}  // namespace

int launch_one(kernels::Stream stream) {
  scale_kernel<3><<<dim3(7, 5), dim3(32, 4), 48, stream>>>();
  return last_error();
}

int launch_cluster(kernels::Stream stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(8);
  config.blockDim = dim3(64);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, cluster_kernel);
}

int launch_several(kernels::Stream stream) {
  static float* const from = address(memory);
  static float* const to = address(other_memory);
  int error = cudaMemsetAsync(from, 0, sizeof(memory), stream);
  small_kernel<<<1, 32, 0, stream>>>();
  scale_kernel<3><<<64, 128, 64, stream>>>();
  if (error == cudaSuccess) {
    error = cudaMemcpyAsync(to, from, sizeof(memory), cudaMemcpyDeviceToDevice, stream);
  }
  small_kernel<<<1, 32, 0, stream>>>();
  return error == cudaSuccess ? last_error() : error;
}

int launch_waiting(kernels::Stream stream) {
  small_kernel<<<1, 32, 0, stream>>>();
  return cudaStreamSynchronize(stream);
}

int launch_failing(kernels::Stream stream) {
  small_kernel<<<1, 2048, 0, stream>>>();
  return last_error();
}

int launch_nothing(kernels::Stream) {
  return cudaSuccess;
}

}  // namespace tracker::kit::trace_test
