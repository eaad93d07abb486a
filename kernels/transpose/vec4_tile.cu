// A 64 × 64 tile with 16-byte accesses all the way: four loads of 16 bytes in flight a thread.
// A warp loads two rows of 256 bytes and stores two rows of 256 bytes; shared memory is written and read 16
// bytes a thread without conflicts; of the transposition itself, nothing is left but the naming of registers.
// Shows: what smem_padded leaves: a sixteenth of its loads and stores for the same bytes, so that what
// remains is what the memory system does with the order of the accesses.
// Predicted: bytes as copy_vec4, 16 instructions that access memory for 16 floats instead of 64. A row of a
// tile is two lines in one place of device memory, copy_vec4's order has no such breaks: a little slower.
#include "kernels/transpose/vec4_tile.cuh"

namespace kernels::transpose {

constexpr int kTileRows = 64;

__global__ void __launch_bounds__(kVecTileBlock.x) vec4_tile_kernel(Panel p) {
  transpose_vec_tile<kTileRows>(p);
}

int launch_vec4_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_vec_tile(vec4_tile_kernel, kTileRows, problem, block, stream);
}

}  // namespace kernels::transpose
