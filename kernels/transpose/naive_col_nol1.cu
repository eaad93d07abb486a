// naive_col with loads that bypass L1 (ld.global.cg: cached in L2 only).
// Stores are coalesced; each strided load takes a whole sector from L2 and uses 4 of its 32 bytes, and the
// next warp takes the same sector again.
// Shows: how much of naive_col's speed was L1.
// Predicted: 8 times naive_col's load traffic between L2 and SM; device memory and instructions the same.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

__global__ void __launch_bounds__(kThreadsPerBlockMax) naive_col_nol1_kernel(Panel p) {
  const std::uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t column = folded_block_y() * blockDim.y + threadIdx.y;
  if (row < p.rows && column < p.columns) {
    p.out[column * p.out_pitch + row] = __ldcg(p.in + (row * p.in_pitch + column));
  }
}

int launch_naive_col_nol1(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(naive_col_nol1_kernel, problem, column_plan(block), stream);
}

}  // namespace kernels::transpose
