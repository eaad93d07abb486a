// The matrix products of the CPU, and their table. A new variant: its function, and a row below.
#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/cpu.hpp"

namespace kernels::cpu {
namespace {

// naive: the definition, in its order i, j, k: the inner loop walks B down a column, a cache line for every
// float, and is one chain of additions that cannot be vectorised.
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

// The inner loops of the products that go along rows.
//
// row = beta · row; with beta = 0 the row is not read.
inline void scale(float* row, std::int64_t count, float beta) {
  if (beta == 0.0F) {
    std::fill_n(row, count, 0.0F);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    row[i] *= beta;
  }
}

// row = row + factor · addend. They must not overlap.
inline void add_multiple(float* __restrict row, float factor, const float* __restrict addend,
                         std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    row[i] += factor * addend[i];
  }
}

// interchanged: loops in the order i, k, j: the inner loop adds a multiple of a row of B to a row of C. Both
// are walked in order and the additions are independent, so that the compiler vectorises them. B is still
// read m times.
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

// blocked: as interchanged, on blocks: a piece of B (128 × 512 floats, 256 KiB) stays in the second-level
// cache for all rows of A, and a piece of a row of C (2 KiB) in the first for 128 steps of k. B leaves memory
// once.
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

constexpr std::array kGemms = {
    GemmVariant{
        .name = "naive", .summary = "the definition, i j k: B read down its columns", .run = gemm_naive},
    GemmVariant{.name = "interchanged",
                .summary = "i k j: rows of B and C in order, vectorised",
                .run = gemm_interchanged},
    GemmVariant{.name = "blocked",
                .summary = "i k j on blocks of B that stay in the second cache",
                .run = gemm_blocked},
};

}  // namespace

std::span<const GemmVariant> gemm_variants() {
  return kGemms;
}

}  // namespace kernels::cpu
