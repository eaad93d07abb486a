// Through a tile in shared memory: a warp loads a row of the tile and stores a column of it.
// Loads and stores are both coalesced. Reading the tile down a column hits one bank 32 times when its rows
// are 32 floats (the default block): each such read takes 32 turns instead of one.
// Shows: coalescing is paid for with bank conflicts, against smem_padded, which differs in nothing else.
// Predicted: bytes in device memory and in L2 as copy_row; 33 shared-memory turns for 32 elements, not 2.
#include "kernels/transpose/tile.cuh"

namespace kernels::transpose {

constexpr int kPadding = 0;

__global__ void __launch_bounds__(kThreadsPerBlockMax) smem_kernel(Panel p) {
  extern __shared__ float shared[];
  const Tiles<1, kPadding> tiles{shared};
  tiles.load(p);
  __syncthreads();
  tiles.store_columns(p);
}

int launch_smem(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(smem_kernel, problem, tile_plan(block, kPadding), stream);
}

}  // namespace kernels::transpose
