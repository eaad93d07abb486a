#include "kernels/cublas_handle.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <cuda_runtime.h>

namespace kernels {
namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;  // what cuBLAS recommends for sm_90

struct Handle {
  int device = 0;
  Stream stream = nullptr;
  cublasHandle_t handle = nullptr;
  void* workspace = nullptr;
};

thread_local std::vector<Handle> handles;

// A null handle where it cannot be made.
Handle make_handle(int device, Stream stream) {
  cublasHandle_t handle = nullptr;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) {
    return {};
  }
  void* workspace = nullptr;
  // The stream first: setting it takes the workspace away again.
  const bool ready = cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS &&
                     cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS &&
                     cudaMalloc(&workspace, kWorkspaceBytes) == cudaSuccess &&
                     cublasSetWorkspace(handle, workspace, kWorkspaceBytes) == CUBLAS_STATUS_SUCCESS;
  if (!ready) {
    static_cast<void>(cudaFree(workspace));
    static_cast<void>(cublasDestroy(handle));
    static_cast<void>(cudaGetLastError());
    return {};
  }
  return {device, stream, handle, workspace};
}

cublasHandle_t handle_for(int device, Stream stream) {
  const auto known = std::find_if(handles.begin(), handles.end(), [&](const Handle& entry) {
    return entry.device == device && entry.stream == stream;
  });
  if (known != handles.end()) {
    return known->handle;
  }
  const Handle made = make_handle(device, stream);
  if (made.handle != nullptr) {
    handles.push_back(made);
  }
  return made.handle;
}

}  // namespace

cublasHandle_t cublas_handle(Stream stream, cublasMath_t mode) {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  const cublasHandle_t handle = handle_for(device, stream);
  const bool ready = handle != nullptr && cublasSetMathMode(handle, mode) == CUBLAS_STATUS_SUCCESS;
  return ready ? handle : nullptr;
}

void release_cublas_handles() {
  for (const Handle& entry : handles) {
    static_cast<void>(cublasDestroy(entry.handle));
    static_cast<void>(cudaFree(entry.workspace));
  }
  handles.clear();
  static_cast<void>(cudaGetLastError());
}

}  // namespace kernels
