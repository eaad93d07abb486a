// Which tile, and which split of k, suits a product and a device, and how a thin product is dealt out to
// blocks. Pure: no CUDA.
//
// A multiprocessor computes `blocks_per_sm` blocks of a tile at once. So many that keep it busy take for each
// step along k what their multiply-adds take, 128 a cycle times `speed`, and `end_cycles` each to store C.
// Fewer of them wait for memory and for themselves: `begin_cycles` for the first tiles and the last stores,
// and `step_cycles` a step.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "kernels/gemm.hpp"
#include "kernels/runtime.hpp"
#include "kernels/split.hpp"

namespace kernels::gemm {

enum class Tile {
  kAsync,
  kAsyncPair,
  kSlicedK,
  kSlicedKSmall,
  kSlicedKTiny,
  kSlicedKNarrow,
  kSlicedKDeep,
  kSlicedKPair,
  kSlicedK48x64,
  kSlicedK64x48,
  kSlicedK96x32,
  kSlicedK128x24,
  kSlicedK24x128,
  kShortK,
  kShortKWide,
  kWarpTile,
  kTile1d,
  kSmem
};

struct TileRow {
  Tile tile;
  Requirements requirements;  // as in the table of variants
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t depth;  // along k, of a step
  std::int64_t blocks_per_sm;
  double speed;
  double begin_cycles;
  double step_cycles;
  double end_cycles;
  bool can_split = true;
  double step_from_memory = 1;  // times step_cycles, where A and B come from memory and not from the L2 cache
  std::int64_t columns_max = std::numeric_limits<std::int64_t>::max();  // of C: with more, others are faster
};

// Fits to an H100's times (docs/lab/kernels.md). Ties go to the first.
inline constexpr TileRow kTiles[] = {
    {Tile::kAsync, {80}, 128, 256, 16, 1, 0.92, 17000, 4450, 700},
    {Tile::kAsyncPair, {80}, 128, 128, 16, 2, 0.885, 26000, 4580, 1000},
    {Tile::kSlicedK, {80}, 64, 128, 32, 1, 0.91, 7000, 2250, 60},
    {Tile::kSlicedKSmall, {90, 119}, 64, 64, 64, 1, 0.78, 10600, 2630, 4000},
    {Tile::kSlicedKTiny, {80}, 32, 32, 32, 4, 0.5, 950, 605, 210, true, 2.4},
    {Tile::kSlicedKNarrow, {80}, 64, 16, 32, 4, 0.45, 1900, 750, 300, true, 2.2, 16},
    {Tile::kSlicedKDeep, {80}, 32, 32, 32, 4, 0.5, 2480, 445, 410, true, 1.74},
    {Tile::kSlicedKPair, {80}, 64, 64, 32, 2, 0.695, 5560, 811, 2110, true, 2.33},
    {Tile::kSlicedK48x64, {90, 119}, 48, 64, 64, 1, 0.88, 7060, 1950, 6620, true, 1.4},
    {Tile::kSlicedK64x48, {90, 119}, 64, 48, 64, 1, 0.77, 8100, 1960, 1350, true, 1.09},
    {Tile::kSlicedK96x32, {90, 119}, 96, 32, 32, 3, 0.6, 7800, 851, 2320, true, 1.25},
    {Tile::kSlicedK128x24, {90, 119}, 128, 24, 64, 1, 0.67, 9240, 2340, 7900, true, 1.25},
    {Tile::kSlicedK24x128, {90, 119}, 24, 128, 64, 1, 0.7, 10000, 1600, 8160, true, 1.32},
    {Tile::kShortK, {80}, 64, 64, 8, 5, 0.66, 135, 585, 1090, false},
    {Tile::kShortKWide, {80}, 64, 128, 8, 4, 0.84, 1230, 1310, 2450, false},
    {Tile::kWarpTile, {75}, 128, 256, 16, 1, 0.84, 17000, 4880, 700},
    {Tile::kTile1d, {75, 79}, 64, 64, 8, 2, 0.3, 1500, 900, 500, false},  // for a short k
    {Tile::kSmem, {75, 79}, 32, 32, 32, 2, 0.17, 500, 1500, 300, false},
};

struct TileChoice {
  const TileRow* row = nullptr;  // null: none of them runs on the device
  Split split;                   // in steps of the row's depth
  double cycles = 0;
};

// What a row's tiles take, for choose_split().
struct RowCost {
  const TileRow& row;
  double add_begin;  // to begin adding parts
  double add_part;   // to write a part and read it again, for one of each block
  bool is_from_memory = false;

