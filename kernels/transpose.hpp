// Matrix transpose, float32, out of place: out[c][r] = in[r][c] for a row-major rows × columns input.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/kernel.hpp"

namespace kernels {

// Both matrices are dense and row-major: `in` has rows × columns elements, `out` columns × rows (the two
// copies, the bounds, write rows × columns). They must not overlap. Any size from 1×1 to what memory holds.
struct TransposeProblem {
  const float* in = nullptr;
  float* out = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

// One way to do it on the GPU. Pointers of the problem are device pointers.
struct TransposeVariant {
  std::string_view name;
  std::string_view summary;  // one line: what it does, and what it shows
  bool is_copy = false;      // a bound: out = in
  BlockShape default_block;
  Requirements requirements;
  // Enqueues on the stream. Returns a cudaError_t: a block shape it cannot run is cudaErrorInvalidValue.
  int (*launch)(const TransposeProblem&, BlockShape, Stream);
};

// The table: bounds first, then from the textbook's naive ones on.
std::span<const TransposeVariant> transpose_variants();

}  // namespace kernels
