// The textbook transpose, reading along columns: one element per thread, x along the output's row.
// A warp's stores lie side by side (four sectors); its 32 loads lie an input row apart (32 sectors, 4 bytes
// of each used), and the block's other 7 warps find the rest of those sectors in L1.
// Shows: uncoalesced loads have a cache before them that uncoalesced stores have not.
// Predicted: 8 bytes per element in device memory; SM to L2 traffic as copy_row's while L1 holds the
// sectors.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

__global__ void __launch_bounds__(kThreadsPerBlockMax) naive_col_kernel(Panel p) {
  const std::uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t column = folded_block_y() * blockDim.y + threadIdx.y;
  if (row < p.rows && column < p.columns) {
    p.out[column * p.out_pitch + row] = p.in[row * p.in_pitch + column];
  }
}

int launch_naive_col(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(naive_col_kernel, problem, column_plan(block), stream);
}

}  // namespace kernels::transpose
