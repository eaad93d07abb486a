// Copies along rows: the upper bound for every transpose that moves one element at a time.
// A warp loads 32 floats that lie side by side and stores them side by side: four 32-byte sectors each way.
// Shows: what the memory system gives to the same work without the transposition.
// Predicted: 8 bytes per element in device memory; one load, one store and about 20 instructions of
// index arithmetic per element.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

__global__ void __launch_bounds__(kThreadsPerBlockMax) copy_row_kernel(Panel p) {
  const std::uint32_t column = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t row = folded_block_y() * blockDim.y + threadIdx.y;
  if (row < p.rows && column < p.columns) {
    p.out[row * p.out_pitch + column] = p.in[row * p.in_pitch + column];
  }
}

static Plan plan(BlockShape block) {
  Plan plan = row_plan(block);
  plan.is_copy = true;
  return plan;
}

int launch_copy_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(copy_row_kernel, problem, plan(block), stream);
}

std::optional<KernelResources> resources_copy_row(BlockShape block) {
  return resources(copy_row_kernel, plan(block));
}

}  // namespace kernels::transpose
