#include "kernels/workspace.hpp"

#include <algorithm>
#include <vector>

#include <cuda_runtime_api.h>

namespace kernels {
namespace {

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

bool is_capturing(Stream stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
}

// Twice as many as asked for, so that growing problems leave few outgrown ones behind.
void* allocate(std::size_t& bytes) {
  constexpr std::size_t kBytesMin = std::size_t{32} << 20;
  bytes = std::max(kBytesMin, std::min(2 * bytes, kWorkspaceBytesMax));
  void* memory = nullptr;
  if (cudaMalloc(&memory, bytes) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  return memory;
}

}  // namespace

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
  void* const memory = allocate(bytes);
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

void release_workspaces() {
  allowed.clear();
  for (const Memory& entry : workspaces) {
    static_cast<void>(cudaFree(entry.begin));
  }
  workspaces.clear();
  static_cast<void>(cudaGetLastError());
}

}  // namespace kernels
