// naive_row with eight elements per thread, a block's width apart along the row.
// Loads are coalesced and eight of them are in flight per thread; stores are strided as in naive_row.
// Shows: whether naive_row waits for its loads. If it waits for its stores, as it should, little is won.
// Predicted: bytes as naive_row; the index arithmetic of a thread is spread over eight elements.
#include "kernels/transpose/unroll.cuh"

namespace kernels::transpose {

constexpr int kCount = 8;

__global__ void __launch_bounds__(kThreadsPerBlockMax) unroll8_row_kernel(Panel p) {
  transpose_unrolled_row<kCount>(p);
}

int launch_unroll8_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(unroll8_row_kernel, problem, row_plan(block, kCount), stream);
}

}  // namespace kernels::transpose
