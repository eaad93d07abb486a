// A and B with rows that the copy engine can take: copied to a workspace, with zeros after the end of each
// row up to the next multiple of 16 bytes. For .cu files only.
#pragma once

#include "kernels/parts.cuh"
#include "kernels/tensor_gemm/launch.hpp"
#include "kernels/workspace.hpp"

namespace kernels::tensor_gemm {

inline constexpr int kPadThreads = 256;

struct PaddedOperands {
  const void* a;
  const void* b;
  uint4* to;  // A's rows, then B's
  std::uint32_t a_rows;
  std::uint32_t rows;       // of both
  std::uint32_t row_words;  // of A and B
  std::uint32_t chunks;     // of 16 bytes, of a padded row
};

// Word is the largest that every row of A and B is a multiple of. A thread makes a chunk.
template <typename Word>
__global__ void __launch_bounds__(kPadThreads) pad_rows_kernel(PaddedOperands p) {
  constexpr std::uint32_t kWords = sizeof(uint4) / sizeof(Word);
  let_next_begin();
  const std::uint32_t index = blockIdx.x * kPadThreads + threadIdx.x;
  const std::uint32_t row = index / p.chunks;
  if (row >= p.rows) {
    return;
  }
  const std::uint32_t first = (index - row * p.chunks) * kWords;
  const bool is_a = row < p.a_rows;
  const Word* const from = static_cast<const Word*>(is_a ? p.a : p.b) +
                           static_cast<std::uint64_t>(is_a ? row : row - p.a_rows) * p.row_words;
  union {
    uint4 whole;
    Word words[kWords];
  } parts = {make_uint4(0, 0, 0, 0)};
#pragma unroll
  for (std::uint32_t i = 0; i < kWords; ++i) {
    if (first + i < p.row_words) {
      parts.words[i] = __ldg(from + first + i);
    }
  }
  p.to[index] = parts.whole;
}

// `problem` with padded copies of A and B. cudaErrorMemoryAllocation where there is no workspace for them.
template <typename Element>
int pad_operands(TensorGemmProblem& problem, Stream stream) {
  constexpr std::int64_t kChunk = 16 / sizeof(Element);
  const std::int64_t chunks = divide_up(problem.k, kChunk);
  const std::int64_t rows = problem.m + problem.n;
  if (rows > static_cast<std::int64_t>(kWorkspaceBytesMax / sizeof(uint4)) / chunks) {
    return cudaErrorMemoryAllocation;
  }
  auto* const to = static_cast<uint4*>(
      workspace(Workspace::kOperands, stream, static_cast<std::size_t>(rows * chunks) * sizeof(uint4)));
  if (to == nullptr) {
    return cudaErrorMemoryAllocation;
  }
  const std::int64_t row_bytes = problem.k * static_cast<std::int64_t>(sizeof(Element));
  const std::int64_t word_bytes = row_bytes % 8 == 0   ? 8
                                  : row_bytes % 4 == 0 ? 4
                                  : row_bytes % 2 == 0 ? 2
                                                       : 1;
  const PaddedOperands operands{.a = problem.a,
                                .b = problem.b,
                                .to = to,
                                .a_rows = static_cast<std::uint32_t>(problem.m),
                                .rows = static_cast<std::uint32_t>(rows),
                                .row_words = static_cast<std::uint32_t>(row_bytes / word_bytes),
                                .chunks = static_cast<std::uint32_t>(chunks)};
  const auto kernel = word_bytes == 8   ? pad_rows_kernel<uint2>
                      : word_bytes == 4 ? pad_rows_kernel<std::uint32_t>
                      : word_bytes == 2 ? pad_rows_kernel<std::uint16_t>
                                        : pad_rows_kernel<std::uint8_t>;
  problem.a = to;
  problem.b = to + problem.m * chunks;
  problem.k = chunks * kChunk;
  return launch_kernel(kernel, dim3(static_cast<unsigned>(divide_up(rows * chunks, kPadThreads))),
                       dim3(kPadThreads), 0, stream, operands);
}

}  // namespace kernels::tensor_gemm
