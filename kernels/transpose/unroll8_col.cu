// naive_col with eight elements per thread, a block's width apart along the column.
// Stores are coalesced; eight strided loads are in flight per thread, so that their latency overlaps.
// Shows: more loads in flight hide the latency of strided access, up to what L1 can hold and serve.
// Predicted: bytes as naive_col while the eight times larger set of sectors stays in L1; the index
// arithmetic of a thread is spread over eight elements.
#include "kernels/transpose/unroll.cuh"

namespace kernels::transpose {

constexpr int kCount = 8;

__global__ void __launch_bounds__(kThreadsPerBlockMax) unroll8_col_kernel(Panel p) {
  transpose_unrolled_column<kCount>(p);
}

int launch_unroll8_col(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(unroll8_col_kernel, problem, column_plan(block, kCount), stream);
}

}  // namespace kernels::transpose
