// Warp tiles (warp_tiles.cuh): 128 × 256 of C per block of 8 warps, 64 × 64 per warp, 8 × 16 per thread, k in
// tiles of 16. The next tile waits in registers while this one is computed.
// Shows: twice the results per thread of tile_2d, fragments loaded a step ahead, one barrier a tile.
// Predicted: 6 vector loads from shared memory for 128 multiply-adds, about 93 % of all instructions are
// multiply-adds; with one register-bank conflict in ten of them, 83 % of the float32 rate, less the waiting.
#include "kernels/gemm/warp_tiles.cuh"

namespace kernels::gemm {

int launch_warp_tile(const GemmProblem& problem, Stream stream) {
  return launch_warp_tiles<BlockTile<128, 256, 16, 1, 1>, Transfer::kRegisters>(problem, stream);
}

int launch_warp_tile_parts(const GemmProblem& problem, const Split& split, Stream stream) {
  return launch_warp_tiles<BlockTile<128, 256, 16, 1, 1>, Transfer::kRegisters>(problem, stream, split);
}

}  // namespace kernels::gemm
