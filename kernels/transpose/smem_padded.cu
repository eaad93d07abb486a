// smem with one unused float after each row of the tile.
// Loads and stores are both coalesced, and a column of the tile now lies in 32 different banks.
// Shows: what the bank conflicts of smem cost.
// Predicted: bytes as copy_row, 2 shared-memory turns for 32 elements; as fast as copy_row, less the barrier.
#include "kernels/transpose/tile.cuh"

namespace kernels::transpose {

constexpr int kPadding = 1;

__global__ void __launch_bounds__(kThreadsPerBlockMax) smem_padded_kernel(Panel p) {
  extern __shared__ float shared[];
  const Tiles<1, kPadding> tiles{shared};
  tiles.load(p);
  __syncthreads();
  tiles.store_columns(p);
}

int launch_smem_padded(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(smem_padded_kernel, problem, tile_plan(block, kPadding), stream);
}

}  // namespace kernels::transpose
