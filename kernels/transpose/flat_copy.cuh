// What the flat copies share: dense matrices are one long line of floats, copied 16 bytes at a time.
#pragma once

#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

inline constexpr std::int64_t kVectorFloats = 4;

struct Line {
  const float* in;
  float* out;
  std::int64_t count;
};

// kLoads vectors a thread, a block's width apart, all loads in flight before the first store. kStream marks
// loads and stores as the first to be evicted from L2.
template <int kLoads, bool kStream>
__device__ __forceinline__ void copy_line(const Line& line) {
  const auto* in = reinterpret_cast<const float4*>(line.in);
  auto* out = reinterpret_cast<float4*>(line.out);
  const std::int64_t vectors = line.count / kVectorFloats;
  const std::int64_t threads = std::int64_t{blockDim.x} * blockDim.y;
  const std::int64_t thread = std::int64_t{threadIdx.y} * blockDim.x + threadIdx.x;
  const std::int64_t first = blockIdx.x * threads * kLoads + thread;
  float4 values[kLoads];
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    if (first + i * threads < vectors) {
      values[i] = kStream ? __ldcs(in + first + i * threads) : in[first + i * threads];
    }
  }
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    if (first + i * threads < vectors) {
      if (kStream) {
        __stcs(out + first + i * threads, values[i]);
      } else {
        out[first + i * threads] = values[i];
      }
    }
  }
  // What is no whole vector: up to three floats, one after the other by the last thread of all.
  if (blockIdx.x == gridDim.x - 1 && thread == threads - 1) {
    for (std::int64_t i = vectors * kVectorFloats; i < line.count; ++i) {
      line.out[i] = line.in[i];
    }
  }
}

// In pieces that a grid's x can count even with one thread a block.
inline int launch_flat(void (*kernel)(Line), const TransposeProblem& problem, BlockShape block,
                       std::int64_t vectors_per_thread, Stream stream) {
  const auto [in, out, rows, columns] = problem;
  if (!is_runnable({.block = block}) || rows < 0 || columns < 0) {
    return cudaErrorInvalidValue;
  }
  if (!has_vector_pointers(problem)) {
    return cudaErrorNotSupported;
  }
  const std::int64_t count = rows * columns;
  const dim3 threads(static_cast<unsigned>(block.x), static_cast<unsigned>(block.y));
  const std::int64_t floats_per_block = std::int64_t{block.x} * block.y * vectors_per_thread * kVectorFloats;
  constexpr std::int64_t kPieceFloats = std::int64_t{1} << 32;
  for (std::int64_t first = 0; first < count; first += kPieceFloats) {
    const Line line{in + first, out + first, std::min(count - first, kPieceFloats)};
    const dim3 grid(static_cast<unsigned>(divide_up(line.count, floats_per_block)));
    const cudaError_t error = launch_kernel(kernel, grid, threads, 0, stream, line);
    if (error != cudaSuccess) {
      return error;
    }
  }
  return cudaSuccess;
}

}  // namespace kernels::transpose
