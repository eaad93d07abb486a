// The textbook transposes: one element per thread, and one side or the other strided. What differs between
// the six is which axis threadIdx.x runs along, how a thread loads, and in which order blocks take the tiles.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

// The element of one thread. kPastL1: loads are cached in L2 only (ld.global.cg).
template <bool kPastL1 = false>
__device__ __forceinline__ void transpose_element(const Panel& p, std::uint32_t row, std::uint32_t column) {
  if (row < p.rows && column < p.columns) {
    const float* const from = p.in + (row * p.in_pitch + column);
    p.out[column * p.out_pitch + row] = kPastL1 ? __ldcg(from) : *from;
  }
}

// naive_row: x along the input's row.
// A warp's loads lie side by side (four sectors); its 32 stores lie a whole output row apart (32 sectors,
// 4 bytes of each used), and L2 has to put the sectors together from the stores of other warps.
// Shows: what uncoalesced stores cost.
// Predicted: 8 bytes per element in device memory while L2 merges the stores, but 8 times copy_row's
// store traffic between SM and L2; instructions as copy_row.
__global__ void __launch_bounds__(kThreadsPerBlockMax) naive_row_kernel(Panel p) {
  wait_for_kernel_before();
  const std::uint32_t column = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t row = folded_block_y() * blockDim.y + threadIdx.y;
  transpose_element(p, row, column);
}

int launch_naive_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(naive_row_kernel, problem, row_plan(block), stream);
}

// naive_col: x along the output's row.
// A warp's stores lie side by side (four sectors); its 32 loads lie an input row apart (32 sectors, 4 bytes
// of each used), and the block's other 7 warps find the rest of those sectors in L1.
// Shows: uncoalesced loads have a cache before them that uncoalesced stores have not.
// Predicted: 8 bytes per element in device memory; SM to L2 traffic as copy_row's while L1 holds the
// sectors.
__global__ void __launch_bounds__(kThreadsPerBlockMax) naive_col_kernel(Panel p) {
  wait_for_kernel_before();
  const std::uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t column = folded_block_y() * blockDim.y + threadIdx.y;
  transpose_element(p, row, column);
}

int launch_naive_col(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(naive_col_kernel, problem, column_plan(block), stream);
}

// naive_row_nol1: naive_row with loads that bypass L1.
// Loads are coalesced and every loaded byte is used at once, stores are strided.
// Shows: nothing is lost, because coalesced loads never come back to L1.
// Predicted: bytes, instructions and time as naive_row.
__global__ void __launch_bounds__(kThreadsPerBlockMax) naive_row_nol1_kernel(Panel p) {
  wait_for_kernel_before();
  const std::uint32_t column = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t row = folded_block_y() * blockDim.y + threadIdx.y;
  transpose_element<true>(p, row, column);
}

int launch_naive_row_nol1(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(naive_row_nol1_kernel, problem, row_plan(block), stream);
}

// naive_col_nol1: naive_col with loads that bypass L1.
// Stores are coalesced; each strided load takes a whole sector from L2 and uses 4 of its 32 bytes, and the
// next warp takes the same sector again.
// Shows: how much of naive_col's speed was L1.
// Predicted: 8 times naive_col's load traffic between L2 and SM; device memory and instructions the same.
__global__ void __launch_bounds__(kThreadsPerBlockMax) naive_col_nol1_kernel(Panel p) {
  wait_for_kernel_before();
  const std::uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t column = folded_block_y() * blockDim.y + threadIdx.y;
  transpose_element<true>(p, row, column);
}

int launch_naive_col_nol1(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(naive_col_nol1_kernel, problem, column_plan(block), stream);
}

// diagonal_row: naive_row with the blocks dealt out along diagonals of the matrix instead of along its rows.
// Loads are coalesced, stores strided, as in naive_row; only the order of the blocks differs.
// Shows: a remedy for partition camping, where blocks that run at the same time store into one column of the
// output and, with a power-of-two pitch, into one memory channel. Channels are hashed on newer chips: there,
// little is to be won, and neighbours in L2 are lost.
// Predicted: bytes as naive_row or more; an integer division a thread on top.
__global__ void __launch_bounds__(kThreadsPerBlockMax) diagonal_row_kernel(Panel p) {
  wait_for_kernel_before();
  const DiagonalTile tile = diagonal_tile(p.lines);
  const std::uint32_t column = tile.column * blockDim.x + threadIdx.x;
  const std::uint32_t row = tile.row * blockDim.y + threadIdx.y;
  if (tile.exists && row < p.rows && column < p.columns) {
    p.out[column * p.out_pitch + row] = p.in[row * p.in_pitch + column];
  }
}

int launch_diagonal_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  Plan plan = row_plan(block);
  plan.grid_x = Axis::kRows;
  return launch(diagonal_row_kernel, problem, plan, stream);
}

// diagonal_col: naive_col with the blocks dealt out along diagonals of the matrix instead of along its
// columns. Stores are coalesced, loads strided, as in naive_col; only the order of the blocks differs.
// Shows: as diagonal_row, for the loads: blocks that run at the same time read from different columns.
// Predicted: bytes as naive_col or more; an integer division a thread on top.
__global__ void __launch_bounds__(kThreadsPerBlockMax) diagonal_col_kernel(Panel p) {
  wait_for_kernel_before();
  const DiagonalTile tile = diagonal_tile(p.lines);
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
