// Through tiles in shared memory. A block of x × y threads takes a tile of x columns and 4·y rows of the
// input (32 × 32 for the default block of 32 × 8), four elements a thread, through dynamic shared memory. Any
// block shape runs whose tiles fit kSharedBytesMax. What differs is how the tile is stored, how its rows are
// padded, and how many there are.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

struct Tiling {
  int tiles;    // side by side in one block
  int padding;  // floats after each row of a tile
};

static Plan tile_plan(BlockShape block, const Tiling& tiling) {
  Plan plan = row_plan(block, tiling.tiles);
  plan.tile_rows = std::int64_t{block.y} * kRowsPerThread;
  plan.shared_bytes =
      static_cast<std::size_t>(tiling.tiles * plan.tile_rows * (std::int64_t{block.x} + tiling.padding)) *
      sizeof(float);
  return plan;
}

// Where a block's tiles are in the panel and in shared memory.
template <Tiling kTiling>
struct Tiles {
  static constexpr int kTiles = kTiling.tiles;

  float* shared;
  std::uint32_t row = folded_block_y() * (blockDim.y * kRowsPerThread);
  std::uint32_t column = blockIdx.x * (blockDim.x * kTiles);
  std::uint32_t height = blockDim.y * kRowsPerThread;
  std::uint32_t stride = blockDim.x + kTiling.padding;

  // The element in one row and column of one tile.
  __device__ __forceinline__ float& at(int tile, std::uint32_t y, std::uint32_t x) const {
    return shared[(tile * height + y) * stride + x];
  }

  // Coalesced loads, all of them in flight before the first is put down; a warp stores a row of the tile.
  // Zeros past the matrix' edges: nobody stores them.
  __device__ __forceinline__ void load(const Panel& p) const {
    const std::uint32_t first_row = row + threadIdx.y;
    const std::uint32_t first_column = column + threadIdx.x;
    const float* in = p.in + (first_row * p.in_pitch + first_column);
    const std::uint64_t step = blockDim.y * p.in_pitch;
    float values[kTiles][kRowsPerThread] = {};
#pragma unroll
    for (int i = 0; i < kRowsPerThread; ++i, in += step) {
      if (first_row + i * blockDim.y < p.rows) {
#pragma unroll
        for (int tile = 0; tile < kTiles; ++tile) {
          if (first_column + tile * blockDim.x < p.columns) {
            values[tile][i] = in[tile * blockDim.x];
          }
        }
      }
    }
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile) {
#pragma unroll
      for (int i = 0; i < kRowsPerThread; ++i) {
        at(tile, threadIdx.y + i * blockDim.y, threadIdx.x) = values[tile][i];
      }
    }
  }

  // Coalesced stores: the block's threads, counted through, walk the tile down its columns, so that a warp
  // reads a column of the tile (floats `stride` apart: one bank for all when stride is 32) and stores it side
  // by side into a row of the output. Wants a barrier after load().
  __device__ __forceinline__ void store_columns(const Panel& p) const {
    const std::uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (blockDim.x % kRowsPerThread == 0) {
      // All threads together are a whole number of columns: a thread stays in its row.
      store_line(p, thread / height, thread % height, blockDim.x / kRowsPerThread, kRowsPerThread);
      return;
    }
    const std::uint32_t threads = blockDim.x * blockDim.y;
    for (int i = 0; i < kRowsPerThread; ++i) {
      const std::uint32_t place = thread + i * threads;
      store_line(p, place / height, place % height, 0, 1);
    }
  }

 private:
  // `count` elements of row y of each tile, from column x on, x_step apart.
  __device__ __forceinline__ void store_line(const Panel& p, std::uint32_t x, std::uint32_t y,
                                             std::uint32_t x_step, int count) const {
    if (row + y >= p.rows) {
      return;
    }
    float* out = p.out + ((column + x) * p.out_pitch + row + y);
    const std::uint64_t step = x_step * p.out_pitch;
    const std::uint64_t tile_step = blockDim.x * p.out_pitch;
#pragma unroll
    for (int i = 0; i < count; ++i, x += x_step, out += step) {
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile) {
        if (column + x + tile * blockDim.x < p.columns) {
          out[tile * tile_step] = at(tile, y, x);
        }
      }
    }
  }
};

