// Loops in the order i, k, j: the inner loop adds a multiple of a row of B to a row of C. Both are walked in
// order and the additions are independent, so that the compiler vectorises them. B is still read m times.
#include "kernels/cpu.hpp"
#include "kernels/cpu/rows.hpp"

namespace kernels::cpu {

void gemm_interchanged(const GemmProblem& problem) {
  const auto [m, n, k, alpha, a, b, beta, c] = problem;
  for (std::int64_t row = 0; row < m; ++row) {
    float* c_row = c + row * n;
    scale(c_row, n, beta);
    for (std::int64_t i = 0; i < k; ++i) {
      add_multiple(c_row, alpha * a[row * k + i], b + i * n, n);
    }
  }
}

}  // namespace kernels::cpu
