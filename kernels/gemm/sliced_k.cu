// async for sizes whose large tiles would leave most multiprocessors idle: 64 × 128 of C per block. Its 8
// warps share them by k: four slices of two warps take a quarter of each tile's steps, and are added in the
// end, in a fixed order. Shows: small tiles without giving up 8 × 16 results per thread, nor two warps for
// each scheduler. Predicted: 1024³ is 128 blocks, 97 % of one wave, where async has 32; half the
// multiply-adds per byte from L2, and 96 KiB through shared memory at the end of a block.
#include "kernels/gemm/warp_tiles.cuh"

namespace kernels::gemm {

int launch_sliced_k(const GemmProblem& problem, Stream stream) {
  return launch_warp_tiles<BlockTile<64, 128, 32, 4, 1>, Transfer::kAsync>(problem, stream);
}

int launch_sliced_k_parts(const GemmProblem& problem, const Split& split, Stream stream) {
  return launch_warp_tiles<BlockTile<64, 128, 32, 4, 1>, Transfer::kAsync>(problem, stream, split);
}

}  // namespace kernels::gemm
