// The core of warp_tile, async, async_pair, sliced_k and sliced_k_small: they differ in the block's tile and
// in how it gets to shared memory, nothing else.
//
// A warp computes 64 × 64 of C, a thread of it 8 × 16: 24 floats from shared memory serve 128 multiply-adds,
// in 6 instructions. What the next step along k needs is loaded while this one is computed, and two stages of
// tiles let the next tile arrive meanwhile. The loop over a tile is one straight line of code, so that the
// compiler can put everything that is no multiply-add between multiply-adds; one barrier ends it.
//
// A multiply-add reads three registers, the register file delivers one of each parity per cycle: its operands
// are walked to and fro (multiply()), so that one of them is reused each time.
#pragma once

#include "kernels/gemm/tile_loader.cuh"

namespace kernels::gemm {

inline constexpr int kWarpSide = 64;  // of C, of a warp
inline constexpr int kLanesDown = 8;  // lanes of a warp along the rows of C
inline constexpr int kLanesAcross = 4;
inline constexpr int kDown = 8;  // results of a thread along the rows of C, in runs of four
inline constexpr int kAcross = 16;
inline constexpr int kRun = 4;

// What a block computes. With several slices, each group of its warps takes every tile's share of steps along
// k for the whole of the block's C, and the sums are added in the end, always in the same order.
template <int Rows, int Columns, int Depth, int Slices, int BlocksPerSm>
struct BlockTile {
  static constexpr int kRows = Rows;
  static constexpr int kColumns = Columns;
  static constexpr int kDepth = Depth;
  static constexpr int kSlices = Slices;
  static constexpr int kBlocksPerSm = BlocksPerSm;
  static constexpr int kSteps = Depth / Slices;  // of a slice in a tile
  static_assert(kSteps % 2 == 0, "fragments alternate");
  static constexpr int kWarpsAcross = Columns / kWarpSide;
  static constexpr int kSliceThreads = Rows / kWarpSide * kWarpsAcross * 32;
  static constexpr int kThreads = kSliceThreads * Slices;
  static constexpr int kPitchA = Rows + 4;  // floats
  static constexpr int kOffsetB = Depth * kPitchA * static_cast<int>(sizeof(float));
  static constexpr int kStageBytes = kOffsetB + Depth * Columns * static_cast<int>(sizeof(float));
  static constexpr int kReductionBytes = (Slices - 1) * Rows * Columns * static_cast<int>(sizeof(float));
  static constexpr int kSharedBytes = std::max(2 * kStageBytes, kReductionBytes);
};

struct Fragment {
  float a[kDown];
  float b[kAcross];
};

template <typename Tile>
__device__ __forceinline__ void load_fragment(Fragment& to, std::uint32_t a, std::uint32_t b, int step) {
#pragma unroll
  for (int j = 0; j < kAcross; j += kRun) {
    load_shared(&to.b[j], b + (step * Tile::kColumns + j * kLanesAcross) * sizeof(float));
  }
#pragma unroll
  for (int i = 0; i < kDown; i += kRun) {
    load_shared(&to.a[i], a + (step * Tile::kPitchA + i * kLanesDown) * sizeof(float));
  }
}

__device__ __forceinline__ void multiply(float (&sums)[kDown][kAcross], const Fragment& with) {
#pragma unroll
  for (int step = 0; step < kDown * kAcross; ++step) {
    const int j = step / kDown;
    const int i = j % 2 == 0 ? step % kDown : kDown - 1 - step % kDown;
    sums[i][j] = fmaf(with.a[i], with.b[j], sums[i][j]);
  }
}

// The block's tile of C. Eight tile rows at a time, column by column, so that blocks that run together share
// what they read.
struct TilePlace {
  std::uint32_t row;
  std::uint32_t column;
};

template <typename Tile>
__device__ __forceinline__ TilePlace place_of_block(const Product& p) {
  constexpr std::uint32_t kGroup = 8;
  const std::uint32_t down = (p.m - 1) / Tile::kRows + 1;
  const std::uint32_t across = (p.n - 1) / Tile::kColumns + 1;
  const std::uint32_t first = blockIdx.x / (kGroup * across) * kGroup;
  const std::uint32_t rows = min(kGroup, down - first);
  const std::uint32_t place = blockIdx.x - first * across;
  return {(first + place % rows) * Tile::kRows, place / rows * Tile::kColumns};
}

// Where a thread's results belong.
template <Width kWidth>
struct Results {
  const Product& p;
  std::uint32_t row;           // of the first result
  std::uint32_t column;        // of the first result
  std::uint32_t column_begin;  // of the block: what lies before belongs to its neighbour

