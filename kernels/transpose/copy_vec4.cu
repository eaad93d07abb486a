// A flat copy, 16 bytes a thread.
// A warp loads 512 bytes that lie side by side and stores them side by side: four whole lines each way. Small
// blocks, each with a few KB in flight: the bytes that the device works on at any time lie close together.
// Shows: the bound for matrices larger than L2. More bytes in flight make it slower, not faster: 64 bytes a
// thread in blocks of 256 took 134.3 µs at 8192² where 16 bytes a thread in blocks of 128 took 129.5 (H200,
// 2026-11-20): they scatter the accesses over more of device memory's pages.
// Predicted: 8 bytes per element in device memory, as fast as the runtime's copy.
#include "kernels/transpose/flat_copy.cuh"

namespace kernels::transpose {

constexpr int kLoads = 1;

__global__ void __launch_bounds__(kThreadsPerBlockMax) copy_vec4_kernel(Line line) {
  copy_line<kLoads, false>(line);
}

int launch_copy_vec4(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_flat(copy_vec4_kernel, problem, block, kLoads, stream);
}

}  // namespace kernels::transpose
