// What choices between variants depend on: facts of the current device, asked for once.
#pragma once

#include "kernels/kernel.hpp"

namespace kernels {

struct DeviceLimits {
  int capability = 0;  // major * 10 + minor
  int multiprocessors = 0;
};

// Whether the compute capability of the device lies in the range that a variant needs.
inline bool can_run(const Requirements& requirements, const DeviceLimits& limits) {
  return limits.capability >= requirements.compute_capability_min &&
         limits.capability <= requirements.compute_capability_max;
}

// Of the current device. Returns a cudaError_t.
int read_device_limits(DeviceLimits& limits);

}  // namespace kernels
