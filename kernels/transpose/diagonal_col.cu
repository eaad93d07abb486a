// naive_col with the blocks dealt out along diagonals of the matrix instead of along its columns.
// Stores are coalesced, loads strided, as in naive_col; only the order of the blocks differs.
// Shows: as diagonal_row, for the loads: blocks that run at the same time read from different columns.
// Predicted: bytes as naive_col or more; an integer division a thread on top.
#include "kernels/transpose/diagonal.cuh"

namespace kernels::transpose {

__global__ void __launch_bounds__(kThreadsPerBlockMax) diagonal_col_kernel(Panel p) {
  const DiagonalTile tile = diagonal_tile(p);
  const std::uint32_t row = tile.row * blockDim.x + threadIdx.x;
  const std::uint32_t column = tile.column * blockDim.y + threadIdx.y;
  if (tile.exists && row < p.rows && column < p.columns) {
    p.out[column * p.out_pitch + row] = p.in[row * p.in_pitch + column];
  }
}

int launch_diagonal_col(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(diagonal_col_kernel, problem, column_plan(block), stream);
}

}  // namespace kernels::transpose
