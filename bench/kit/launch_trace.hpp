// What one launch runs on the device, read from the launch itself by capturing it into a graph: nothing has
// to be told twice, and it holds for libraries' kernels too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bench/kit/launch_timer.hpp"
#include "tracker/machine_code/machine_code.hpp"
#include "tracker/model/run.hpp"

namespace tracker::kit {

// What the compiler made of a kernel, at the shape of one launch.
struct KernelResources {
  int registers = 0;  // a thread's
  std::int64_t shared_static_bytes = 0;
  std::int64_t shared_dynamic_bytes = 0;
  std::int64_t local_bytes = 0;  // a thread's: stack frame and spills
  int threads_per_block = 0;
  int blocks_per_sm = 0;  // that fit at once
};

struct LaunchTrace {
  std::vector<tracker::KernelLaunch> launches;  // in the order they were enqueued
  std::vector<machine_code::KernelId> kernels;  // of those that are kernels
  std::optional<KernelResources> resources;     // of the kernel with the most threads
};

// The launch must have run on this stream before: what it makes once (workspaces, attributes) is none of it.
// Empty where it cannot be captured, or does what is neither kernel, memset nor memcpy. Leaves no error
// behind.
std::optional<LaunchTrace> trace_launch(const Launch& launch, Stream stream);

}  // namespace tracker::kit
