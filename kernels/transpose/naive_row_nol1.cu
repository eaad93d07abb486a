// naive_row with loads that bypass L1 (ld.global.cg: cached in L2 only).
// Loads are coalesced and every loaded byte is used at once, stores are strided.
// Shows: nothing is lost, because coalesced loads never come back to L1.
// Predicted: bytes, instructions and time as naive_row.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

__global__ void __launch_bounds__(kThreadsPerBlockMax) naive_row_nol1_kernel(Panel p) {
  const std::uint32_t column = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t row = folded_block_y() * blockDim.y + threadIdx.y;
  if (row < p.rows && column < p.columns) {
    p.out[column * p.out_pitch + row] = __ldcg(p.in + (row * p.in_pitch + column));
  }
}

int launch_naive_row_nol1(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(naive_row_nol1_kernel, problem, row_plan(block), stream);
}

}  // namespace kernels::transpose
