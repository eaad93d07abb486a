// The kernel of warp_tile, async, async_pair, the sliced_k ones and short_k: they differ in the block's tile,
// in the results of a thread and in how tiles get to shared memory, nothing else.
//
// With 8 × 16 results a thread, a warp computes 64 × 64 of C: 24 floats from shared memory serve 128
// multiply-adds, in 6 instructions. What the next step along k needs is loaded while this one is computed,
// and two stages of tiles let the next tile arrive meanwhile. The loop over a tile is one straight line of
// code, so that the compiler can put everything that is no multiply-add between multiply-adds; one barrier
// ends it.
//
// A multiply-add reads three registers, the register file delivers one of each parity per cycle: its operands
// are walked to and fro (multiply()), so that one of them is reused each time.
#include <limits>

#include "kernels/gemm/tile_loader.cuh"

namespace kernels::gemm {

constexpr int kRun = 4;

// What a block computes. With several slices, each group of its warps takes every tile's share of steps along
// k for the whole of the block's C, and the sums are added in the end, always in the same order.
template <int Rows, int Columns, int Depth, int Slices, int BlocksPerSm, int Down = 8, int Across = 16,
          int Stages = 2, int LanesDown = 8>
struct BlockTile {
  static constexpr int kStages = Stages;
  static constexpr int kLanesDown = LanesDown;  // lanes of a warp along the rows of C
  static constexpr int kLanesAcross = 32 / LanesDown;
  static constexpr int kDown = Down;  // results of a thread along the rows of C, in runs of four
  static constexpr int kAcross = Across;
  static constexpr int kRunsAcross = Across / kRun;
  static constexpr int kWarpRows = kLanesDown * Down;  // of C, of a warp
  static constexpr int kWarpColumns = kLanesAcross * Across;
  // Of a row that a warp's results change lanes in, in vectors: rows that follow each other begin in other
  // banks.
  static constexpr int kStagingPitch = kWarpColumns / kRun + 2;
  static constexpr int kStagingVectors = kLanesDown * kStagingPitch;  // of a warp
  static constexpr int kRows = Rows;
  static constexpr int kColumns = Columns;
  static constexpr int kDepth = Depth;
  static constexpr int kSlices = Slices;
  static constexpr int kBlocksPerSm = BlocksPerSm;
  static constexpr int kSteps = Depth / Slices;  // of a slice in a tile
  static_assert(kSteps % 2 == 0, "fragments alternate");
  static constexpr int kWarpsAcross = Columns / kWarpColumns;
  static constexpr int kSliceThreads = Rows / kWarpRows * kWarpsAcross * 32;
  static constexpr int kThreads = kSliceThreads * Slices;
  static constexpr int kPitchA = Rows + 4;  // floats
  static constexpr int kOffsetB = Depth * kPitchA * static_cast<int>(sizeof(float));
  static constexpr int kStageBytes = kOffsetB + Depth * Columns * static_cast<int>(sizeof(float));
  static constexpr int kReductionBytes = (Slices - 1) * Rows * Columns * static_cast<int>(sizeof(float));
  static constexpr int kSharedBytes = std::max(kStages * kStageBytes, kReductionBytes);
};

template <typename Tile>
struct Fragment {
  float a[Tile::kDown];
  float b[Tile::kAcross];
};

template <typename Tile>
using Sums = float[Tile::kDown][Tile::kAcross];  // of a thread

template <typename Tile>
__device__ __forceinline__ void load_fragment(Fragment<Tile>& to, std::uint32_t a, std::uint32_t b,
                                              int step) {
#pragma unroll
  for (int j = 0; j < Tile::kAcross; j += kRun) {
    load_shared(&to.b[j], b + (step * Tile::kColumns + j * Tile::kLanesAcross) * sizeof(float));
  }
#pragma unroll
  for (int i = 0; i < Tile::kDown; i += kRun) {
    load_shared(&to.a[i], a + (step * Tile::kPitchA + i * Tile::kLanesDown) * sizeof(float));
  }
}

template <typename Tile>
__device__ __forceinline__ void multiply(Sums<Tile>& sums, const Fragment<Tile>& with) {
#pragma unroll
  for (int step = 0; step < Tile::kDown * Tile::kAcross; ++step) {
    const int j = step / Tile::kDown;
    const int i = j % 2 == 0 ? step % Tile::kDown : Tile::kDown - 1 - step % Tile::kDown;
    sums[i][j] = fmaf(with.a[i], with.b[j], sums[i][j]);
  }
}

// The block's tile of C, by its first element.
__device__ __forceinline__ GroupedTile place_of_tile(const Product& p, std::uint32_t tile,
                                                     std::uint32_t tile_rows, std::uint32_t tile_columns) {
  const GroupedTile place = grouped_tile(tile, (p.m - 1) / tile_rows + 1, (p.n - 1) / tile_columns + 1);
  return {place.row * tile_rows, place.column * tile_columns};
}

// What a launch is given: the product, and how its tiles are dealt out.
struct SplitProduct {
  Product product;
  Parts parts;
  float4* sums;  // of parts, each a tile of row-major vectors
  bool is_moved_inside;
};

// Where a thread's results belong: to C, or to the sums of a part.
template <typename Tile, Width kWidth>
struct Results {
  const Product& p;
  float4* part;                // null: to C
  std::uint32_t row;           // of the first result
  std::uint32_t column;        // of the first result
  std::uint32_t column_begin;  // of the block: what lies before belongs to its neighbour

