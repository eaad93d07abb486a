// The textbook transpose, reading along rows: one element per thread, x along the input's row.
// A warp's loads lie side by side (four sectors); its 32 stores lie a whole output row apart (32 sectors,
// 4 bytes of each used), and L2 has to put the sectors together from the stores of other warps.
// Shows: what uncoalesced stores cost.
// Predicted: 8 bytes per element in device memory while L2 merges the stores, but 8 times copy_row's
// store traffic between SM and L2; instructions as copy_row.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

__global__ void __launch_bounds__(kThreadsPerBlockMax) naive_row_kernel(Panel p) {
  const std::uint32_t column = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t row = folded_block_y() * blockDim.y + threadIdx.y;
  if (row < p.rows && column < p.columns) {
    p.out[column * p.out_pitch + row] = p.in[row * p.in_pitch + column];
  }
}

int launch_naive_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(naive_row_kernel, problem, row_plan(block), stream);
}

}  // namespace kernels::transpose
