// The same families on the CPU: an oracle to hold every variant against, and real variants in tables.
#pragma once

#include <span>
#include <string_view>

#include "kernels/gemm.hpp"
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

std::span<const TransposeVariant> transpose_variants();
std::span<const GemmVariant> gemm_variants();

// Oracles: the plainest code there is; the product accumulates in double.
void transpose_oracle(const TransposeProblem& problem);
void gemm_oracle(const GemmProblem& problem);

}  // namespace kernels::cpu
