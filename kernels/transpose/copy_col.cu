// Copies along columns: the bound from below. Both the loads and the stores of a warp lie a row apart.
// x runs along the input's column, so each access of a warp touches 32 sectors and uses 4 bytes of each; the
// block's other side of 8 uses up the rest, from L1 for loads and merged in L2 for stores.
// Shows: what is left when neither side is coalesced. A transpose has one good side and should beat it.
// Predicted: 8 bytes per element in device memory, 8 times copy_row's traffic between SM and L2 for stores.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

__global__ void __launch_bounds__(kThreadsPerBlockMax) copy_col_kernel(Panel p) {
  const std::uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t column = folded_block_y() * blockDim.y + threadIdx.y;
  if (row < p.rows && column < p.columns) {
    p.out[row * p.out_pitch + column] = p.in[row * p.in_pitch + column];
  }
}

static Plan plan(BlockShape block) {
  Plan plan = column_plan(block);
  plan.is_copy = true;
  return plan;
}

int launch_copy_col(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(copy_col_kernel, problem, plan(block), stream);
}

}  // namespace kernels::transpose
