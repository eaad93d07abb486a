// How every transpose is launched: the block is checked, and the matrix is cut into panels whose coordinates
// fit 32 bits, so that kernels need 64 bits for one product only (coordinate × pitch).
#pragma once

#include <algorithm>

#include "kernels/block_order.cuh"
#include "kernels/transpose.hpp"

namespace kernels::transpose {

// Every grid of tiles this long fits a launch's limits, and coordinates past its end still fit 32 bits.
inline constexpr std::int64_t kPanelSide = std::int64_t{1} << 30;

// What a kernel is given: a rows × columns part of the input, and where it goes.
struct Panel {
  const float* in;
  float* out;
  std::uint64_t in_pitch;  // elements from one row to the next
  std::uint64_t out_pitch;
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t lines;  // tiles along the grid's folded axis
};

enum class Axis { kColumns, kRows };

// What one block covers, and the order in which blocks cover the input.
struct Plan {
  BlockShape block;
  std::int64_t tile_rows = 1;
  std::int64_t tile_columns = 1;
  Axis grid_x = Axis::kColumns;  // the input's axis that blockIdx.x runs along; the other one is folded
  std::size_t shared_bytes = 0;
  bool is_copy = false;
};

// threadIdx.x runs along a row of the input, so that a warp's loads lie side by side: the …_row variants.
// A thread does `count` elements of its row, each a block's width apart.
inline Plan row_plan(BlockShape block, int count = 1) {
  return {.block = block, .tile_rows = block.y, .tile_columns = std::int64_t{block.x} * count};
}

// threadIdx.x runs along a column of the input, so that a warp's stores lie side by side: the …_col variants.
inline Plan column_plan(BlockShape block, int count = 1) {
  return {.block = block,
          .tile_rows = std::int64_t{block.x} * count,
          .tile_columns = block.y,
          .grid_x = Axis::kRows};
}

// Rows that a thread has of a tile in shared memory, and of copy_row.
inline constexpr int kRowsPerThread = 4;

inline bool is_runnable(const Plan& plan) {
  const BlockShape& block = plan.block;
  return block.x > 0 && block.y > 0 && std::int64_t{block.x} * block.y <= kThreadsPerBlockMax &&
         plan.shared_bytes <= kSharedBytesMax;
}

inline cudaError_t launch_panel(void (*kernel)(Panel), Panel panel, const Plan& plan, Stream stream) {
  const std::int64_t row_tiles = divide_up(panel.rows, plan.tile_rows);
  const std::int64_t column_tiles = divide_up(panel.columns, plan.tile_columns);
  const bool along_columns = plan.grid_x == Axis::kColumns;
  const std::int64_t lines = along_columns ? row_tiles : column_tiles;
  panel.lines = static_cast<std::uint32_t>(lines);
  const dim3 grid = folded_grid(along_columns ? column_tiles : row_tiles, lines);
  const dim3 block(static_cast<unsigned>(plan.block.x), static_cast<unsigned>(plan.block.y));
  return launch_kernel(kernel, grid, block, plan.shared_bytes, stream, panel, Begin::kEarly);
}

// Calls launch_panel(Panel) → cudaError_t for each panel of the problem, and stops at the first error.
// cudaErrorInvalidValue for a negative size; an empty matrix is a success.
template <typename LaunchPanel>
int for_each_panel(const TransposeProblem& problem, bool is_copy, const LaunchPanel& launch_panel) {
  const auto [in, out, rows, columns] = problem;
  if (rows < 0 || columns < 0) {
    return cudaErrorInvalidValue;
  }
  const std::int64_t out_pitch = is_copy ? columns : rows;
  for (std::int64_t row = 0; row < rows; row += kPanelSide) {
    for (std::int64_t column = 0; column < columns; column += kPanelSide) {
      const Panel panel{
          .in = in + row * columns + column,
          .out = out + (is_copy ? row * out_pitch + column : column * out_pitch + row),
          .in_pitch = static_cast<std::uint64_t>(columns),
          .out_pitch = static_cast<std::uint64_t>(out_pitch),
          .rows = static_cast<std::uint32_t>(std::min(rows - row, kPanelSide)),
          .columns = static_cast<std::uint32_t>(std::min(columns - column, kPanelSide)),
          .lines = 0,
      };
      const cudaError_t error = launch_panel(panel);
      if (error != cudaSuccess) {
        return error;
      }
    }
  }
  return cudaSuccess;
}

// cudaErrorInvalidValue also for a block that cannot run.
inline int launch(void (*kernel)(Panel), const TransposeProblem& problem, const Plan& plan, Stream stream) {
  if (!is_runnable(plan)) {
    return cudaErrorInvalidValue;
  }
  return for_each_panel(problem, plan.is_copy,
                        [&](const Panel& panel) { return launch_panel(kernel, panel, plan, stream); });
}

}  // namespace kernels::transpose
