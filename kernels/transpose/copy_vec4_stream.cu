// copy_vec4 with 64 bytes a thread, all in flight at once, loads and stores marked "evict first".
// Shows: what a small matrix wants: with one wave of blocks, the latency of a load counts, and a line that is
// read once is the one to give up when a dirty one would have to be written back.
// Predicted: faster than copy_vec4 where a matrix fits L2, slower beyond, where it scatters the accesses. So
// it is at 2048 × 1024 (8.3 µs against 8.7 on an H200) and above 2048²; in between they are level.
#include "kernels/transpose/flat_copy.cuh"

namespace kernels::transpose {

constexpr int kLoads = 4;

__global__ void __launch_bounds__(kThreadsPerBlockMax, 1) copy_vec4_stream_kernel(Line line) {
  copy_line<kLoads, true>(line);
}

int launch_copy_vec4_stream(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_flat(copy_vec4_stream_kernel, problem, block, kLoads, stream);
}

}  // namespace kernels::transpose
