// vec4_tile with two tiles, one below the other, in a block: eight loads of 16 bytes in flight a thread.
// A warp loads two rows of 256 bytes and stores one row of 512 bytes.
// Shows: half the blocks and barriers for the same bytes, and longer rows to store. It wants enough tiles to
// fill all multiprocessors: with less than six of 64 × 64 for each, vec4_tile is faster.
// Predicted: as vec4_tile for large matrices, faster around the size of L2, slower for small ones.
#include "kernels/transpose/vec4_tile.cuh"

namespace kernels::transpose {

constexpr int kTileRows = 128;

__global__ void __launch_bounds__(kVecTileBlock.x) vec4_tall_tile_kernel(Panel p) {
  transpose_vec_tile<kTileRows>(p);
}

int launch_vec4_tall_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_vec_tile(vec4_tall_tile_kernel, kTileRows, problem, block, stream);
}

}  // namespace kernels::transpose
