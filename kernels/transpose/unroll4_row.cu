// naive_row with four elements per thread, a block's width apart along the row.
// Loads are coalesced and four of them are in flight per thread; stores are strided as in naive_row.
// Shows: whether naive_row waits for its loads. If it waits for its stores, as it should, little is won.
// Predicted: bytes as naive_row; the index arithmetic of a thread is spread over four elements.
#include "kernels/transpose/unroll.cuh"

namespace kernels::transpose {

constexpr int kCount = 4;

__global__ void __launch_bounds__(kThreadsPerBlockMax) unroll4_row_kernel(Panel p) {
  transpose_unrolled_row<kCount>(p);
}

int launch_unroll4_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(unroll4_row_kernel, problem, row_plan(block, kCount), stream);
}

}  // namespace kernels::transpose
