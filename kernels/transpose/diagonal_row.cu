// naive_row with the blocks dealt out along diagonals of the matrix instead of along its rows.
// Loads are coalesced, stores strided, as in naive_row; only the order of the blocks differs.
// Shows: a remedy for partition camping, where blocks that run at the same time store into one column of the
// output and, with a power-of-two pitch, into one memory channel. Channels are hashed on newer chips: there,
// little is to be won, and neighbours in L2 are lost.
// Predicted: bytes as naive_row or more; an integer division a thread on top.
#include "kernels/transpose/diagonal.cuh"

namespace kernels::transpose {

__global__ void __launch_bounds__(kThreadsPerBlockMax) diagonal_row_kernel(Panel p) {
  const DiagonalTile tile = diagonal_tile(p);
  const std::uint32_t column = tile.column * blockDim.x + threadIdx.x;
  const std::uint32_t row = tile.row * blockDim.y + threadIdx.y;
  if (tile.exists && row < p.rows && column < p.columns) {
    p.out[column * p.out_pitch + row] = p.in[row * p.in_pitch + column];
  }
}

static Plan plan(BlockShape block) {
  Plan plan = row_plan(block);
  plan.grid_x = Axis::kRows;
  return plan;
}

int launch_diagonal_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(diagonal_row_kernel, problem, plan(block), stream);
}

}  // namespace kernels::transpose
