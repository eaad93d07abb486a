#include "tests/kernels/device.hpp"

namespace kernels::test {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 4096;  // each thread strides over the rest

__device__ std::int64_t first_place() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ std::int64_t place_step() {
  return std::int64_t{gridDim.x} * blockDim.x;
}

// MurmurHash3's finaliser: one to one on 64 bits, of which 32 are kept.
__device__ std::uint32_t hashed(std::uint32_t seed, std::int64_t place) {
  std::uint64_t bits = static_cast<std::uint64_t>(place) + (std::uint64_t{seed} << 40);
  bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccdU;
  bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53U;
  return static_cast<std::uint32_t>(bits >> 32);
}

__global__ void fill_kernel(std::uint32_t* data, std::int64_t count, std::uint32_t bits) {
  for (std::int64_t place = first_place(); place < count; place += place_step()) {
    data[place] = bits;
  }
}

__global__ void fill_hashed_kernel(std::uint32_t* data, std::int64_t count, std::uint32_t seed) {
  for (std::int64_t place = first_place(); place < count; place += place_step()) {
    data[place] = hashed(seed, place);
  }
}

// `width` is that of a row of `out`; `source_width` that of the input, where out[y][x] came from in[x][y].
__global__ void count_wrong_kernel(const std::uint32_t* out, std::int64_t count, std::int64_t width,
                                   std::int64_t source_width, bool is_copy, std::uint32_t seed,
                                   unsigned long long* wrong) {
  unsigned long long mine = 0;
  for (std::int64_t place = first_place(); place < count; place += place_step()) {
    const std::int64_t source = is_copy ? place : place % width * source_width + place / width;
    mine += out[place] != hashed(seed, source) ? 1 : 0;
  }
  if (mine != 0) {
    atomicAdd(wrong, mine);
  }
}

std::uint32_t* bits_of(float* data) {
  return reinterpret_cast<std::uint32_t*>(data);
}

void finish(const char* what) {
  require(cudaGetLastError(), what);
  require(cudaDeviceSynchronize(), what);
}

}  // namespace

std::optional<std::string> why_no_device() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return cudaGetErrorString(error);
  }
  if (count == 0) {
    return "there is none";
  }
  return std::nullopt;
}

void fill_on_device(float* data, std::int64_t count, std::uint32_t bits) {
  fill_kernel<<<kBlocks, kThreads>>>(bits_of(data), count, bits);
  finish("fill_on_device");
}

void fill_hashed_on_device(float* data, std::int64_t count, std::uint32_t seed) {
  fill_hashed_kernel<<<kBlocks, kThreads>>>(bits_of(data), count, seed);
  finish("fill_hashed_on_device");
}

std::uint64_t count_wrong_on_device(const float* out, const MatrixShape& shape, bool is_copy,
                                    std::uint32_t seed) {
  unsigned long long* wrong = nullptr;
  require(cudaMalloc(reinterpret_cast<void**>(&wrong), sizeof(*wrong)), "cudaMalloc");
  require(cudaMemset(wrong, 0, sizeof(*wrong)), "cudaMemset");
  count_wrong_kernel<<<kBlocks, kThreads>>>(reinterpret_cast<const std::uint32_t*>(out),
                                            shape.rows * shape.columns, shape.rows, shape.columns, is_copy,
                                            seed, wrong);
  finish("count_wrong_on_device");
  unsigned long long result = 0;
  require(cudaMemcpy(&result, wrong, sizeof(result), cudaMemcpyDeviceToHost), "cudaMemcpy");
  require(cudaFree(wrong), "cudaFree");
  return result;
}

}  // namespace kernels::test
