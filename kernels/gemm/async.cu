// warp_tile with cp.async: what a tile needs goes to shared memory past the registers.
// Shows: nothing of the next tile waits in registers, 12 stores a tile less; nothing else differs.
// Predicted: 93 % multiply-adds as there, 2 % of the instructions less; at 4096³, 512 blocks on 132
// multiprocessors are 3.88 waves, so 97 % of that.
#include "kernels/gemm/warp_tiles.cuh"

namespace kernels::gemm {

int launch_async(const GemmProblem& problem, Stream stream) {
  return launch_warp_tiles<BlockTile<128, 256, 16, 1, 1>, Transfer::kAsync>(problem, stream);
}

int launch_async_parts(const GemmProblem& problem, const Split& split, Stream stream) {
  return launch_warp_tiles<BlockTile<128, 256, 16, 1, 1>, Transfer::kAsync>(problem, stream, split);
}

}  // namespace kernels::gemm
