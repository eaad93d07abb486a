#include "kernels.hpp"

namespace {

constexpr int kThreads = 256;

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void block_scan_kernel(const float* in, float* out) {
  __shared__ float sums[kThreads];
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  sums[threadIdx.x] = in[i];
  __syncthreads();
  for (unsigned distance = 1; distance < kThreads; distance *= 2) {
    const float before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  out[i] = sums[threadIdx.x];
}

}  // namespace

namespace kernels {

void saxpy(int n, float a, const float* x, float* y, CUstream_st* stream) {
  saxpy_kernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(n, a, x, y);
}

void block_scan(int n, const float* in, float* out, CUstream_st* stream) {
  block_scan_kernel<<<n / kThreads, kThreads, 0, stream>>>(in, out);
}

}  // namespace kernels
