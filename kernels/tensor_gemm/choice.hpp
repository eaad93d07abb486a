// Which tile and cluster of the wgmma kernel, and which split of k, suit a product. Pure: no CUDA.
//
// Blocks compute in rounds, one block on each multiprocessor. A step is 128 bytes of k. The time of a step is
// that of the tensor cores or that of the loads, whichever is longer, and the constants are fits to the times
// of all plans and splits at 366 shapes (docs/lab/kernels.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/split.hpp"
#include "kernels/tensor_gemm.hpp"

namespace kernels::tensor_gemm {

// A tile and a cluster that the kernel is compiled for (wgmma_pipeline.cuh): a row here is all that it takes.
struct PlanRow {
  int consumers;  // warpgroups that multiply, 64 rows of a block's tile each
  int tile_columns;
  int down;        // blocks of a cluster above each other: they share what they load of B
  int across;      // and side by side: of A
  bool is_turned;  // A and B change places: the tile's rows are columns of C
  double step;     // what a step and the begin and end of a tile take, of what the formula says
  double ends;

  constexpr int cluster() const { return down * across; }
  constexpr std::int64_t rows() const { return std::int64_t{64} * consumers * down; }  // of a cluster
  constexpr std::int64_t columns() const { return std::int64_t{tile_columns} * across; }
  constexpr double sums() const { return 64.0 * consumers * tile_columns; }  // of a block
};

inline constexpr PlanRow kPlans[] = {
    {1, 256, 4, 1, false, 0.91, 1.86}, {2, 128, 4, 1, false, 0.94, 1.16}, {2, 256, 2, 1, false, 0.98, 2.14},
    {2, 192, 2, 1, false, 0.99, 1.43}, {3, 192, 1, 1, false, 1.09, 0.86}, {3, 128, 1, 1, false, 0.95, 1.00},
    {2, 128, 1, 1, false, 0.89, 0.80}, {1, 128, 1, 1, false, 1.02, 0.66}, {2, 64, 1, 1, false, 0.91, 0.52},
    {1, 64, 1, 1, false, 1.03, 0.50},  {1, 160, 4, 1, true, 1.33, 0.75},  {1, 128, 4, 1, true, 0.96, 1.31},
    {2, 144, 1, 1, true, 1.02, 0.85},  {3, 96, 1, 1, true, 0.98, 1.37},   {1, 64, 4, 1, true, 1.02, 0.74},
    {1, 80, 1, 1, true, 0.99, 0.67},   {1, 32, 1, 1, true, 1.07, 0.82},   {1, 16, 1, 1, true, 0.98, 1.72},
    {2, 256, 4, 1, false, 0.99, 1.76}, {2, 256, 2, 2, false, 0.98, 2.07}, {1, 48, 2, 2, true, 1.14, 1.20},
    {1, 80, 2, 2, true, 1.15, 0.80},   {1, 96, 2, 2, true, 1.21, 0.90},   {3, 96, 1, 2, true, 1.02, 2.19},
    {2, 144, 2, 2, true, 0.99, 1.41},  {1, 96, 4, 2, true, 0.90, 1.14},   {1, 128, 4, 2, true, 0.84, 1.57},
    {2, 192, 2, 2, false, 0.96, 1.55}, {1, 64, 4, 2, false, 1.08, 0.81},  {3, 128, 2, 2, false, 1.12, 1.17},
};

// For operands whose rows the copy engine cannot take: threads copy words of four bytes.
inline constexpr PlanRow kWordPlans[] = {
    {1, 256, 1, 1, false, 1, 1},
    {1, 128, 1, 1, false, 1, 1},
    {1, 64, 1, 1, false, 1, 1},
};

// In cycles.
inline constexpr double kTensorShare[] = {0.899, 0.965,
                                          0.883};  // of the tensor cores' own time, by warpgroups
inline constexpr double kStepBegin = 129;          // of a step, beside them
inline constexpr double kLoadNorm = 3.99;      // 1: loads and products follow each other; large: they overlap
inline constexpr double kCacheBytes = 43.7;    // from the L2 cache to each multiprocessor, if all ask
inline constexpr double kSplitBytes = 1.06;    // of rows that begin between two lines: so many more
inline constexpr double kCopiedRow = 1.63;     // what a block's copy engine takes for a line
inline constexpr double kArrivalBytes = 73.3;  // to a multiprocessor
inline constexpr double kAlone = 1.11;         // what one block alone reads counts so much more
inline constexpr double kMemoryBytes = 1610;   // of the device's memory
inline constexpr double kEnds = 546;           // to begin and end a tile
inline constexpr double kStores = 40.6;        // of a KiB of C
inline constexpr double kTurned = 0.481;       // the same turned, of that
inline constexpr double kTurnedFloats = 0.841;  // by threads, as floats are
inline constexpr double kUnmapped = 2.21;       // by threads, where rows of C are not aligned
inline constexpr double kAddBegin = 3710;       // the kernel that adds parts, and bytes a cycle through it
inline constexpr double kAddBytes = 1380;
inline constexpr double kShareBegin = 3120;  // within a cluster, and for 4096 sums
inline constexpr double kSharePart = 1290;
inline constexpr double kGroupBegin = 4390;  // beyond it
inline constexpr double kGroupPart = 1030;

// The same where threads copy words: for a row of a step.
inline constexpr double kWordRow = 9;
// Padding: to begin, and for a byte of a padded row.
inline constexpr double kPadBegin = 4000;
inline constexpr double kPadByte = 0.0018;

// How rows of A and B are read: as they are by the copy engine, as they are by threads (kWordPlans), or by
// the copy engine from padded copies.
enum class Rows { kMapped, kByWords, kPadded };

struct PlanChoice {
  int plan = -1;    // row of the table
  Split split;      // of tiles of clusters, in steps
  int sharers = 0;  // blocks of a cluster that add their parts themselves; 0: another kernel adds
  double cycles = 0;
  Rows rows = Rows::kMapped;
};

inline constexpr std::int64_t kStepBytes = 128;
inline constexpr std::int64_t kStepsMin = 4;  // of a part
inline constexpr std::int64_t kPartSumsBytesMax = std::int64_t{128} << 20;
inline constexpr std::int64_t kAlignmentBytes = 16;  // of rows that the copy engine takes

// The larger one, or more where both are alike.
inline double longer_of(double one, double other) {
  return std::pow(std::pow(one, kLoadNorm) + std::pow(other, kLoadNorm), 1 / kLoadNorm);
}

// What a plan takes for a product.
class PlanCost {
 public:
  PlanCost(const PlanRow& row, const TensorGemmProblem& problem, std::int64_t element_bytes,
           std::int64_t multiprocessors, bool by_words)
      : row_(row),
        m_(row.is_turned ? problem.n : problem.m),
        n_(row.is_turned ? problem.m : problem.n),
        multiprocessors_(static_cast<double>(multiprocessors)) {
    constexpr double kCachedBytes = 40e6;  // stay in the L2 cache from launch to launch
    const std::int64_t result_bytes = element_bytes == 4 ? 4 : 2;
    const double bytes = static_cast<double>((problem.m + problem.n) * problem.k * element_bytes) +
                         static_cast<double>(problem.m * problem.n * result_bytes);
    memory_ = bytes > kCachedBytes ? bytes / kMemoryBytes : 0;
    const bool is_mapped = problem.n * result_bytes % kAlignmentBytes == 0;
    const double stores =
        row.is_turned ? (result_bytes == 4 ? kTurnedFloats : kTurned) : (is_mapped ? 1 : kUnmapped);
    ends_ = kEnds * row.ends + kStores * stores * row.sums() * static_cast<double>(result_bytes) / 1024;
    tensor_ = 2.0 * row.consumers * row.tile_columns * kTensorShare[row.consumers - 1] + kStepBegin;
    const double rows = std::min(64.0 * row.consumers, static_cast<double>(m_));
    const double columns = std::min(1.0 * row.tile_columns, static_cast<double>(n_));
    const bool is_split = !by_words && problem.k * element_bytes % kStepBytes != 0;
    const double copied = rows / row.across + columns / row.down;
    loaded_ = kStepBytes * copied * (is_split ? kSplitBytes : 1);
    arrival_ = by_words ? kWordRow * (rows + columns)
                        : std::max(kCopiedRow * (is_split ? 2 : 1) * copied,
                                   (rows + columns) * kStepBytes / kArrivalBytes);
  }

