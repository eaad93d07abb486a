// smem_padded with two tiles side by side per block: eight elements a thread.
// Loads and stores are both coalesced and free of bank conflicts; eight loads are in flight per thread, and
// twice the bytes move for each barrier and for each index computed.
// Shows: what is left to win once the access pattern is right: latency and instructions.
// Predicted: bytes as copy_row; fewer instructions per element than smem_padded.
#include "kernels/transpose/tile.cuh"

namespace kernels::transpose {

constexpr int kPadding = 1;
constexpr int kTiles = 2;

__global__ void __launch_bounds__(kThreadsPerBlockMax) smem_unroll_padded_kernel(Panel p) {
  extern __shared__ float shared[];
  const Tiles<kTiles, kPadding> tiles{shared};
  tiles.load(p);
  __syncthreads();
  tiles.store_columns(p);
}

int launch_smem_unroll_padded(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(smem_unroll_padded_kernel, problem, tile_plan(block, kPadding, kTiles), stream);
}

}  // namespace kernels::transpose
