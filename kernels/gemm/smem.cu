// Tiles of A and B go through shared memory: first one result per thread, then a strip of eight in its
// registers.
#include "kernels/gemm/launch.cuh"

namespace kernels::gemm {

// smem: 32 × 32 tiles of A and B: each element is loaded once per block, used 32 times.
// All loads and stores are coalesced. In the inner loop A's element is a broadcast and B's are 32 banks.
// Shows: traffic to L2 falls by the tile's side; left to read is shared memory, twice per multiply-add.
// Predicted: (m·n·k / 32) · 8 bytes from L2; the shared loads keep it well below the arithmetic's rate.
constexpr int kTile = 32;
constexpr Plan kSmemPlan{.block = dim3(kTile, kTile), .tile_rows = kTile, .tile_columns = kTile};

__global__ void __launch_bounds__(kTile* kTile) smem_kernel(Product p) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const std::uint32_t x = threadIdx.x;
  const std::uint32_t y = threadIdx.y;
  const std::uint32_t column = blockIdx.x * kTile + x;
  const std::uint32_t row = folded_block_y() * kTile + y;
  float sum = 0;
  for (std::uint32_t k0 = 0; k0 < p.k; k0 += kTile) {
    // Zeros past the edges: they add nothing, and every thread reaches the barriers.
    a_tile[y][x] = row < p.m && k0 + x < p.k ? *p.a_at(row, k0 + x) : 0.0F;
    b_tile[y][x] = k0 + y < p.k && column < p.n ? *p.b_at(k0 + y, column) : 0.0F;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
      sum += a_tile[y][i] * b_tile[i][x];
    }
    __syncthreads();  // before the next step overwrites the tiles
  }
  if (row < p.m && column < p.n) {
    p.store(row, column, sum);
  }
}

int launch_smem(const GemmProblem& problem, Stream stream) {
  return launch(smem_kernel, problem, kSmemPlan, stream);
}

// tile_1d: 64 × 64 of C per block, 64 × 8 of A and 8 × 64 of B at a time; each thread has a column strip of 8
// results. B and C are accessed along rows, coalesced; A by whole sectors of 8 floats. A float of B read
// from shared memory serves 8 multiply-adds out of a register; A's are broadcasts.
// Shows: results in registers turn shared loads into arithmetic.
// Predicted: at most 9 shared loads for 8 multiply-adds instead of 16; half of smem's bytes from L2.
constexpr int kSide = 64;  // of the block's part of C
constexpr int kDepth = 8;  // of k at a time
constexpr int kStrip = 8;  // results of a thread
constexpr int kThreads = kSide * kSide / kStrip;
static_assert(kThreads == kSide * kDepth, "each thread loads one element of A and one of B");
constexpr Plan kTile1dPlan{.block = dim3(kThreads), .tile_rows = kSide, .tile_columns = kSide};

__global__ void __launch_bounds__(kThreads) tile_1d_kernel(Product p) {
  __shared__ float a_tile[kSide][kDepth];
  __shared__ float b_tile[kDepth][kSide];
  const std::uint32_t row0 = folded_block_y() * kSide;
  const std::uint32_t column0 = blockIdx.x * kSide;
  // What this thread loads.
  const std::uint32_t a_row = threadIdx.x / kDepth;
  const std::uint32_t a_depth = threadIdx.x % kDepth;
  const std::uint32_t b_depth = threadIdx.x / kSide;
  // What it computes; its column is also the one of B that it loads.
  const std::uint32_t x = threadIdx.x % kSide;
  const std::uint32_t y = threadIdx.x / kSide * kStrip;
  float sums[kStrip] = {};
  for (std::uint32_t k0 = 0; k0 < p.k; k0 += kDepth) {
    // Zeros past the edges: they add nothing, and every thread reaches the barriers.
    a_tile[a_row][a_depth] =
        row0 + a_row < p.m && k0 + a_depth < p.k ? *p.a_at(row0 + a_row, k0 + a_depth) : 0.0F;
    b_tile[b_depth][x] = k0 + b_depth < p.k && column0 + x < p.n ? *p.b_at(k0 + b_depth, column0 + x) : 0.0F;
    __syncthreads();
#pragma unroll
    for (int depth = 0; depth < kDepth; ++depth) {
      const float b = b_tile[depth][x];
#pragma unroll
      for (int i = 0; i < kStrip; ++i) {
        sums[i] += a_tile[y + i][depth] * b;
      }
    }
    __syncthreads();  // before the next step overwrites the tiles
  }
#pragma unroll
  for (int i = 0; i < kStrip; ++i) {
    if (row0 + y + i < p.m && column0 + x < p.n) {
      p.store(row0 + y + i, column0 + x, sums[i]);
    }
  }
}

int launch_tile_1d(const GemmProblem& problem, Stream stream) {
  return launch(tile_1d_kernel, problem, kTile1dPlan, stream);
}

}  // namespace kernels::gemm
