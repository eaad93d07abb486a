#include <algorithm>

#include "bench/cuda_error.hpp"
#include "bench/fill.hpp"

namespace bench {
namespace {

// MurmurHash3's finaliser: every bit of the index reaches every bit of the result.
__device__ std::uint32_t mixed(std::uint32_t bits) {
  bits ^= bits >> 16;
  bits *= 0x85ebca6bu;
  bits ^= bits >> 13;
  bits *= 0xc2b2ae35u;
  bits ^= bits >> 16;
  return bits;
}

__global__ void fill_kernel(float* data, std::size_t count, std::uint32_t seed) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const auto low = static_cast<std::uint32_t>(i);
    const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) >> 32);
    const std::uint32_t bits = mixed(low ^ mixed(high ^ mixed(seed)));
    data[i] = static_cast<float>(bits >> 8) * (2.0f / 16777216.0f) - 1.0f;
  }
}

__global__ void empty_kernel() {}

}  // namespace

int launch_empty(kernels::Stream stream) {
  empty_kernel<<<1, 32, 0, stream>>>();
  return cudaGetLastError();
}

void fill_random(float* data, std::size_t count, std::uint32_t seed, kernels::Stream stream) {
  constexpr std::size_t kThreads = 256;
  constexpr std::size_t kBlocksMax = 4096;
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>(std::min((count + kThreads - 1) / kThreads, kBlocksMax));
  fill_kernel<<<blocks, kThreads, 0, stream>>>(data, count, seed);
  check(cudaGetLastError(), "filling a buffer with random data");
}

}  // namespace bench
