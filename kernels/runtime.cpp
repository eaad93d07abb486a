#include "kernels/runtime.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <vector>

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

struct Memory {
  Workspace purpose = Workspace::kSums;
  int device = 0;
  Stream stream = nullptr;
  void* begin = nullptr;
  std::size_t bytes = 0;
};

thread_local std::vector<Memory> workspaces;

struct Allowed {
  const void* kernel = nullptr;
  int device = 0;
  bool operator==(const Allowed&) const = default;
};

thread_local std::vector<Allowed> allowed;

struct Compiled {
  const void* kernel = nullptr;
  int device = 0;
  bool can_wait = false;
};

thread_local std::vector<Compiled> compiled;

bool is_capturing(Stream stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
}

// Twice as many as asked for, so that growing problems leave few outgrown ones behind.
void* allocate(Workspace purpose, Stream stream, std::size_t& bytes) {
  const bool counts = purpose == Workspace::kArrivals;
  const std::size_t bytes_min = std::size_t{counts ? 1U : 32U} << 20;
  bytes = std::max(bytes_min, std::min(2 * bytes, kWorkspaceBytesMax));
  void* memory = nullptr;
  if (cudaMalloc(&memory, bytes) != cudaSuccess ||
      (counts && cudaMemsetAsync(memory, 0, bytes, stream) != cudaSuccess)) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  return memory;
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

std::optional<int> settled_product(std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr std::int64_t kSizeMax = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t size : {m, n, k}) {
    if (size < 0 || size > kSizeMax) {
      return cudaErrorInvalidValue;
    }
  }
  if (m == 0 || n == 0) {
    return cudaSuccess;
  }
  return std::nullopt;
}

void* workspace(Workspace purpose, Stream stream, std::size_t bytes) {
  int device = 0;
  if (bytes > kWorkspaceBytesMax || cudaGetDevice(&device) != cudaSuccess) {
    return nullptr;
  }
  // The latest is the largest.
  const auto known = std::find_if(workspaces.rbegin(), workspaces.rend(), [&](const Memory& entry) {
    return entry.purpose == purpose && entry.device == device && entry.stream == stream;
  });
  if (known != workspaces.rend() && known->bytes >= bytes) {
    return known->begin;
  }
  if (is_capturing(stream)) {
    return nullptr;
  }
  void* const memory = allocate(purpose, stream, bytes);
  if (memory != nullptr) {
    workspaces.push_back({purpose, device, stream, memory, bytes});
  }
  return memory;
}

int allow_shared_bytes(const void* kernel, int bytes) {
  Allowed wanted{kernel, 0};
  cudaError_t error = cudaGetDevice(&wanted.device);
  if (error == cudaSuccess && std::find(allowed.begin(), allowed.end(), wanted) != allowed.end()) {
    return cudaSuccess;
  }
  if (error == cudaSuccess) {
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  }
  if (error == cudaSuccess) {
    allowed.push_back(wanted);
  } else {
    static_cast<void>(cudaGetLastError());
  }
  return error;
}

bool can_wait_for_kernel_before(const void* kernel) {
  constexpr int kVersionMin = 90;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) {
    return false;
  }
  const auto known = std::find_if(compiled.begin(), compiled.end(), [&](const Compiled& entry) {
    return entry.kernel == kernel && entry.device == device;
  });
  if (known != compiled.end()) {
    return known->can_wait;
  }
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  compiled.push_back({kernel, device, attributes.ptxVersion >= kVersionMin});
  return compiled.back().can_wait;
}

void release_workspaces() {
  allowed.clear();
  for (const Memory& entry : workspaces) {
    static_cast<void>(cudaFree(entry.begin));
  }
  workspaces.clear();
  static_cast<void>(cudaGetLastError());
}

}  // namespace kernels
