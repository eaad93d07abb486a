// The transposes of the CPU, and their table. A new variant: its function, and a row below.
#include <algorithm>
#include <array>

#include "kernels/cpu.hpp"

namespace kernels::cpu {
namespace {

// copy: a copy: the bound. 8 bytes per element, both sides in order.
void transpose_copy(const TransposeProblem& problem) {
  std::copy_n(problem.in, problem.rows * problem.columns, problem.out);
}

// naive: row by row: loads in order, every store to another cache line.
// Shows: once `rows` cache lines no longer fit the cache, each store fetches and evicts 64 bytes to place 4.
void transpose_naive(const TransposeProblem& problem) {
  const auto [in, out, rows, columns] = problem;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      out[column * rows + row] = in[row * columns + column];
    }
  }
}

// blocked: square blocks: the lines that a block loads and those that it stores to stay in the first-level
// cache until every float of them was used. 32 × 32 floats are 4 KiB a side, 64 cache lines each way.
constexpr std::int64_t kSide = 32;

void transpose_blocked(const TransposeProblem& problem) {
  const auto [in, out, rows, columns] = problem;
  for (std::int64_t row0 = 0; row0 < rows; row0 += kSide) {
    const std::int64_t row_end = std::min(row0 + kSide, rows);
    for (std::int64_t column0 = 0; column0 < columns; column0 += kSide) {
      const std::int64_t column_end = std::min(column0 + kSide, columns);
      for (std::int64_t column = column0; column < column_end; ++column) {
        for (std::int64_t row = row0; row < row_end; ++row) {
          out[column * rows + row] = in[row * columns + column];
        }
      }
    }
  }
}

constexpr std::array kTransposes = {
    TransposeVariant{.name = "copy", .summary = "copy: the bound", .is_copy = true, .run = transpose_copy},
    TransposeVariant{
        .name = "naive", .summary = "row by row: loads in order, strided stores", .run = transpose_naive},
    TransposeVariant{.name = "blocked",
                     .summary = "32 x 32 blocks that stay in the first cache",
                     .run = transpose_blocked},
};

}  // namespace

std::span<const TransposeVariant> transpose_variants() {
  return kTransposes;
}

}  // namespace kernels::cpu