  std::int64_t tiles() const { return tiles_down() * tiles_across(); }

  // Of units of a cluster's tile, or of `sharers` blocks that share one.
  double of_units(std::int64_t count, std::int64_t steps, std::int64_t blocks,
                  std::int64_t sharers = 1) const {
    const auto round = [&](std::int64_t units) {
      return static_cast<double>(steps) * step(units, units * row_.cluster() * sharers) + ends_;
    };
    const std::int64_t rest = count % blocks;
    return (count >= blocks ? static_cast<double>(count / blocks) * round(blocks) : 0) +
           (rest > 0 ? round(rest) : 0);
  }
  double of_adding(std::int64_t parts, std::int64_t /*blocks*/) const {
    return kAddBegin + static_cast<double>(parts * row_.cluster()) * row_.sums() * 4 / kAddBytes;
  }
  // No plan is faster than memory; of those that are as slow, the one that waits most is taken.
  double of_memory(double cycles, double adding, std::int64_t units) const {
    constexpr double kTieShare = 0.00513;
    constexpr double kMemoryAlone = 0.88;  // of its bandwidth, for few blocks
    const double busy = std::min(1.0, static_cast<double>(units * row_.cluster()) / multiprocessors_);
    return std::max(cycles, memory_ / (kMemoryAlone + (1 - kMemoryAlone) * busy) + adding) +
           kTieShare * cycles;
  }
  // In the blocks themselves: within clusters of `sharers`, and of so many of those.
  double of_sharing(std::int64_t sharers, std::int64_t groups) const {
    const double vectors = row_.sums() / 4096;
    const double in_cluster = kShareBegin + kSharePart * vectors * (1 - 1.0 / static_cast<double>(sharers));
    return groups == 1
               ? in_cluster
               : in_cluster + kGroupBegin +
                     kGroupPart * vectors * static_cast<double>(groups) / static_cast<double>(sharers);
  }

