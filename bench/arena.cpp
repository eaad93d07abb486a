#include "bench/arena.hpp"

#include <cstdint>
#include <cstdio>

#include "bench/cuda_error.hpp"
#include "bench/fill.hpp"

namespace bench {
namespace {

constexpr std::size_t kAlignmentBytes = 2u << 20;  // a large page: no two buffers share one

std::size_t aligned_bytes(const BufferSpec& spec) {
  return (bytes_of(spec) + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

std::string mebibytes(std::size_t bytes) {
  return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

std::string not_enough(const std::vector<BufferSpec>& specs, std::size_t total_bytes) {
  std::string text = "not enough GPU memory: " + mebibytes(total_bytes) + " needed (";
  for (const BufferSpec& spec : specs) {
    if (&spec != &specs.front()) text += ", ";
    text += spec.name + " " + mebibytes(aligned_bytes(spec));
  }
  text += ")";
  std::size_t free_bytes = 0;
  std::size_t device_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &device_bytes) == cudaSuccess)
    text += ", " + mebibytes(free_bytes) + " of " + mebibytes(device_bytes) + " free";
  return text;
}

}  // namespace

std::size_t bytes_of(Element element) {
  return element == Element::kE4m3 ? 1 : element == Element::kBf16 ? 2 : sizeof(float);
}

std::size_t bytes_of(const BufferSpec& spec) {
  return spec.elements * bytes_of(spec.element);
}

Arena::Arena(const std::vector<BufferSpec>& specs, kernels::Stream stream) {
  std::size_t total_bytes = 0;
  for (const BufferSpec& spec : specs) total_bytes += aligned_bytes(spec);
  const cudaError_t code = cudaMalloc(&memory_, total_bytes);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // it is remembered otherwise, and the next launch would report it
    throw CudaError(not_enough(specs, total_bytes));
  }
  check(code, "allocating GPU memory");
  auto* next = static_cast<std::byte*>(memory_);
  std::uint32_t seed = 1;
  for (const BufferSpec& spec : specs) {
    buffers_.emplace_back(next, bytes_of(spec));
    if (spec.element == Element::kE4m3)
      fill_random_e4m3(reinterpret_cast<std::uint8_t*>(next), spec.elements, seed++, stream);
    else if (spec.element == Element::kBf16)
      fill_random_bf16(reinterpret_cast<std::uint16_t*>(next), spec.elements, seed++, stream);
    else
      fill_random(reinterpret_cast<float*>(next), spec.elements, seed++, stream);
    next += aligned_bytes(spec);
  }
  check(cudaStreamSynchronize(stream), "filling GPU memory");
}

std::span<float> Arena::buffer(std::size_t index) const {
  const std::span<std::byte> all = bytes(index);
  return {reinterpret_cast<float*>(all.data()), all.size() / sizeof(float)};
}

Arena::~Arena() {
  cudaFree(memory_);
}

}  // namespace bench