  // A row's runs of the thread's. `staging` belongs to the warp.
  __device__ __forceinline__ void store(int i, const float4 (&runs)[Tile::kRunsAcross],
                                        float4* staging) const {
    const std::uint32_t below = i / kRun * kRun * Tile::kLanesDown + i % kRun;
    if (part != nullptr) {
#pragma unroll
      for (int j = 0; j < Tile::kRunsAcross; ++j) {
        part[below * (Tile::kColumns / kRun) + j * Tile::kLanesAcross] = runs[j];
      }
      return;
    }
    if constexpr (kWidth == Width::kVectors) {
#pragma unroll
      for (int j = 0; j < Tile::kRunsAcross; ++j) {
        store_vector(row + below, column + j * kRun * Tile::kLanesAcross, runs[j]);
      }
    } else {
      store_scalars(below, runs, staging);
    }
  }

 private:
  __device__ __forceinline__ void store_vector(std::uint32_t y, std::uint32_t x, float4 sum) const {
    if (y >= p.m || x < column_begin) {  // both columns are multiples of four
      return;
    }
    float4* const place = reinterpret_cast<float4*>(p.c + (static_cast<std::uint64_t>(y) * p.n + x));
    float4 value = {p.alpha * sum.x, p.alpha * sum.y, p.alpha * sum.z, p.alpha * sum.w};
    if (p.beta != 0.0F) {
      const float4 old = *place;
      value = {value.x + p.beta * old.x, value.y + p.beta * old.y, value.z + p.beta * old.z,
               value.w + p.beta * old.w};
    }
    *place = value;
  }

