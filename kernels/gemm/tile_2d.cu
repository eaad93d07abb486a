// 128 × 128 of C per block, 128 × 8 of A and 8 × 128 of B at a time; each thread has 8 × 8 results in
// registers. B and C are accessed along rows, coalesced; A by whole sectors of 8 floats, and put down
// transposed, so that a thread's 8 rows of it lie side by side and are read as two vectors.
// Shows: 16 floats from shared memory serve 64 multiply-adds: arithmetic becomes the bound.
// Predicted: 4 vector loads from shared memory for 64 multiply-adds; (m·n·k / 64) · 4 bytes from L2.
#include "kernels/gemm/launch.cuh"

namespace kernels::gemm {

constexpr int kSide = 128;   // of the block's part of C
constexpr int kDepth = 8;    // of k at a time
constexpr int kResults = 8;  // of a thread, along each side
constexpr int kThreadsSide = kSide / kResults;
constexpr int kThreads = kThreadsSide * kThreadsSide;
constexpr int kLoads = kSide * kDepth / kThreads;  // of a thread, from A and from B
constexpr int kPadding = 4;  // a warp puts down 8 × 4 floats of A: with it, in 32 banks
constexpr Plan kPlan{.block = dim3(kThreads), .tile_rows = kSide, .tile_columns = kSide};

struct Shared {
  alignas(16) float a[kDepth][kSide + kPadding];  // transposed
  alignas(16) float b[kDepth][kSide];
};

// Zeros past the edges: they add nothing.
static __device__ __forceinline__ void load_tiles(Shared& shared, const Product& p, std::uint32_t row0,
                                                  std::uint32_t column0, std::uint32_t k0) {
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    const std::uint32_t place = threadIdx.x + i * kThreads;
    const std::uint32_t row = place / kDepth;
    const std::uint32_t depth = place % kDepth;
    shared.a[depth][row] = row0 + row < p.m && k0 + depth < p.k ? *p.a_at(row0 + row, k0 + depth) : 0.0F;
  }
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    const std::uint32_t place = threadIdx.x + i * kThreads;
    const std::uint32_t depth = place / kSide;
    const std::uint32_t column = place % kSide;
    shared.b[depth][column] =
        k0 + depth < p.k && column0 + column < p.n ? *p.b_at(k0 + depth, column0 + column) : 0.0F;
  }
}

// A thread's columns are two runs of four, half a tile apart: the vectors that neighbouring threads read lie
// side by side, free of bank conflicts.
static __device__ __forceinline__ std::uint32_t column_of(std::uint32_t thread_x, int j) {
  return j / 4 * (kSide / 2) + thread_x * 4 + j % 4;
}

__global__ void __launch_bounds__(kThreads, 1) tile_2d_kernel(Product p) {
  __shared__ Shared shared;
  const std::uint32_t row0 = folded_block_y() * kSide;
  const std::uint32_t column0 = blockIdx.x * kSide;
  const std::uint32_t thread_x = threadIdx.x % kThreadsSide;
  const std::uint32_t y = threadIdx.x / kThreadsSide * kResults;
  float sums[kResults][kResults] = {};
  for (std::uint32_t k0 = 0; k0 < p.k; k0 += kDepth) {
    load_tiles(shared, p, row0, column0, k0);
    __syncthreads();
#pragma unroll
    for (int depth = 0; depth < kDepth; ++depth) {
      float a[kResults];
      float b[kResults];
#pragma unroll
      for (int i = 0; i < kResults; ++i) {
        a[i] = shared.a[depth][y + i];
        b[i] = shared.b[depth][column_of(thread_x, i)];
      }
#pragma unroll
      for (int i = 0; i < kResults; ++i) {
#pragma unroll
        for (int j = 0; j < kResults; ++j) {
          sums[i][j] += a[i] * b[j];
        }
      }
    }
    __syncthreads();  // before the next step overwrites the tiles
  }
#pragma unroll
  for (int i = 0; i < kResults; ++i) {
#pragma unroll
    for (int j = 0; j < kResults; ++j) {
      const std::uint32_t row = row0 + y + i;
      const std::uint32_t column = column0 + column_of(thread_x, j);
      if (row < p.m && column < p.n) {
        p.store(row, column, sums[i][j]);
      }
    }
  }
}

int launch_tile_2d(const GemmProblem& problem, Stream stream) {
  return launch(tile_2d_kernel, problem, kPlan, stream);
}

}  // namespace kernels::gemm
