// The reference: cuBLAS in its pedantic mode, which computes in float32 throughout and never uses TF32 or
// emulation. Row-major by swapping the operands: Cᵀ = Bᵀ · Aᵀ.
// Predicted: 90 % and more of the chip's float32 rate outside the tensor cores, for large sizes.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "kernels/gemm.hpp"

namespace kernels::gemm {
namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;  // what cuBLAS recommends for sm_90
constexpr std::int64_t kSizeMax = std::numeric_limits<int>::max();

// One for each device and stream that a thread uses: streams never share a workspace, and nothing is
// allocated after the first call. Kept until the process ends: at that time destroying one is too late.
struct Handle {
  int device = 0;
  Stream stream = nullptr;
  cublasHandle_t handle = nullptr;
};

cublasHandle_t make_handle(Stream stream) {
  cublasHandle_t handle = nullptr;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) {
    return nullptr;
  }
  void* workspace = nullptr;
  // The stream first: setting it takes the workspace away again.
  const bool ready = cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS &&
                     cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH) == CUBLAS_STATUS_SUCCESS &&
                     cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS &&
                     cudaMalloc(&workspace, kWorkspaceBytes) == cudaSuccess &&
                     cublasSetWorkspace(handle, workspace, kWorkspaceBytes) == CUBLAS_STATUS_SUCCESS;
  if (!ready) {
    static_cast<void>(cudaFree(workspace));
    static_cast<void>(cublasDestroy(handle));
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  return handle;
}

// Null where cuBLAS cannot be started.
cublasHandle_t handle_for(int device, Stream stream) {
  thread_local std::vector<Handle> handles;
  const auto known = std::find_if(handles.begin(), handles.end(), [&](const Handle& entry) {
    return entry.device == device && entry.stream == stream;
  });
  if (known != handles.end()) {
    return known->handle;
  }
  const cublasHandle_t handle = make_handle(stream);
  if (handle != nullptr) {
    handles.push_back({.device = device, .stream = stream, .handle = handle});
  }
  return handle;
}

// C = beta · C, without a product whose leading dimensions would be 0.
int scale(cublasHandle_t handle, const GemmProblem& problem, Stream stream) {
  const std::int64_t count = problem.m * problem.n;
  if (problem.beta == 0.0F) {
    return cudaMemsetAsync(problem.c, 0, static_cast<std::size_t>(count) * sizeof(float), stream);
  }
  const auto status = cublasSscal_64(handle, count, &problem.beta, problem.c, 1);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace

int launch_cublas(const GemmProblem& problem, Stream stream) {
  for (const std::int64_t size : {problem.m, problem.n, problem.k}) {
    if (size < 0 || size > kSizeMax) {
      return cudaErrorInvalidValue;
    }
  }
  if (problem.m == 0 || problem.n == 0) {
    return cudaSuccess;
  }
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) {
    return error;
  }
  const cublasHandle_t handle = handle_for(device, stream);
  if (handle == nullptr) {
    return cudaErrorUnknown;
  }
  if (problem.k == 0) {
    return scale(handle, problem, stream);
  }
  const int m = static_cast<int>(problem.m);
  const int n = static_cast<int>(problem.n);
  const int k = static_cast<int>(problem.k);
  const auto status = cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &problem.alpha, problem.b,
                                   CUDA_R_32F, n, problem.a, CUDA_R_32F, k, &problem.beta, problem.c,
                                   CUDA_R_32F, n, CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_GEMM_DEFAULT);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace kernels::gemm