  // The warp's eight rows change lanes in shared memory, so that it stores floats side by side.
  __device__ __forceinline__ void store_scalars(std::uint32_t below, const float4 (&runs)[Tile::kRunsAcross],
                                                float4* staging) const {
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t lane_row = lane / 2 % Tile::kLanesDown;
    const std::uint32_t lane_run = lane / (2 * Tile::kLanesDown) * 2 + lane % 2;
    __syncwarp();
#pragma unroll
    for (int j = 0; j < Tile::kRunsAcross; ++j) {
      staging[lane_row * Tile::kStagingPitch + j * Tile::kLanesAcross + lane_run] = runs[j];
    }
    __syncwarp();
    const float* const values = reinterpret_cast<const float*>(staging);
    const std::uint32_t warp_row = row - lane_row * kRun + below;
    const std::uint32_t warp_column = column - lane_run * kRun;
#pragma unroll
    for (std::uint32_t i = 0; i < Tile::kLanesDown * Tile::kWarpColumns / 32; ++i) {
      const std::uint32_t down = (i * 32 + lane) / Tile::kWarpColumns;
      const std::uint32_t across = (i * 32 + lane) % Tile::kWarpColumns;
      const std::uint32_t y = warp_row + down * kRun;
      const std::uint32_t x = warp_column + across;
      if (y < p.m && x >= column_begin && x < p.n) {
        p.store(y, x, values[down * Tile::kStagingPitch * kRun + across]);
      }
    }
  }
};

template <typename Tile>
__device__ __forceinline__ float4 run_of(const Sums<Tile>& sums, int run) {
  const float* const from = &sums[run / Tile::kRunsAcross][run % Tile::kRunsAcross * kRun];
  return {from[0], from[1], from[2], from[3]};
}

// Each slice finishes its share of every thread's results: it gets the other slices' sums for them through
// shared memory, where the tiles were.
template <typename Tile, Width kWidth>
__device__ __forceinline__ void store_results(const Results<Tile, kWidth>& results, Sums<Tile>& sums,
                                              float4* shared) {
  constexpr int kRuns = Tile::kDown * Tile::kRunsAcross;
  const int slice = threadIdx.x / Tile::kSliceThreads;
  const int thread = threadIdx.x % Tile::kSliceThreads;
  // The slice that finishes a run: all runs of a row belong to one.
  const auto owner_of = [](int run) { return run / Tile::kRunsAcross * Tile::kSlices / Tile::kDown; };
  // What the slice `after` places behind the owner adds to a run.
  const auto place = [&](int after, int run) -> float4& {
    return shared[((after - 1) * kRuns + run) * Tile::kSliceThreads + thread];
  };
  if constexpr (Tile::kSlices > 1) {
    __syncthreads();  // the tiles were read
#pragma unroll
    for (int run = 0; run < kRuns; ++run) {
      const int owner = owner_of(run);
      if (owner != slice) {
        place((slice - owner + Tile::kSlices) % Tile::kSlices, run) = run_of<Tile>(sums, run);
      }
    }
    __syncthreads();
#pragma unroll
    for (int run = 0; run < kRuns; ++run) {
      if (owner_of(run) != slice) {
        continue;
      }
      float* const sum = &sums[run / Tile::kRunsAcross][run % Tile::kRunsAcross * kRun];
#pragma unroll
      for (int after = 1; after < Tile::kSlices; ++after) {
        const float4 other = place(after, run);
        sum[0] += other.x;
        sum[1] += other.y;
        sum[2] += other.z;
        sum[3] += other.w;
      }
    }
  }
  // Rows, of four runs each. Before they go through shared memory, all have been read there.
  float4* const staging = shared + threadIdx.x / 32 * Tile::kStagingVectors;
  if constexpr (kWidth != Width::kVectors) {
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < Tile::kDown; ++i) {
    if (owner_of(i * Tile::kRunsAcross) != slice) {
      continue;
    }
    float4 runs[Tile::kRunsAcross];
#pragma unroll
    for (int j = 0; j < Tile::kRunsAcross; ++j) {
      runs[j] = run_of<Tile>(sums, i * Tile::kRunsAcross + j);
    }
    results.store(i, runs, staging);
  }
}

template <typename Tile, Transfer kTransfer, Width kWidth>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksPerSm) warp_tiles_kernel(SplitProduct work) {
  using Loader = TileLoader<Tile, kTransfer, kWidth>;
  extern __shared__ float4 shared_memory[];
  const std::uint32_t shared = shared_address(shared_memory);
  const Product& p = work.product;
  const Unit unit = unit_of(blockIdx.x, work.parts, p.k);
  const GroupedTile block = place_of_tile(p, unit.tile, Tile::kRows, Tile::kColumns);
  const std::uint32_t column0 =
      kWidth == Width::kNarrow ? block.column : min(block.column, p.n - Tile::kColumns);
  Loader loader(p, shared, block.row, column0, unit.first);
  wait_for_kernel_before();
  const std::uint32_t tiles = unit.depth == 0 ? 1 : (unit.depth - 1) / Tile::kDepth + 1;
  loader.load_first(unit.depth - (tiles - 1) * Tile::kDepth);
  loader.load_ahead(tiles - 1);
  let_next_begin();
  __syncthreads();

  const std::uint32_t slice = threadIdx.x / Tile::kSliceThreads;
  const std::uint32_t warp = threadIdx.x % Tile::kSliceThreads / 32;
  const std::uint32_t lane = threadIdx.x % 32;
  // Neighbours read the same vectors of A, or of B, as far as eight of them can.
  const std::uint32_t row = warp / Tile::kWarpsAcross * Tile::kWarpRows + lane / 2 % Tile::kLanesDown * kRun;
  const std::uint32_t column =
      warp % Tile::kWarpsAcross * Tile::kWarpColumns + (lane / (2 * Tile::kLanesDown) * 2 + lane % 2) * kRun;
  std::uint32_t a = shared + (slice * Tile::kSteps * Tile::kPitchA + row) * sizeof(float);
  std::uint32_t b =
      shared + Tile::kOffsetB + (slice * Tile::kSteps * Tile::kColumns + column) * sizeof(float);

  Sums<Tile> sums = {};
  Fragment<Tile> fragments[2];
  load_fragment<Tile>(fragments[0], a, b, 0);
  Stages<Tile> stages;
  for (std::uint32_t tile = 1; tile < tiles; ++tile) {
    const bool is_ahead = Tile::kStages == 2 || tile + Tile::kStages - 2 < tiles;
#pragma unroll
    for (int step = 0; step < Tile::kSteps - 1; ++step) {
#pragma unroll
      for (int i = step * Loader::kCopiesPerStep; i < (step + 1) * Loader::kCopiesPerStep; ++i) {
        if (i < Loader::kCopies) {
          loader.copy(i, is_ahead);
        }
      }
      load_fragment<Tile>(fragments[(step + 1) % 2], a, b, step + 1);
      multiply<Tile>(sums, fragments[step % 2]);
    }
    loader.finish();
    __syncthreads();  // this tile was read, the next one is there
    const int step_bytes = stages.next();
    a += step_bytes;
    b += step_bytes;
    loader.move_on(step_bytes);
    load_fragment<Tile>(fragments[0], a, b, 0);
    multiply<Tile>(sums, fragments[1]);
  }
#pragma unroll
  for (int step = 0; step < Tile::kSteps; ++step) {
    if (step < Tile::kSteps - 1) {
      load_fragment<Tile>(fragments[(step + 1) % 2], a, b, step + 1);
    }
    multiply<Tile>(sums, fragments[step % 2]);
  }
  constexpr std::uint64_t kTileVectors = Tile::kRows * Tile::kColumns / kRun;
  float4* const part =
      unit.part == kWhole
          ? nullptr
          : work.sums + (unit.part * kTileVectors + row * (Tile::kColumns / kRun) + column / kRun);
  const Results<Tile, kWidth> results{p, part, block.row + row, column0 + column, block.column};
  store_results<Tile>(results, sums, shared_memory);
}

