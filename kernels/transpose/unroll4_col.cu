// naive_col with four elements per thread, a block's width apart along the column.
// Stores are coalesced; four strided loads are in flight per thread, so that their latency overlaps.
// Shows: more loads in flight hide the latency of strided access, up to what L1 can hold and serve.
// Predicted: bytes as naive_col while the four times larger set of sectors stays in L1; the index
// arithmetic of a thread is spread over four elements.
#include "kernels/transpose/unroll.cuh"

namespace kernels::transpose {

constexpr int kCount = 4;

__global__ void __launch_bounds__(kThreadsPerBlockMax) unroll4_col_kernel(Panel p) {
  transpose_unrolled_column<kCount>(p);
}

int launch_unroll4_col(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(unroll4_col_kernel, problem, column_plan(block, kCount), stream);
}

}  // namespace kernels::transpose
