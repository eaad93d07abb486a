// Copies along rows: the bound for the tiled transposes. Same block, same four rows a thread, all loads in
// flight before the first store, but no transposition.
// A warp loads 32 floats that lie side by side and stores them side by side: four 32-byte sectors each way.
// Shows: what the memory system gives to the same work. With one element a thread, too few loads are in
// flight to fill an H200's memory: 2.5 TB/s at 8192², less than smem_padded's 3.5 (H200, 2026-11-20).
// Predicted: 8 bytes per element in device memory; a little faster than smem_padded, which also has the
// shared memory and a barrier to pay for.
#include "kernels/transpose/tile.cuh"

namespace kernels::transpose {

__global__ void __launch_bounds__(kThreadsPerBlockMax) copy_row_kernel(Panel p) {
  const std::uint32_t column = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t row = folded_block_y() * (blockDim.y * kRowsPerThread) + threadIdx.y;
  if (column >= p.columns) {
    return;
  }
  const float* in = p.in + (row * p.in_pitch + column);
  float* out = p.out + (row * p.out_pitch + column);
  float values[kRowsPerThread];
#pragma unroll
  for (int i = 0; i < kRowsPerThread; ++i) {
    if (row + i * blockDim.y < p.rows) {
      values[i] = in[i * blockDim.y * p.in_pitch];
    }
  }
#pragma unroll
  for (int i = 0; i < kRowsPerThread; ++i) {
    if (row + i * blockDim.y < p.rows) {
      out[i * blockDim.y * p.out_pitch] = values[i];
    }
  }
}

static Plan plan(BlockShape block) {
  Plan plan = row_plan(block);
  plan.tile_rows *= kRowsPerThread;
  plan.is_copy = true;
  return plan;
}

int launch_copy_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(copy_row_kernel, problem, plan(block), stream);
}

}  // namespace kernels::transpose
