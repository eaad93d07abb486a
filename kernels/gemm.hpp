// Matrix product, float32, row-major: C = alpha · A · B + beta · C.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/kernel.hpp"

namespace kernels {

// A is m × k, B is k × n, C is m × n; all dense and row-major. C overlaps neither A nor B. With
// beta = 0, C is not read (as in BLAS: NaN in it does not spread).
struct GemmProblem {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  float alpha = 1;
  const float* a = nullptr;
  const float* b = nullptr;
  float beta = 0;
  float* c = nullptr;
};

// One way to do it on the GPU. Pointers of the problem are device pointers.
struct GemmVariant {
  std::string_view name;
  std::string_view summary;
  Requirements requirements;
  // With a larger m, n or k, a launch takes longer than what it shows is worth, or is another variant's:
  // benchmarks leave it out.
  std::int64_t measured_side_max = 0;
  // Enqueues on the stream. Returns a cudaError_t: m, n or k negative or above 2^31 - 1 is
  // cudaErrorInvalidValue, cuBLAS' own errors are cudaErrorUnknown.
  int (*launch)(const GemmProblem&, Stream);
};

// The table: naive first, the reference (cublas) last.
std::span<const GemmVariant> gemm_variants();

}  // namespace kernels
