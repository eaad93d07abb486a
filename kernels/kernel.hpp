// What every kernel family shares: shapes of blocks, and what a variant needs. No Google Benchmark, no git,
// and no CUDA header: the CPU part builds without a toolkit.
#pragma once

#include <string_view>

// The runtime's stream type, named without its header.
struct CUstream_st;

namespace kernels {

// cudaStream_t. Null is the default stream.
using Stream = CUstream_st*;

// Threads of a block. What x and y stand for is a variant's own matter; each states it.
struct BlockShape {
  int x = 0;
  int y = 0;
  bool operator==(const BlockShape&) const = default;
};

// What a device must have for a variant to run on it.
struct Requirements {
  int compute_capability_min = 0;     // major * 10 + minor: 80
  int compute_capability_max = 9999;  // wgmma exists on 9.0 alone
};

}  // namespace kernels