  constexpr double of_units(std::int64_t count, std::int64_t steps, std::int64_t blocks) const {
    constexpr double kMultiplyAddsPerCycle = 128;
    const std::int64_t multiprocessors = blocks / row.blocks_per_sm;
    const std::int64_t busiest = (count + multiprocessors - 1) / multiprocessors;  // its blocks
    const double step =
        static_cast<double>(row.rows * row.columns * row.depth) / (kMultiplyAddsPerCycle * row.speed);
    const double alone = row.begin_cycles + static_cast<double>(steps) * row.step_cycles *
                                                (is_from_memory ? row.step_from_memory : 1);
    const auto round = [&](std::int64_t at_once) {
      return std::max(static_cast<double>(at_once) * (static_cast<double>(steps) * step + row.end_cycles),
                      alone);
    };
    const std::int64_t left = busiest % row.blocks_per_sm;
    return static_cast<double>(busiest / row.blocks_per_sm) * round(row.blocks_per_sm) +
           (left == 0 ? 0 : round(left));
  }
  constexpr double of_adding(std::int64_t parts, std::int64_t blocks) const {
    return add_begin + add_part * static_cast<double>(parts) / static_cast<double>(blocks);
  }
};

// The best among `rows`.
constexpr TileChoice choose_tile(std::span<const TileRow> rows, const GemmProblem& problem,
                                 const DeviceLimits& limits) {
  constexpr double kAddBeginCycles = 3900;
  constexpr double kAddPartCycles = 0.4;  // a vector, on each multiprocessor
  constexpr std::int64_t kStepsMin = 2;
  constexpr std::int64_t kSumsBytesMax = std::int64_t{128} << 20;
  constexpr std::int64_t kCachedBytesMax = std::int64_t{24} << 20;
  const auto up = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
  TileChoice best;
  for (const TileRow& row : rows) {
    if (!can_run(row.requirements, limits) || problem.n > row.columns_max) {
      continue;
    }
    const std::int64_t elements = row.rows * row.columns;
    const RowCost cost{.row = row,
                       .add_begin = kAddBeginCycles,
                       .add_part = kAddPartCycles * static_cast<double>(row.blocks_per_sm * elements) / 4,
                       .is_from_memory = 4 * problem.k * (problem.m + problem.n) > kCachedBytesMax};
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

inline constexpr std::int64_t kThinRowsMax = 8;
inline constexpr std::int64_t kThinColumnsMax = 8;

constexpr bool is_thin(const GemmProblem& problem) {
  return problem.m <= kThinRowsMax || problem.n <= kThinColumnsMax;
}

// Whether thin.cu is faster than tiles: with more than four rows only where B is long to read, and with few
// columns unless k is short, whose steps a warp's lanes share.
constexpr bool is_best_thin(const GemmProblem& problem) {
  constexpr std::int64_t kRowsMax = 4;
  constexpr std::int64_t kLarge = std::int64_t{3} << 20;  // floats
  constexpr std::int64_t kDepthMin = 32;
  return problem.m <= kRowsMax || (problem.m <= kThinRowsMax && problem.n * problem.k >= kLarge) ||
         (problem.k >= kDepthMin && problem.n <= kThinColumnsMax);
}

struct ThinChoice {
  std::int64_t blocks = 0;  // of one part; 0: the product is not thin
  std::int64_t parts = 1;
  std::int64_t depth = 0;      // along k of a part
  bool is_by_columns = false;  // few columns: warps walk along rows of A
  std::int64_t sharers = 1;    // warps of a block that share rows then
  std::int64_t columns = 4;    // of a thread, where they do not
};

// Rows of A of a warp, where there are few columns.
constexpr int thin_rows(std::int64_t columns) {
  return columns <= 1 ? 2 : 4;
}

// As many parts as there are multiprocessors for, unless they would be too short along k. With few rows they
// have 128 steps, but a k of up to 512 is not split: adding takes longer; a thread then takes one column, so
// that there are more blocks. With few columns, warps of a block share k first.
constexpr ThinChoice choose_thin(const GemmProblem& problem, std::int64_t multiprocessors) {
  constexpr std::int64_t kWholeDepthMax = 512;
  constexpr std::int64_t kFewSteps = 64;
  constexpr std::int64_t kSumsMax = std::int64_t{8} << 20;  // floats
  constexpr std::int64_t kWarps = 8;
  constexpr std::int64_t kWarpDepthMin = 128;
  const auto up = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
  ThinChoice choice;
  std::int64_t depth_min = 128;
  std::int64_t blocks_per_sm = 4;
  if (problem.n <= kThinColumnsMax) {
    choice.is_by_columns = true;
    const std::int64_t warps = up(problem.m, thin_rows(problem.n));
    while (choice.sharers < kWarps && warps * choice.sharers < multiprocessors * blocks_per_sm * kWarps &&
           problem.k >= 2 * choice.sharers * kWarpDepthMin) {
      choice.sharers *= 2;
    }
    choice.blocks = up(warps * choice.sharers, kWarps);
    depth_min = 1024 * kWarps;
  } else if (is_thin(problem)) {
    const bool is_whole = problem.k <= kWholeDepthMax;
    if (is_whole && problem.k > kFewSteps && (problem.m > 1 || problem.n % 4 != 0)) {
      choice.columns = 1;
    }
    choice.blocks = up(problem.n, 32 * choice.columns);
    blocks_per_sm = is_whole ? 0 : problem.m <= 4 ? 3 : 2;
  } else {
    return choice;
  }
  const std::int64_t wanted = std::min({multiprocessors * blocks_per_sm / choice.blocks,
                                        problem.k / depth_min, kSumsMax / (problem.m * problem.n)});
  choice.depth = up(problem.k, std::max<std::int64_t>(wanted, 1));
  choice.parts = choice.depth == 0 ? 1 : up(problem.k, choice.depth);
  return choice;
}

}  // namespace kernels::gemm
