#include "kernels/device_limits.hpp"

#include <array>
#include <atomic>
#include <cstddef>

#include <cuda_runtime_api.h>

namespace kernels {
namespace {

constexpr std::size_t kDevicesMax = 64;

cudaError_t ask(int device, DeviceLimits& limits) {
  int major = 0;
  int minor = 0;
  for (const cudaError_t error :
       {cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
        cudaDeviceGetAttribute(&limits.multiprocessors, cudaDevAttrMultiProcessorCount, device)}) {
    if (error != cudaSuccess) {
      return error;
    }
  }
  limits.capability = major * 10 + minor;
  return cudaSuccess;
}

}  // namespace

int read_device_limits(DeviceLimits& limits) {
  static std::array<std::atomic<DeviceLimits>, kDevicesMax> known{};
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) {
    return error;
  }
  std::atomic<DeviceLimits>& cached = known[static_cast<std::size_t>(device) % kDevicesMax];
  limits = cached.load(std::memory_order_relaxed);
  if (limits.multiprocessors > 0) {
    return cudaSuccess;
  }
  if (const cudaError_t error = ask(device, limits); error != cudaSuccess) {
    return error;
  }
  cached.store(limits, std::memory_order_relaxed);
  return cudaSuccess;
}

}  // namespace kernels
