// The reference: cuBLAS in its pedantic mode, which computes in float32 throughout and never uses TF32 or
// emulation. Row-major by swapping the operands: Cᵀ = Bᵀ · Aᵀ.
// Predicted: 90 % and more of the chip's float32 rate outside the tensor cores, for large sizes.
#include <cstddef>
#include <limits>

#include <cuda_runtime.h>

#include "kernels/cublas_handle.hpp"
#include "kernels/gemm.hpp"

namespace kernels::gemm {
namespace {

constexpr std::int64_t kSizeMax = std::numeric_limits<int>::max();

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
  const cublasHandle_t handle = cublas_handle(stream, CUBLAS_PEDANTIC_MATH);
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