// C of the tiles that were split.
template <typename Tile>
__global__ void __launch_bounds__(kAddThreads) add_tiles_kernel(SplitProduct work) {
  constexpr std::uint32_t kAcrossVectors = Tile::kColumns / kRun;
  constexpr std::uint32_t kVectors = Tile::kRows * kAcrossVectors;
  const Product& p = work.product;
  const std::uint32_t tile = folded_block_y();
  const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t tiles =
      ((p.m - 1) / Tile::kRows + 1) * ((p.n - 1) / Tile::kColumns + 1) - work.parts.whole_tiles;
  wait_for_kernel_before();
  if (tile >= tiles) {
    return;
  }
  const float4 sum = add_parts({work.sums, kVectors, work.parts.parts}, tile, index);
  if (threadIdx.y > 0) {
    return;
  }
  const GroupedTile place = place_of_tile(p, work.parts.whole_tiles + tile, Tile::kRows, Tile::kColumns);
  const std::uint32_t column0 = work.is_moved_inside ? min(place.column, p.n - Tile::kColumns) : place.column;
  const std::uint32_t row = place.row + index / kAcrossVectors;
  const std::uint32_t column = column0 + index % kAcrossVectors * kRun;
  const float sums[kRun] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
  for (int q = 0; q < kRun; ++q) {
    if (row < p.m && column + q >= place.column && column + q < p.n) {
      p.store(row, column + q, sums[q]);
    }
  }
}

template <typename Tile, Transfer kTransfer>
auto kernel_for(const GemmProblem& problem) {
  if (problem.n < Tile::kColumns) {
    return warp_tiles_kernel<Tile, kTransfer, Width::kNarrow>;
  }
  return problem.n % kRun == 0 && is_aligned(problem.b) && is_aligned(problem.c)
             ? warp_tiles_kernel<Tile, kTransfer, Width::kVectors>
             : warp_tiles_kernel<Tile, kTransfer, Width::kScalars>;
}

