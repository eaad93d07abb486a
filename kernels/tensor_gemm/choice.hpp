// Which plan of the wgmma kernel, and which split of k, suits a product. Pure: no CUDA.
//
// A plan's blocks compute in rounds, one block on each multiprocessor. A step is 128 bytes of k.
#pragma once

#include <algorithm>
#include <span>

#include "kernels/split.hpp"
#include "kernels/tensor_gemm.hpp"

namespace kernels::tensor_gemm {

enum class Plan { kLarge, kMedium, kSquare, kSquarePair, kTall, kTallPair, kWide, kFlat, kTiny };

struct PlanRow {
  Plan plan;
  std::int64_t rows;  // of C, of a cluster
  std::int64_t columns;
  int cluster;
  std::int64_t steps_min;  // of a part
  TileCost cost;           // fits to an H100's times (docs/lab/kernels.md)
};

inline constexpr double kAlone = 0.4;
inline constexpr PlanRow kPlans[] = {
    {Plan::kLarge, 256, 256, 2, 4, {1040, 4600, 7000, 22000, kAlone}},
    {Plan::kMedium, 256, 192, 2, 4, {870, 3000, 7000, 12000, kAlone}},
    {Plan::kSquare, 128, 128, 1, 4, {800, 1900, 7000, 11000, kAlone}},
    {Plan::kSquarePair, 256, 128, 2, 4, {820, 2200, 7000, 7500, kAlone}},
    {Plan::kTall, 128, 64, 1, 4, {605, 1200, 5900, 5000, kAlone}},
    {Plan::kTallPair, 256, 64, 2, 4, {710, 870, 4100, 5500, kAlone}},
    {Plan::kWide, 64, 256, 1, 4, {1100, 1600, 7000, 8500, kAlone}},
    {Plan::kFlat, 64, 128, 1, 4, {620, 1000, 5800, 4400, kAlone}},
    {Plan::kTiny, 64, 64, 1, 4, {395, 1050, 7000, 1500, kAlone}},
};

struct PlanChoice {
  const PlanRow* row = nullptr;
  Split split;  // of tiles of clusters, in steps
  double cycles = 0;
};

inline constexpr std::int64_t kStepBytes = 128;
inline constexpr std::int64_t kPartSumsBytesMax = std::int64_t{128} << 20;

constexpr PlanChoice choose_plan(std::span<const PlanRow> rows, const TensorGemmProblem& problem,
                                 std::int64_t element_bytes, std::int64_t multiprocessors) {
  const auto up = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
  PlanChoice best;
  for (const PlanRow& row : rows) {
    const SplitChoice found =
        choose_split(up(problem.m, row.rows) * up(problem.n, row.columns),
                     up(problem.k * element_bytes, kStepBytes), multiprocessors / row.cluster, row.steps_min,
                     kPartSumsBytesMax / (4 * row.rows * row.columns), row.cost);
    if (best.row == nullptr || found.cycles < best.cycles) {
      best = {&row, found.split, found.cycles};
    }
  }
  return best;
}

// Whether few rows or columns are multiplied faster without tensor cores (thin.cu): with next to none, and
// with few where rows would have to be padded.
constexpr bool is_best_thin(const TensorGemmProblem& problem, std::int64_t element_bytes) {
  constexpr std::int64_t kAlignmentBytes = 16;
  constexpr std::int64_t kDepthMax = 65536;  // beyond it, k must be split over blocks
  const std::int64_t side_max = problem.k * element_bytes % kAlignmentBytes == 0 ? 2 : 8;
  return std::min(problem.m, problem.n) <= side_max && problem.k <= kDepthMax;
}

// Whether rows of A and B start where the copy engine can take them, or the product is large enough to pay
// for padding them; else mma_sync is faster, which reads them as they are.
constexpr bool is_worth_padding(const TensorGemmProblem& problem, std::int64_t element_bytes) {
  constexpr std::int64_t kAlignmentBytes = 16;
  constexpr std::int64_t kRowBytesMin = 160;
  constexpr std::int64_t kResultsMin = 200000;
  const std::int64_t row_bytes = problem.k * element_bytes;
  return row_bytes % kAlignmentBytes == 0 || row_bytes >= kRowBytesMin ||
         problem.m * problem.n >= kResultsMin;
}

}  // namespace kernels::tensor_gemm
