// What every launcher of the tensor-core products does first. Needs no CUDA compiler.
#pragma once

#include <limits>
#include <optional>

#include <cuda_runtime.h>

#include "kernels/tensor_gemm.hpp"

namespace kernels::tensor_gemm {

// What the launch returns at once: sizes nobody can count, or a C without elements. Empty where there is
// something to do.
inline std::optional<int> settled(const TensorGemmProblem& problem) {
  constexpr std::int64_t kSizeMax = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t size : {problem.m, problem.n, problem.k}) {
    if (size < 0 || size > kSizeMax) {
      return cudaErrorInvalidValue;
    }
  }
  if (problem.m == 0 || problem.n == 0) {
    return cudaSuccess;
  }
  return std::nullopt;
}

}  // namespace kernels::tensor_gemm
