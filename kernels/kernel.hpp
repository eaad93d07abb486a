// What every kernel family shares: shapes of blocks, what a variant needs, and what the compiler made of
// it. No Google Benchmark, no git, and no CUDA header: the CPU part builds without a toolkit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// The runtime's stream type, named without its header.
struct CUstream_st;

namespace kernels {

using Stream = CUstream_st*;

// Threads of a block. What x and y stand for is a variant's own matter; each states it.
struct BlockShape {
  int x = 0;
  int y = 0;
  bool operator==(const BlockShape&) const = default;
};

// What a device must have for a variant to run on it.
struct Requirements {
  int compute_capability_min = 0;  // major * 10 + minor: 80
};

// What the compiler made of a kernel, for one block shape on the current device.
struct KernelResources {
  int registers_per_thread = 0;
  std::size_t shared_static_bytes = 0;
  std::size_t shared_dynamic_bytes = 0;
  std::size_t local_bytes = 0;  // a thread's: stack frame and spills
  int threads_per_block = 0;
  int blocks_per_sm = 0;  // that fit at once
};

}  // namespace kernels
