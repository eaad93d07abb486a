// The reference: cublasGemmEx, with both operands K-major as all variants have them and float32 accumulation.
// Row-major by swapping the operands: Cᵀ = B · Aᵀ.
// Predicted: 70 % of the tensor cores' rate for large sizes; the power limit takes the rest.
#include <cstddef>

#include <cuda_runtime.h>

#include "kernels/cublas_handle.hpp"
#include "kernels/tensor_gemm/launch.hpp"

namespace kernels::tensor_gemm {
namespace {

// How cuBLAS is told of a type.
struct Mode {
  cudaDataType_t element;
  std::size_t element_bytes;
  cublasComputeType_t compute;
  cublasMath_t math;
};

constexpr auto kMathBf16 =
    static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
constexpr Mode kBf16{CUDA_R_16BF, 2, CUBLAS_COMPUTE_32F, kMathBf16};
constexpr Mode kTf32{CUDA_R_32F, 4, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_DEFAULT_MATH};

int launch(const TensorGemmProblem& problem, const Mode& mode, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  if (problem.k == 0) {  // leading dimensions of 0 are refused
    const auto count = static_cast<std::size_t>(problem.m) * static_cast<std::size_t>(problem.n);
    return cudaMemsetAsync(problem.c, 0, count * mode.element_bytes, stream);
  }
  const cublasHandle_t handle = cublas_handle(stream, mode.math);
  if (handle == nullptr) {
    return cudaErrorUnknown;
  }
  const int m = static_cast<int>(problem.m);
  const int n = static_cast<int>(problem.n);
  const int k = static_cast<int>(problem.k);
  const float one = 1;
  const float zero = 0;
  const auto status =
      cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &one, problem.b, mode.element, k, problem.a,
                   mode.element, k, &zero, problem.c, mode.element, n, mode.compute, CUBLAS_GEMM_DEFAULT);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace

int launch_cublas_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch(problem, kBf16, stream);
}

int launch_cublas_tf32(const TensorGemmProblem& problem, Stream stream) {
  return launch(problem, kTf32, stream);
}

}  // namespace kernels::tensor_gemm