 private:
  static std::int64_t up(std::int64_t count, std::int64_t size) { return (count + size - 1) / size; }
  std::int64_t tiles_down() const { return up(m_, row_.rows()); }
  std::int64_t tiles_across() const { return up(n_, row_.columns()); }

  // What many blocks read at the same time comes faster than what one does.
  double step(std::int64_t units, std::int64_t blocks) const {
    constexpr std::int64_t kGroup = 8;  // grouped_tile_soon()
    const std::int64_t down = std::min(kGroup, tiles_down());
    const std::int64_t across = std::min(tiles_across(), up(units, down));
    const auto rows =
        static_cast<double>(std::min(m_, down * row_.rows()) + std::min(n_, across * row_.columns()));
    const double bytes = loaded_ * static_cast<double>(blocks) + kAlone * kStepBytes * rows;
    return row_.step * longer_of(tensor_, std::max(bytes / multiprocessors_ / kCacheBytes, arrival_));
  }

  const PlanRow& row_;
  std::int64_t m_;
  std::int64_t n_;
  double multiprocessors_;
  double ends_;
  double memory_;
  double tensor_;
  double loaded_;   // bytes of a block from the L2 cache
  double arrival_;  // cycles until a step is there, whatever the others read
};

// How many clusters of so many blocks a device computes at once: large ones leave multiprocessors over.
constexpr std::int64_t clusters_at_once(std::int64_t multiprocessors, std::int64_t blocks) {
  const std::int64_t percent = blocks >= 8 ? 92 : blocks >= 4 ? 93 : 100;
  return std::max<std::int64_t>(multiprocessors * percent / 100 / blocks, 1);
}

// All tiles in parts, of which up to eight are added within a cluster, for blocks that all compute at once.
inline PlanChoice choose_sharing(const PlanRow& row, const PlanCost& cost, std::int64_t tiles,
                                 std::int64_t steps, std::int64_t multiprocessors) {
  PlanChoice best;
  for (const std::int64_t sharers : {2, 4, 8}) {
    for (const std::int64_t groups : {1, 2, 4, 6}) {
      const std::int64_t parts = sharers * groups;
      if (row.cluster() > 1 || parts * kStepsMin > steps ||
          tiles * groups > clusters_at_once(multiprocessors, sharers)) {
        continue;
      }
      const double adding = cost.of_sharing(sharers, groups);
      const double cycles =
          cost.of_memory(cost.of_units(tiles * groups, (steps + parts - 1) / parts,
                                       clusters_at_once(multiprocessors, sharers), sharers) +
                             adding,
                         adding, tiles * parts);
      if (best.sharers == 0 || cycles < best.cycles) {
        best.split = {.whole_tiles = 0, .parts = parts, .depth = 0};
        best.sharers = static_cast<int>(sharers);
        best.cycles = cycles;
      }
    }
  }
  return best;
}

inline PlanChoice choose_plan(std::span<const PlanRow> rows, const TensorGemmProblem& problem,
                              std::int64_t element_bytes, std::int64_t multiprocessors,
                              bool by_words = false) {
  const auto up = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
  const std::int64_t steps = up(problem.k * element_bytes, kStepBytes);
  // What is turned, the copy engine must store, or two bytes at a time would be.
  const bool can_turn = element_bytes == 4 || problem.n * 2 % kAlignmentBytes == 0;
  PlanChoice best;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PlanRow& row = rows[i];
    if (row.is_turned && !can_turn) {
      continue;
    }
    const PlanCost cost(row, problem, element_bytes, multiprocessors, by_words);
    const std::int64_t tiles = cost.tiles();
    const SplitChoice split =
        choose_split(tiles, steps, clusters_at_once(multiprocessors, row.cluster()), kStepsMin,
                     kPartSumsBytesMax / (4 * row.rows() * row.columns()), cost);
    PlanChoice choice = choose_sharing(row, cost, tiles, steps, multiprocessors);
    if (choice.sharers == 0 || split.cycles <= choice.cycles) {
      choice = {.split = split.split, .cycles = split.cycles};
    }
    choice.plan = static_cast<int>(i);
    if (best.plan < 0 || choice.cycles < best.cycles) {
      best = choice;
    }
  }
  return best;
}

