// Launches of known content, for launch_trace_test.
#pragma once

#include "kernels/kernel.hpp"

namespace tracker::kit::trace_test {

// Each enqueues on the stream and gives a cudaError_t.
int launch_one(kernels::Stream stream);      // scale_kernel<3>, 7x5 blocks of 32x4 threads, 48 bytes shared
int launch_cluster(kernels::Stream stream);  // 8 blocks of 64 threads, in clusters of 2
int launch_several(kernels::Stream stream);  // memset, a small kernel, a large kernel, memcpy, the small one
int launch_waiting(kernels::Stream stream);  // waits for the stream: that cannot be captured
int launch_failing(kernels::Stream stream);  // more threads than a block can have
int launch_nothing(kernels::Stream stream);

}  // namespace tracker::kit::trace_test
