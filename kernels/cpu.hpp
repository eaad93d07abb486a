// The same families on the CPU: an oracle to hold every variant against, and real variants in tables.
#pragma once

#include <span>
#include <string_view>

#include "kernels/gemm.hpp"
#include "kernels/tensor_gemm.hpp"
#include "kernels/transpose.hpp"

namespace kernels::cpu {

struct TransposeVariant {
  std::string_view name;
  std::string_view summary;
  bool is_copy = false;
  void (*run)(const TransposeProblem&);  // host pointers
};

struct GemmVariant {
  std::string_view name;
  std::string_view summary;
  void (*run)(const GemmProblem&);  // host pointers
};

// The tables: the plainest first.
std::span<const TransposeVariant> transpose_variants();
std::span<const GemmVariant> gemm_variants();

// Oracles: the plainest code there is; the products accumulate in double.
void transpose_oracle(const TransposeProblem& problem);
void gemm_oracle(const GemmProblem& problem);
// C = A · Bᵀ. Whatever the type, A, B and C are floats here: inputs as they are after rounding to the type
// (kernels/check.hpp), and results that are not rounded to it.
void tensor_gemm_oracle(const TensorGemmProblem& problem);

}  // namespace kernels::cpu
