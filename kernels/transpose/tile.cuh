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
  __device__ __forceinline__ void load(const Panel& p) const {
    const std::uint32_t x = threadIdx.x;
    const float* in = p.in + ((row + threadIdx.y) * p.in_pitch + column + x);
    const std::uint64_t step = blockDim.y * p.in_pitch;
    const auto is_inside = [&](int tile, int i) {
      return row + threadIdx.y + i * blockDim.y < p.rows && column + tile * blockDim.x + x < p.columns;
    };
    float values[kTiles][kRowsPerThread];
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile) {
#pragma unroll
      for (int i = 0; i < kRowsPerThread; ++i) {
        if (is_inside(tile, i)) {
          values[tile][i] = in[i * step + tile * blockDim.x];
        }
      }
    }
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile) {
#pragma unroll
      for (int i = 0; i < kRowsPerThread; ++i) {
        if (is_inside(tile, i)) {
          at(tile, threadIdx.y + i * blockDim.y, x) = values[tile][i];
        }
      }
    }
  }

  // Coalesced stores: the block's threads, counted through, walk the tile down its columns, so that a warp
  // reads a column of the tile (floats `stride` apart: one bank for all when stride is 32) and stores it side
  // by side into a row of the output. Wants a barrier after load().
  __device__ __forceinline__ void store_columns(const Panel& p) const {
    const std::uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    std::uint32_t x = thread / height;
    std::uint32_t y = thread - x * height;
    // x · y threads further on: so many columns, and so many rows.
    const std::uint32_t x_step = blockDim.x / kRowsPerThread;
    const std::uint32_t y_step = blockDim.x % kRowsPerThread * blockDim.y;
#pragma unroll
    for (int i = 0; i < kRowsPerThread; ++i) {
      float* out = p.out + ((column + x) * p.out_pitch + row + y);
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile) {
        if (row + y < p.rows && column + tile * blockDim.x + x < p.columns) {
          out[tile * blockDim.x * p.out_pitch] = at(tile, y, x);
        }
      }
      x += x_step;
      y += y_step;
      if (y >= height) {
        y -= height;
        ++x;
      }
    }
  }
};

}  // namespace kernels::transpose
