#include <algorithm>

#include <cuda_fp8.h>

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

__device__ float random_float(std::size_t place, std::uint32_t seed) {
  const auto low = static_cast<std::uint32_t>(place);
  const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(place) >> 32);
  const std::uint32_t bits = mixed(low ^ mixed(high ^ mixed(seed)));
  return static_cast<float>(bits >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

__device__ void store(float* place, float value) {
  *place = value;
}
// Cut off, not rounded: so it stays below 1.
__device__ void store(std::uint16_t* place, float value) {
  *place = static_cast<std::uint16_t>(__float_as_uint(value) >> 16);
}
__device__ void store(std::uint8_t* place, float value) {
  *place = __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
}

template <typename Stored>
__global__ void fill_kernel(Stored* data, std::size_t count, std::uint32_t seed) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride)
    store(data + i, random_float(i, seed));
}

template <typename Stored>
void fill(Stored* data, std::size_t count, std::uint32_t seed, kernels::Stream stream) {
  constexpr std::size_t kThreads = 256;
  constexpr std::size_t kBlocksMax = 4096;
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>(std::min((count + kThreads - 1) / kThreads, kBlocksMax));
  fill_kernel<<<blocks, kThreads, 0, stream>>>(data, count, seed);
  check(cudaGetLastError(), "filling a buffer with random data");
}

__global__ void empty_kernel() {}

}  // namespace

int launch_empty(kernels::Stream stream) {
  empty_kernel<<<1, 32, 0, stream>>>();
  return cudaGetLastError();
}

void fill_random(float* data, std::size_t count, std::uint32_t seed, kernels::Stream stream) {
  fill(data, count, seed, stream);
}

void fill_random_bf16(std::uint16_t* data, std::size_t count, std::uint32_t seed, kernels::Stream stream) {
  fill(data, count, seed, stream);
}

void fill_random_e4m3(std::uint8_t* data, std::size_t count, std::uint32_t seed, kernels::Stream stream) {
  fill(data, count, seed, stream);
}

}  // namespace bench