// Of a row of so many: copied anyway, it gets whole lines.
constexpr std::int64_t padded_bytes(std::int64_t row_bytes) {
  return (row_bytes + kStepBytes - 1) / kStepBytes * kStepBytes;
}

// Where rows have to be padded for the copy engine, threads that copy words are faster with few rows or
// columns: the large matrix is moved once and not three times. They need rows that are whole words.
inline PlanChoice choose_rows(const TensorGemmProblem& problem, std::int64_t element_bytes,
                              std::int64_t multiprocessors) {
  constexpr std::int64_t kWordBytes = 4;
  const std::int64_t row_bytes = problem.k * element_bytes;
  if (row_bytes % kAlignmentBytes == 0) {
    return choose_plan(kPlans, problem, element_bytes, multiprocessors);
  }
  TensorGemmProblem padded = problem;
  padded.k = padded_bytes(row_bytes) / element_bytes;
  PlanChoice mapped = choose_plan(kPlans, padded, element_bytes, multiprocessors);
  mapped.rows = Rows::kPadded;
  mapped.cycles +=
      kPadBegin + kPadByte * static_cast<double>((problem.m + problem.n) * padded_bytes(row_bytes));
  if (element_bytes == 1 || row_bytes % kWordBytes != 0) {
    return mapped;
  }
  PlanChoice words = choose_plan(kWordPlans, problem, element_bytes, multiprocessors, true);
  words.rows = Rows::kByWords;
  return words.cycles < mapped.cycles ? words : mapped;
}

// Launches a plan, for the product of a type, on compute capability 9.0 (best.cu). Rows::kPadded is not for
// this: the operands must be what the choice says.
int launch_choice(TensorType type, const PlanChoice& choice, const TensorGemmProblem& problem, Stream stream);

// Whether few rows or columns are multiplied faster without tensor cores (thin.cu): with next to none, and
// with few where rows would have to be padded.
constexpr bool is_best_thin(const TensorGemmProblem& problem, std::int64_t element_bytes) {
  constexpr std::int64_t kDepthMax = 65536;  // beyond it, k must be split over blocks
  const std::int64_t side_max = problem.k * element_bytes % kAlignmentBytes == 0 ? 2 : 8;
  return std::min(problem.m, problem.n) <= side_max && problem.k <= kDepthMax;
}

// So few results that mma_sync, which reads rows as they are, was faster than padding them.
inline constexpr std::int64_t kFewResults = 200000;

// Whether k is so short that the stores of C are nearly all there is to do (thin.cu): where rows would have
// to be padded, which takes a launch of its own, and where the copy engine cannot store rows of C. Of the
// latter bfloat16 is stored nearly as fast by the plans: only where there is little of it.
constexpr bool is_best_short(const TensorGemmProblem& problem, std::int64_t element_bytes) {
  constexpr std::int64_t kDepthMax = 48;  // its operands fit in the shared memory that all devices have
  constexpr double kProductsMax = 5e7;
  if (problem.k < 1 || problem.k > kDepthMax) {
    return false;
  }
  const bool can_read = problem.k * element_bytes % kAlignmentBytes == 0;
  const bool can_store = problem.n * (element_bytes == 4 ? 4 : 2) % kAlignmentBytes == 0;
  const double results = static_cast<double>(problem.m) * static_cast<double>(problem.n);
  if (!can_read && results < kFewResults) {
    return true;
  }
  return !can_store &&
         (element_bytes == 4 || (!can_read && results * static_cast<double>(problem.k) <= kProductsMax));
}

// Whether rows of A and B start where the copy engine can take them, or the product is large enough to pay
// for padding them; else mma_sync is faster, which reads them as they are.
constexpr bool is_worth_padding(const TensorGemmProblem& problem, std::int64_t element_bytes) {
  constexpr std::int64_t kRowBytesMin = 160;
  const std::int64_t row_bytes = problem.k * element_bytes;
  return row_bytes % kAlignmentBytes == 0 || row_bytes >= kRowBytesMin ||
         problem.m * problem.n >= kFewResults;
}

}  // namespace kernels::tensor_gemm
