// The inner loops of the CPU products that go along rows.
#pragma once

#include <algorithm>
#include <cstdint>

namespace kernels::cpu {

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

}  // namespace kernels::cpu
