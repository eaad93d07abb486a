// The plainest code there is, to hold every variant against. Slow on purpose.
#include "kernels/cpu.hpp"

namespace kernels::cpu {

void transpose_oracle(const TransposeProblem& problem) {
  for (std::int64_t row = 0; row < problem.rows; ++row) {
    for (std::int64_t column = 0; column < problem.columns; ++column) {
      problem.out[column * problem.rows + row] = problem.in[row * problem.columns + column];
    }
  }
}

void gemm_oracle(const GemmProblem& problem) {
  const auto [m, n, k, alpha, a, b, beta, c] = problem;
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::int64_t i = 0; i < k; ++i) {
        sum += double{a[row * k + i]} * double{b[i * n + column]};
      }
      float& place = c[row * n + column];
      const double kept = beta == 0.0F ? 0.0 : double{beta} * double{place};
      place = static_cast<float>(double{alpha} * sum + kept);
    }
  }
}

void tensor_gemm_oracle(const TensorGemmProblem& problem) {
  const auto* a = static_cast<const float*>(problem.a);
  const auto* b = static_cast<const float*>(problem.b);
  auto* c = static_cast<float*>(problem.c);
  for (std::int64_t row = 0; row < problem.m; ++row) {
    for (std::int64_t column = 0; column < problem.n; ++column) {
      double sum = 0;
      for (std::int64_t i = 0; i < problem.k; ++i) {
        sum += double{a[row * problem.k + i]} * double{b[column * problem.k + i]};
      }
      c[row * problem.n + column] = static_cast<float>(sum);
    }
  }
}

}  // namespace kernels::cpu
