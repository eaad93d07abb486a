// The definition, in its order i, j, k: the inner loop walks B down a column, a cache line for every float,
// and is one chain of additions that cannot be vectorised.
#include "kernels/cpu.hpp"

namespace kernels::cpu {

void gemm_naive(const GemmProblem& problem) {
  const auto [m, n, k, alpha, a, b, beta, c] = problem;
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      float sum = 0;
      for (std::int64_t i = 0; i < k; ++i) {
        sum += a[row * k + i] * b[i * n + column];
      }
      float& place = c[row * n + column];
      place = beta == 0.0F ? alpha * sum : alpha * sum + beta * place;
    }
  }
}

}  // namespace kernels::cpu
