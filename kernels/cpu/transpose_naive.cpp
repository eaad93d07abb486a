// Row by row: loads in order, every store to another cache line.
// Shows: once `rows` cache lines no longer fit the cache, each store fetches and evicts 64 bytes to place 4.
#include "kernels/cpu.hpp"

namespace kernels::cpu {

void transpose_naive(const TransposeProblem& problem) {
  const auto [in, out, rows, columns] = problem;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      out[column * rows + row] = in[row * columns + column];
    }
  }
}

}  // namespace kernels::cpu
