// async with blocks of 128 × 128 and 4 warps, two of which share a multiprocessor: while one waits, begins or
// ends, the other computes.
// Shows: the same work per thread; each tile is read from L2 for half as many multiply-adds, so 4/3 of the
// bytes and of the copies. Predicted: 2 % below async for large sizes, above it where its blocks fill the
// waves better.
#include "kernels/gemm/warp_tiles.cuh"

namespace kernels::gemm {

int launch_async_pair(const GemmProblem& problem, Stream stream) {
  return launch_warp_tiles<BlockTile<128, 128, 16, 1, 2>, Transfer::kAsync>(problem, stream);
}

int launch_async_pair_parts(const GemmProblem& problem, const Split& split, Stream stream) {
  return launch_warp_tiles<BlockTile<128, 128, 16, 1, 2>, Transfer::kAsync>(problem, stream, split);
}

}  // namespace kernels::gemm
