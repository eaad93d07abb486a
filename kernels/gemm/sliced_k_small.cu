// sliced_k with 64 × 64 of C per block and eight slices of a single warp.
// Shows: how far slicing carries: the tile's bytes per multiply-add double, and the sums of seven slices go
// through shared memory.
// Predicted: at 512³, 64 blocks instead of 32, and half the steps along k for each warp: ahead of sliced_k
// there, behind it from 1024³ on.
#include "kernels/gemm/warp_tiles.cuh"

namespace kernels::gemm {

int launch_sliced_k_small(const GemmProblem& problem, Stream stream) {
  return launch_warp_tiles<BlockTile<64, 64, 64, 8, 1>, Transfer::kAsync>(problem, stream);
}

int launch_sliced_k_small_parts(const GemmProblem& problem, const Split& split, Stream stream) {
  return launch_warp_tiles<BlockTile<64, 64, 64, 8, 1>, Transfer::kAsync>(problem, stream, split);
}

}  // namespace kernels::gemm