// `split` counts along k in tiles. It must suit the problem; where there is no memory for its parts' sums, no
// tile is split.
template <typename Tile, Transfer kTransfer>
int launch_warp_tiles(const GemmProblem& problem, const Split& split, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  const std::int64_t tiles = divide_up(problem.m, Tile::kRows) * divide_up(problem.n, Tile::kColumns);
  constexpr std::int64_t kTileVectors = std::int64_t{Tile::kRows} * Tile::kColumns / kRun;
  SplitProduct work{.product = product_of(problem),
                    .parts = parts_of(Split{}),
                    .sums = nullptr,
                    .is_moved_inside = problem.n >= Tile::kColumns};
  std::int64_t split_tiles = 0;
  if (split.parts > 1 && split.whole_tiles < tiles) {
    const std::int64_t parts = (tiles - split.whole_tiles) * split.parts;
    work.sums = static_cast<float4*>(
        workspace(Workspace::kSums, stream, static_cast<std::size_t>(parts * kTileVectors) * sizeof(float4)));
    if (work.sums != nullptr) {
      split_tiles = tiles - split.whole_tiles;
      work.parts = parts_of({split.whole_tiles, split.parts, split.depth * Tile::kDepth});
    }
  }
  const std::int64_t blocks = tiles - split_tiles + split_tiles * split.parts;
  if (blocks > std::numeric_limits<std::int32_t>::max()) {
    return cudaErrorInvalidValue;
  }
  const auto kernel = kernel_for<Tile, kTransfer>(problem);
  if (const int error = allow_shared_bytes(reinterpret_cast<const void*>(kernel), Tile::kSharedBytes);
      error != cudaSuccess) {
    return error;
  }
  const cudaError_t error = launch_kernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(Tile::kThreads),
                                          Tile::kSharedBytes, stream, work, Begin::kEarly);
  if (error != cudaSuccess || split_tiles == 0) {
    return error;
  }
  return launch_adder(add_tiles_kernel<Tile>, split_tiles, kTileVectors, split.parts, stream, work);
}

// Both launches of a tile: with a split of k that the caller chose, and whole, as the variant of its name.
#define WARP_TILE(name, transfer, ...)                                                            \
  int launch_##name##_parts(const GemmProblem& problem, const Split& split, Stream stream) {      \
    return launch_warp_tiles<BlockTile<__VA_ARGS__>, Transfer::transfer>(problem, split, stream); \
  }                                                                                               \
  int launch_##name(const GemmProblem& problem, Stream stream) {                                  \
    return launch_##name##_parts(problem, {}, stream);                                            \
  }

// warp_tile: 128 × 256 of C per block of 8 warps, 64 × 64 per warp, 8 × 16 per thread, k in
// tiles of 16. The next tile waits in registers while this one is computed.
// Shows: twice the results per thread of tile_2d, fragments loaded a step ahead, one barrier a tile.
// Predicted: 6 vector loads from shared memory for 128 multiply-adds, about 93 % of all instructions are
// multiply-adds; with one register-bank conflict in ten of them, 83 % of the float32 rate, less the waiting.
WARP_TILE(warp_tile, kRegisters, 128, 256, 16, 1, 1)

// async: warp_tile with cp.async: what a tile needs goes to shared memory past the registers.
// Shows: nothing of the next tile waits in registers, 12 stores a tile less; nothing else differs.
// Predicted: 93 % multiply-adds as there, 2 % of the instructions less; at 4096³, 512 blocks on 132
// multiprocessors are 3.88 waves, so 97 % of that.
WARP_TILE(async, kAsync, 128, 256, 16, 1, 1)

// async_pair: async with blocks of 128 × 128 and 4 warps, two of which share a multiprocessor: while one
// waits, begins or ends, the other computes.
// Shows: the same work per thread; each tile is read from L2 for half as many multiply-adds, so 4/3 of the
// bytes and of the copies.
// Predicted: 2 % below async for large sizes, above it where its blocks fill the waves better.
WARP_TILE(async_pair, kAsync, 128, 128, 16, 1, 2)

// sliced_k: async for sizes whose large tiles would leave most multiprocessors idle: 64 × 128 of C per
// block. Its 8 warps share them by k: four slices of two warps take a quarter of each tile's steps, and are
// added in the end, in a fixed order.
// Shows: small tiles without giving up 8 × 16 results per thread, nor two warps for each scheduler.
// Predicted: 1024³ is 128 blocks, 97 % of one wave, where async has 32; half the multiply-adds per byte from
// L2, and 96 KiB through shared memory at the end of a block.
WARP_TILE(sliced_k, kAsync, 64, 128, 32, 4, 1)

