// Device and software of a GPU benchmark: what the CUDA runtime tells, and what only NVML knows.
#pragma once

#include <optional>

#include "tracker/devices/gpu_facts.hpp"
#include "tracker/devices/nvml.hpp"
#include "tracker/model/run.hpp"

namespace bench {

struct GpuEnvironment {
  tracker::Device device;
  tracker::Software software;
  int compute_capability = 0;  // major * 10 + minor
};

// Of CUDA device 0 (CUDA_VISIBLE_DEVICES chooses), which becomes the current one. `nvml` may be null. Throws
// tracker::Error where there is no usable device.
GpuEnvironment read_gpu_environment(const tracker::Nvml* nvml);

// FLOP/s at the device's core clock, theoretical; empty where not known.
std::optional<double> peak_flops_of(const GpuEnvironment& environment, tracker::Arithmetic arithmetic);

}  // namespace bench
