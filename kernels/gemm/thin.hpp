// How the thin product is dealt out to blocks. Pure: no CUDA.
#pragma once

#include <algorithm>

#include "kernels/gemm.hpp"

namespace kernels::gemm {

int launch_sliced_k(const GemmProblem&, Stream);

inline constexpr std::int64_t kThinRowsMax = 16;
inline constexpr std::int64_t kThinColumnsMax = 16;

constexpr bool is_thin(const GemmProblem& problem) {
  return problem.m <= kThinRowsMax || problem.n <= kThinColumnsMax;
}

// Whether that is faster than tiles: with more rows, tiles that take parts of k are, and with few columns and
// a short k, whose steps a warp's lanes share, any.
constexpr bool is_best_thin(const GemmProblem& problem) {
  constexpr std::int64_t kRowsMax = 8;
  constexpr std::int64_t kDepthMin = 32;
  return problem.m <= kRowsMax || (problem.n <= kThinColumnsMax && problem.k >= kDepthMin);
}

struct ThinChoice {
  std::int64_t blocks = 0;  // of one part; 0: the product is not thin
  std::int64_t parts = 1;
  std::int64_t depth = 0;      // along k of a part
  bool is_by_columns = false;  // few columns: warps walk along rows of A
};

// Six blocks for each multiprocessor, unless parts would be shorter than 128 steps along k.
constexpr ThinChoice choose_thin(const GemmProblem& problem, std::int64_t multiprocessors) {
  constexpr std::int64_t kBlocksPerMultiprocessor = 6;
  constexpr std::int64_t kDepthMin = 128;
  constexpr std::int64_t kSumsMax = std::int64_t{8} << 20;  // floats
  const auto up = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
  ThinChoice choice;
  if (problem.n <= kThinColumnsMax) {
    choice.is_by_columns = true;
    choice.blocks = up(problem.m, 32);
  } else if (is_thin(problem)) {
    choice.blocks = up(problem.n, 128);
  } else {
    return choice;
  }
  const std::int64_t wanted = std::min({multiprocessors * kBlocksPerMultiprocessor / choice.blocks,
                                        problem.k / kDepthMin, kSumsMax / (problem.m * problem.n)});
  choice.depth = up(problem.k, std::max<std::int64_t>(wanted, 1));
  choice.parts = choice.depth == 0 ? 1 : up(problem.k, choice.depth);
  return choice;
}

}  // namespace kernels::gemm
