// Matrix product on the tensor cores: C = A · Bᵀ, accumulated in float32.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/kernel.hpp"

namespace kernels {

// What A and B are multiplied as.
enum class TensorType {
  kBf16,  // A, B and C are bfloat16
  kTf32,  // A, B and C are float32; the tensor cores read A and B as TF32 (10 bits of mantissa)
  kFp8,   // A and B are e4m3 (4 bits of exponent, 3 of mantissa), C is bfloat16; the sums stay in the tensor
          // cores, which keep fewer bits than float32 (cuBLAS: "fast accumulation")
};

// A is m × k, B is n × k, C is m × n, all dense and row-major: both operands have k side by side ("K-major"),
// which is how the hardware wants TF32 and how weights usually lie. C overlaps neither A nor B, and what it
// holds is not read.
struct TensorGemmProblem {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
};

// One way to do it on the GPU. Pointers of the problem are device pointers, aligned to 16 bytes.
struct TensorGemmVariant {
  std::string_view name;
  std::string_view summary;
  TensorType type = TensorType::kBf16;
  Requirements requirements;
  // Enqueues on the stream. Returns a cudaError_t: m, n or k negative or above 2^31 - 1 is
  // cudaErrorInvalidValue, cuBLAS' own errors are cudaErrorUnknown. In FP8 cuBLAS wants multiples of 16, and
  // gives cudaErrorNotSupported for others.
  int (*launch)(const TensorGemmProblem&, Stream);
};

// The table: by type, the plainest first, the reference (cublas) last.
std::span<const TensorGemmVariant> tensor_gemm_variants();

// "bf16", "tf32", "fp8": as benchmarks name it.
std::string_view name_of(TensorType type);

}  // namespace kernels
