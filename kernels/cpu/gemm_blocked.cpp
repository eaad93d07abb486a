// As interchanged, on blocks: a piece of B (128 × 512 floats, 256 KiB) stays in the second-level cache for
// all rows of A, and a piece of a row of C (2 KiB) in the first for 128 steps of k. B leaves memory once.
#include <algorithm>

#include "kernels/cpu.hpp"
#include "kernels/cpu/rows.hpp"

namespace kernels::cpu {

constexpr std::int64_t kDepth = 128;
constexpr std::int64_t kWidth = 512;

void gemm_blocked(const GemmProblem& problem) {
  const auto [m, n, k, alpha, a, b, beta, c] = problem;
  for (std::int64_t row = 0; row < m; ++row) {
    scale(c + row * n, n, beta);
  }
  for (std::int64_t column0 = 0; column0 < n; column0 += kWidth) {
    const std::int64_t width = std::min(kWidth, n - column0);
    for (std::int64_t i0 = 0; i0 < k; i0 += kDepth) {
      const std::int64_t i_end = std::min(i0 + kDepth, k);
      for (std::int64_t row = 0; row < m; ++row) {
        for (std::int64_t i = i0; i < i_end; ++i) {
          add_multiple(c + row * n + column0, alpha * a[row * k + i], b + i * n + column0, width);
        }
      }
    }
  }
}

}  // namespace kernels::cpu