// smem: through a tile in shared memory: a warp loads a row of the tile and stores a column of it.
// Loads and stores are both coalesced. Reading the tile down a column hits one bank 32 times when its rows
// are 32 floats (the default block): each such read takes 32 turns instead of one.
// Shows: coalescing is paid for with bank conflicts, against smem_padded, which differs in nothing else.
// Predicted: bytes in device memory and in L2 as copy_row; 33 shared-memory turns for 32 elements, not 2.
constexpr Tiling kSmem{.tiles = 1, .padding = 0};

__global__ void __launch_bounds__(kThreadsPerBlockMax) smem_kernel(Panel p) {
  wait_for_kernel_before();
  extern __shared__ float shared[];
  const Tiles<kSmem> tiles{shared};
  tiles.load(p);
  __syncthreads();
  tiles.store_columns(p);
}

int launch_smem(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(smem_kernel, problem, tile_plan(block, kSmem), stream);
}

// smem_column_write: through a tile in shared memory, but written out by columns: a warp stores the row of
// the tile that it loaded into a column of the output. Loads are coalesced, the tile is read without bank
// conflicts; a warp's stores lie an output row apart.
// Shows: a tile wins nothing by itself, only by changing which thread stores which element.
// Predicted: bytes and stores as naive_row, with the way through shared memory and the barrier on top.
constexpr Tiling kColumnWrite{.tiles = 1, .padding = 0};

__global__ void __launch_bounds__(kThreadsPerBlockMax) smem_column_write_kernel(Panel p) {
  wait_for_kernel_before();
  extern __shared__ float shared[];
  const Tiles<kColumnWrite> tiles{shared};
  tiles.load(p);
  __syncthreads();
  const std::uint32_t column = tiles.column + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kRowsPerThread; ++i) {
    const std::uint32_t y = threadIdx.y + i * blockDim.y;
    if (tiles.row + y < p.rows && column < p.columns) {
      p.out[column * p.out_pitch + tiles.row + y] = tiles.at(0, y, threadIdx.x);
    }
  }
}

int launch_smem_column_write(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(smem_column_write_kernel, problem, tile_plan(block, kColumnWrite), stream);
}

// smem_padded: smem with one unused float after each row of the tile.
// Loads and stores are both coalesced, and a column of the tile now lies in 32 different banks.
// Shows: what the bank conflicts of smem cost.
// Predicted: bytes as copy_row, 2 shared-memory turns for 32 elements; as fast as copy_row, less the barrier.
constexpr Tiling kPadded{.tiles = 1, .padding = 1};

__global__ void __launch_bounds__(kThreadsPerBlockMax) smem_padded_kernel(Panel p) {
  wait_for_kernel_before();
  extern __shared__ float shared[];
  const Tiles<kPadded> tiles{shared};
  tiles.load(p);
  __syncthreads();
  tiles.store_columns(p);
}

int launch_smem_padded(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(smem_padded_kernel, problem, tile_plan(block, kPadded), stream);
}

// smem_unroll_padded: smem_padded with two tiles side by side per block: eight elements a thread.
// Loads and stores are both coalesced and free of bank conflicts; eight loads are in flight per thread, and
// twice the bytes move for each barrier and for each index computed.
// Shows: what is left to win once the access pattern is right: latency and instructions.
// Predicted: bytes as copy_row; fewer instructions per element than smem_padded.
constexpr Tiling kUnrollPadded{.tiles = 2, .padding = 1};

__global__ void __launch_bounds__(kThreadsPerBlockMax) smem_unroll_padded_kernel(Panel p) {
  wait_for_kernel_before();
  extern __shared__ float shared[];
  const Tiles<kUnrollPadded> tiles{shared};
  tiles.load(p);
  __syncthreads();
  tiles.store_columns(p);
}

int launch_smem_unroll_padded(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(smem_unroll_padded_kernel, problem, tile_plan(block, kUnrollPadded), stream);
}

}  // namespace kernels::transpose