// sliced_k_small: sliced_k with 64 × 64 of C per block and eight slices of a single warp.
// Shows: how far slicing carries: the tile's bytes per multiply-add double, and the sums of seven slices go
// through shared memory.
// Predicted: at 512³, 64 blocks instead of 32, and half the steps along k for each warp: ahead of sliced_k
// there, behind it from 1024³ on.
WARP_TILE(sliced_k_small, kAsync, 64, 64, 64, 8, 1)

// sliced_k_tiny: 32 × 32 of C per block, four warps with a quarter of each tile's steps each, and 4 × 8
// results per thread: four such blocks share a multiprocessor.
// Shows: what a product of few results needs is warps, not results per thread.
// Predicted: 1548 × 182 × 134 is 294 blocks instead of 75; 12 floats from shared memory serve 32
// multiply-adds, so that at most two thirds of the float32 rate are left.
WARP_TILE(sliced_k_tiny, kAsync, 32, 32, 32, 4, 4, 4, 8)

// sliced_k_narrow: sliced_k_tiny with 64 × 16 of C per block and 8 × 4 results per thread.
// Shows: up to 16 columns need no tile of 32, of which half is multiplied for nothing.
// Predicted: 4096 × 16 × 4096 in 30 µs instead of 80, near the time that its A takes from memory.
WARP_TILE(sliced_k_narrow, kAsync, 64, 16, 32, 4, 4, 8, 4)

// sliced_k_deep: sliced_k_tiny with three stages of tiles.
// Shows: where A or B come from memory, two stages do not hide the way from there.
// Predicted: 26 × 3951 × 5797 a fifth faster; nothing where k is short.
WARP_TILE(sliced_k_deep, kAsync, 32, 32, 32, 4, 4, 4, 8, 3)

// sliced_k_48x64, 64x48, 96x32, 128x24 and 24x128: so many rows and columns of C a block, and 96 results a
// thread, as 12 × 8 or 8 × 12: 20 floats from shared memory serve 96 multiply-adds. What differs is how a
// warp's lanes lie on its results: 4 × 8, 8 × 4, 16 × 2 or 2 × 16 of them.
// Shows: between tiles of 64 × 64 and 32 × 32 lies a third of the time: what overhangs C is multiplied for
// nothing, and so is a round of blocks that is not full.
// Predicted: 5991 × 52 × 869 is 126 tiles of 96 × 32 on 132 multiprocessors, where 94 of 64 × 64 leave a
// third of them idle; 24 columns take three quarters of the time of 32.
WARP_TILE(sliced_k_48x64, kAsync, 48, 64, 64, 8, 1, 12, 8, 2, 4)
WARP_TILE(sliced_k_64x48, kAsync, 64, 48, 64, 8, 1, 8, 12, 3)
WARP_TILE(sliced_k_96x32, kAsync, 96, 32, 32, 4, 3, 12, 8, 3)
WARP_TILE(sliced_k_128x24, kAsync, 128, 24, 64, 8, 1, 8, 12, 3, 16)
WARP_TILE(sliced_k_24x128, kAsync, 24, 128, 64, 8, 1, 12, 8, 3, 2)

// sliced_k_pair: 64 × 64 of C per block, four groups of two warps share k, 8 × 8 results per thread: two
// blocks share a multiprocessor.
// Shows: with twice the warps, one block's begin and end hide behind the other's multiply-adds.
// Predicted: behind sliced_k_small for full rounds, ahead of it where k is split.
WARP_TILE(sliced_k_pair, kAsync, 64, 64, 32, 4, 2, 8, 8)

// short_k: 64 × 64 of C per block, four warps of 32 × 32, 4 × 8 results per thread, k in tiles of 8: five
// blocks share a multiprocessor.
// Shows: with a short k, a block's begin and end take as long as its multiply-adds: others have to fill them.
// Predicted: 420 × 3773 × 42 in 9 µs instead of 14: 413 tiles on 132 multiprocessors, all at once.
WARP_TILE(short_k, kAsync, 64, 64, 8, 1, 5, 4, 8)

// short_k_wide: short_k with 64 × 128 of C per block and 8 × 8 results per thread, four blocks at once.
// Shows: where the trade lies: 16 floats from shared memory serve 64 multiply-adds, not 12 for 32.
// Predicted: ahead of short_k where tiles are left for several rounds, behind it where they are few.
WARP_TILE(short_k_wide, kAsync, 64, 128, 8, 1, 4, 8, 8)

#undef WARP_TILE

}  // namespace kernels::gemm