  __device__ __forceinline__ void store(int i, int j, float4 sum) const {
    const std::uint32_t y = row + i / kRun * kRun * kLanesDown + i % kRun;
    const std::uint32_t x = column + j * kLanesAcross;
    if (y >= p.m || x < column_begin) {
      return;
    }
    if constexpr (kWidth == Width::kVectors) {
      float4* const place = reinterpret_cast<float4*>(p.c + (static_cast<std::uint64_t>(y) * p.n + x));
      float4 value = {p.alpha * sum.x, p.alpha * sum.y, p.alpha * sum.z, p.alpha * sum.w};
      if (p.beta != 0.0F) {
        const float4 old = *place;
        value = {value.x + p.beta * old.x, value.y + p.beta * old.y, value.z + p.beta * old.z,
                 value.w + p.beta * old.w};
      }
      *place = value;
    } else {
      const float sums[kRun] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
      for (int q = 0; q < kRun; ++q) {
        if (x + q < p.n) {
          p.store(y, x + q, sums[q]);
        }
      }
    }
  }
};

__device__ __forceinline__ float4 run_of(const float (&sums)[kDown][kAcross], int run) {
  const float* const from = &sums[run / (kAcross / kRun)][run % (kAcross / kRun) * kRun];
  return {from[0], from[1], from[2], from[3]};
}

// Each slice finishes its share of every thread's results: it gets the other slices' sums for them through
// shared memory, where the tiles were.
template <typename Tile, Width kWidth>
__device__ __forceinline__ void store_results(const Results<kWidth>& results,
                                              const float (&sums)[kDown][kAcross], float4* shared) {
  constexpr int kRuns = kDown * kAcross / kRun;
  constexpr int kShare = kRuns / Tile::kSlices;
  constexpr int kRunsAcross = kAcross / kRun;
  const int slice = threadIdx.x / Tile::kSliceThreads;
  const int thread = threadIdx.x % Tile::kSliceThreads;
  // What the slice `after` places behind the owner adds to a run.
  const auto place = [&](int owner, int after, int run) -> float4& {
    return shared[((owner * (Tile::kSlices - 1) + after - 1) * kShare + run % kShare) * Tile::kSliceThreads +
                  thread];
  };
  if constexpr (Tile::kSlices > 1) {
    __syncthreads();  // the tiles were read
#pragma unroll
    for (int run = 0; run < kRuns; ++run) {
      const int owner = run / kShare;
      if (owner != slice) {
        place(owner, (slice - owner + Tile::kSlices) % Tile::kSlices, run) = run_of(sums, run);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int run = 0; run < kRuns; ++run) {
    if (run / kShare != slice) {
      continue;
    }
    float4 sum = run_of(sums, run);
#pragma unroll
    for (int after = 1; after < Tile::kSlices; ++after) {
      const float4 other = place(slice, after, run);
      sum = {sum.x + other.x, sum.y + other.y, sum.z + other.z, sum.w + other.w};
    }
    results.store(run / kRunsAcross, run % kRunsAcross * kRun, sum);
  }
}

template <typename Tile, Transfer kTransfer, Width kWidth>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksPerSm) warp_tiles_kernel(Product p) {
  using Loader = TileLoader<Tile, kTransfer, kWidth>;
  extern __shared__ float4 shared_memory[];
  const std::uint32_t shared = shared_address(shared_memory);
  const TilePlace block = place_of_block<Tile>(p);
  // A tile of vectors that overhangs C is moved inside it.
  const std::uint32_t column0 =
      kWidth == Width::kVectors ? min(block.column, p.n - Tile::kColumns) : block.column;
  Loader loader(p, shared, block.row, column0);
  const std::uint32_t tiles = p.k == 0 ? 1 : (p.k - 1) / Tile::kDepth + 1;
  loader.load_first(p.k - (tiles - 1) * Tile::kDepth);
  __syncthreads();

  const std::uint32_t slice = threadIdx.x / Tile::kSliceThreads;
  const std::uint32_t warp = threadIdx.x % Tile::kSliceThreads / 32;
  const std::uint32_t lane = threadIdx.x % 32;
  // Neighbours read the same vectors of A, or of B, as far as eight of them can.
  const std::uint32_t row = warp / Tile::kWarpsAcross * kWarpSide + lane / 2 % kLanesDown * kRun;
  const std::uint32_t column =
      warp % Tile::kWarpsAcross * kWarpSide + (lane / (2 * kLanesDown) * 2 + lane % 2) * kRun;
  std::uint32_t a = shared + (slice * Tile::kSteps * Tile::kPitchA + row) * sizeof(float);
  std::uint32_t b =
      shared + Tile::kOffsetB + (slice * Tile::kSteps * Tile::kColumns + column) * sizeof(float);

  float sums[kDown][kAcross] = {};
  Fragment fragments[2];
  load_fragment<Tile>(fragments[0], a, b, 0);
  int other_stage = Tile::kStageBytes;  // from here
  for (std::uint32_t tile = 1; tile < tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < Tile::kSteps - 1; ++step) {
#pragma unroll
      for (int i = step * Loader::kCopiesPerStep; i < (step + 1) * Loader::kCopiesPerStep; ++i) {
        if (i < Loader::kCopies) {
          loader.copy(i);
        }
      }
      load_fragment<Tile>(fragments[(step + 1) % 2], a, b, step + 1);
      multiply(sums, fragments[step % 2]);
    }
    loader.finish();
    __syncthreads();  // this tile was read, the next one is there
    a += other_stage;
    b += other_stage;
    other_stage = -other_stage;
    loader.move(other_stage);
    load_fragment<Tile>(fragments[0], a, b, 0);
    multiply(sums, fragments[1]);
  }
#pragma unroll
  for (int step = 0; step < Tile::kSteps; ++step) {
    if (step < Tile::kSteps - 1) {
      load_fragment<Tile>(fragments[(step + 1) % 2], a, b, step + 1);
    }
    multiply(sums, fragments[step % 2]);
  }
  const Results<kWidth> results{p, block.row + row, column0 + column, block.column};
  store_results<Tile>(results, sums, shared_memory);
}

template <typename Tile, Transfer kTransfer>
int launch_warp_tiles(const GemmProblem& problem, Stream stream) {
  if (const cudaError_t error = check_sizes(problem); error != cudaSuccess) {
    return error;
  }
  if (problem.m == 0 || problem.n == 0) {
    return cudaSuccess;
  }
  const bool has_vectors =
      problem.n % 4 == 0 && problem.n >= Tile::kColumns && is_aligned(problem.b) && is_aligned(problem.c);
  const auto kernel = has_vectors ? warp_tiles_kernel<Tile, kTransfer, Width::kVectors>
                                  : warp_tiles_kernel<Tile, kTransfer, Width::kScalars>;
  const std::int64_t blocks = divide_up(problem.m, Tile::kRows) * divide_up(problem.n, Tile::kColumns);
  if (blocks > std::numeric_limits<std::int32_t>::max()) {
    return cudaErrorInvalidValue;
  }
  if (const cudaError_t error =
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::kSharedBytes);
      error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return error;
  }
  return launch_kernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(Tile::kThreads), Tile::kSharedBytes,
                       stream, product_of(problem));
}

}  // namespace kernels::gemm
