// Through a tile in shared memory, but written out by columns: a warp stores the row of the tile that it
// loaded into a column of the output.
// Loads are coalesced, the tile is read without bank conflicts; a warp's stores lie an output row apart.
// Shows: a tile wins nothing by itself, only by changing which thread stores which element.
// Predicted: bytes and stores as naive_row, with the way through shared memory and the barrier on top.
#include "kernels/transpose/tile.cuh"

namespace kernels::transpose {

constexpr int kPadding = 0;

__global__ void __launch_bounds__(kThreadsPerBlockMax) smem_column_write_kernel(Panel p) {
  extern __shared__ float shared[];
  const Tiles<1, kPadding> tiles{shared};
  tiles.load(p);
  __syncthreads();
  const std::uint32_t column = tiles.column + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kRowsPerThread; ++i) {
    const std::uint32_t y = threadIdx.y + i * blockDim.y;
    if (tiles.row + y < p.rows && column < p.columns) {
      p.out[column * p.out_pitch + tiles.row + y] = tiles.at(0, y, threadIdx.x);
    }
  }
}

int launch_smem_column_write(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(smem_column_write_kernel, problem, tile_plan(block, kPadding), stream);
}

}  // namespace kernels::transpose
