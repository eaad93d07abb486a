// Square blocks: the lines that a block loads and those that it stores to stay in the first-level cache until
// every float of them was used. 32 × 32 floats are 4 KiB a side, 64 cache lines each way.
#include <algorithm>

#include "kernels/cpu.hpp"

namespace kernels::cpu {

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

}  // namespace kernels::cpu
