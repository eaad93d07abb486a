// The order of blocks that the diagonal variants share.
#pragma once

#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

// Blocks that start one after the other take tiles on a diagonal: the x-th block of the y-th line takes the
// tile in row x and in column (x + y) mod the number of columns. For every row x, y → column is one to one on
// [0, columns), so each tile is taken exactly once, however far the grid is from square. Launch with grid_x
// along the rows.
struct DiagonalTile {
  std::uint32_t row;
  std::uint32_t column;
  bool exists;  // a folded grid may overshoot
};

__device__ __forceinline__ DiagonalTile diagonal_tile(const Panel& p) {
  const std::uint32_t line = folded_block_y();
  return {.row = blockIdx.x, .column = (blockIdx.x + line) % p.lines, .exists = line < p.lines};
}

}  // namespace kernels::transpose
