// What the shared-memory variants share. A block of x × y threads takes a tile of x columns and 4·y rows of
// the input (32 × 32 for the default block of 32 × 8), four elements a thread, through dynamic shared memory:
// a row of the tile is x + padding floats. Any block shape runs whose tiles fit kSharedBytesMax.
#pragma once

#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

inline constexpr int kRowsPerThread = 4;

// `tiles` of them side by side in one block.
inline Plan tile_plan(BlockShape block, int padding, int tiles = 1) {
  Plan plan = row_plan(block, tiles);
  plan.tile_rows = std::int64_t{block.y} * kRowsPerThread;
  plan.shared_bytes =
      static_cast<std::size_t>(tiles * plan.tile_rows * (std::int64_t{block.x} + padding)) * sizeof(float);
  return plan;
}

// Where a block's tiles are in the panel and in shared memory.
template <int kTiles, int kPadding>
struct Tiles {
  float* shared;
  std::uint32_t row = folded_block_y() * (blockDim.y * kRowsPerThread);
  std::uint32_t column = blockIdx.x * (blockDim.x * kTiles);
  std::uint32_t height = blockDim.y * kRowsPerThread;
  std::uint32_t stride = blockDim.x + kPadding;

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

}  // namespace kernels::transpose
