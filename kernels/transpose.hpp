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
  bool is_block_fixed = false;  // runs no other block than the default
  Requirements requirements;
  bool (*takes)(const TransposeProblem&) = nullptr;  // what its alignment rules out; null: it takes all
  // Enqueues on the stream. Returns a cudaError_t: a block shape it cannot run is cudaErrorInvalidValue, a
  // problem that it does not take cudaErrorNotSupported. Nothing is written then.
  int (*launch)(const TransposeProblem&, BlockShape, Stream);
};

// Whether the matrices' addresses and sizes fit the variant's alignment rules.
inline bool can_take(const TransposeVariant& variant, const TransposeProblem& problem) {
  return variant.takes == nullptr || variant.takes(problem);
}

// The alignments that variants ask for. An empty matrix has none to offend.
bool has_vector_pointers(const TransposeProblem& problem);  // in and out: 16 bytes
bool has_vector_rows(const TransposeProblem& problem);      // and every row of both matrices

// With at most so many rows or columns a matrix is a strip: one block reads its whole short side.
inline constexpr int kStripSideMin = 2;
inline constexpr int kStripSideMax = 24;
namespace transpose {
bool is_strip(const TransposeProblem& problem);  // few rows or few columns
}

// The table: bounds first, then from the textbook's naive ones on.
std::span<const TransposeVariant> transpose_variants();

// What `best` launches: the fastest variant for a problem, and its block, on a device with so many
// multiprocessors.
struct TransposeChoice {
  const TransposeVariant* variant = nullptr;
  BlockShape block;
};
TransposeChoice choose_transpose(const TransposeProblem& problem, std::int64_t multiprocessors);

}  // namespace kernels
