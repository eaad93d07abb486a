// Which tile, and which split of k, suits a product and a device, and how a thin product is dealt out to
// blocks. Pure: no CUDA.
//
// A tile's blocks compute in rounds of `blocks_per_sm` on each multiprocessor. For each step along k a round
// takes blocks_per_sm · rows · columns / (128 · speed) cycles, 128 multiply-adds a cycle at best; and
// `begin_cycles` to fill the first tiles and to store C.
#pragma once

#include <algorithm>
#include <span>

#include "kernels/gemm.hpp"
#include "kernels/runtime.hpp"
#include "kernels/split.hpp"

namespace kernels::gemm {

enum class Tile { kAsync, kAsyncPair, kSlicedK, kSlicedKSmall, kWarpTile, kTile1d, kSmem };

struct TileRow {
  Tile tile;
  Requirements requirements;  // as in the table of variants
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t depth;  // along k, of a step
  std::int64_t blocks_per_sm;
  double speed;         // multiply-adds: share of the float32 rate
  double begin_cycles;  // and to end: of a round
  bool can_split = true;
};

// Fits to an H100's times (docs/lab/kernels.md). Ties go to the first.
inline constexpr TileRow kTiles[] = {
    {Tile::kAsync, {80}, 128, 256, 16, 1, 0.92, 9000},
    {Tile::kAsyncPair, {80}, 128, 128, 16, 2, 0.885, 7600},
    {Tile::kSlicedK, {80}, 64, 128, 32, 1, 0.91, 5000},
    {Tile::kSlicedKSmall, {90, 119}, 64, 64, 64, 1, 0.78, 5000},
    {Tile::kWarpTile, {75}, 128, 256, 16, 1, 0.84, 9000},
    {Tile::kTile1d, {75}, 64, 64, 8, 2, 0.3, 1500, false},  // from here on: begin soonest, for a short k
    {Tile::kSmem, {75}, 32, 32, 32, 2, 0.17, 500, false},
};

struct TileChoice {
  const TileRow* row = nullptr;  // null: none of them runs on the device
  Split split;                   // in steps of the row's depth
  double cycles = 0;
};

// The best among `rows`.
constexpr TileChoice choose_tile(std::span<const TileRow> rows, const GemmProblem& problem,
                                 const DeviceLimits& limits) {
  constexpr double kMultiplyAddsPerCycle = 128;
  constexpr double kAddBeginCycles = 6000;
  constexpr double kAddPartCycles = 1.5;  // to write and read a vector of a part, on each multiprocessor
  constexpr std::int64_t kStepsMin = 2;
  constexpr std::int64_t kSumsBytesMax = std::int64_t{128} << 20;
  const auto up = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
  TileChoice best;
  for (const TileRow& row : rows) {
    if (!can_run(row.requirements, limits)) {
      continue;
    }
    const std::int64_t elements = row.rows * row.columns;
    const double round = static_cast<double>(row.blocks_per_sm * elements);
    const TileCost cost{
        .per_depth = round * static_cast<double>(row.depth) / (kMultiplyAddsPerCycle * row.speed),
        .begin_and_end = row.begin_cycles,
        .add_begin = kAddBeginCycles,
        .add_part = kAddPartCycles * round / 4};
    const SplitChoice found =
        choose_split(up(problem.m, row.rows) * up(problem.n, row.columns), up(problem.k, row.depth),
                     limits.multiprocessors * row.blocks_per_sm, row.can_split ? kStepsMin : problem.k + 1,
                     kSumsBytesMax / (4 * elements), cost);
    if (best.row == nullptr || found.cycles < best.cycles) {
      best = {&row, found.split, found.cycles};
    }
  }
  return best;
}

inline constexpr std::int64_t kThinRowsMax = 16;
inline constexpr std::int64_t kThinColumnsMax = 16;

constexpr bool is_thin(const GemmProblem& problem) {
  return problem.m <= kThinRowsMax || problem.n <= kThinColumnsMax;
}

// Whether thin.cu is faster than tiles: with more rows, tiles that take parts of k are, and with few columns
// and a short k, whose steps a warp's lanes share, any.
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
