// The fastest variant for a problem on this device. The rule is the table below: the first row that applies
// and whose variant takes the problem. Measured on an H200 (docs/kernels.md); other devices get the same rule
// until somebody measures them.
#include <algorithm>
#include <cstdint>
#include <limits>

#include <cuda_runtime_api.h>

#include "kernels/transpose.hpp"

namespace kernels::transpose {
namespace {

constexpr BlockShape kBlock{256, 1};
constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

// A rule applies up to these sizes. The device counts by the share of a multiprocessor, rounded down.
struct Rule {
  std::string_view variant;
  std::int64_t rows_max;
  std::int64_t columns_max;
  std::int64_t elements_per_multiprocessor_max;
};

constexpr Rule kRules[] = {
    {"copy_vec4", 1, kAny, kAny},  // a row becomes a column: its elements keep their order
    {"copy_vec4", kAny, 1, kAny},
    {"memcpy", 1, kAny, kAny},  // ... wherever it begins
    {"memcpy", kAny, 1, kAny},
    {"unroll4_row", 5, kAny, kAny},  // a tile would be nearly empty
    {"unroll8_col", kAny, 10, kAny},
    {"smem_unroll_padded", 31, kAny, kAny},
    {"smem_padded", kAny, kAny, 2000},    // many small blocks are done soonest
    {"vec4_tile", kAny, kAny, 6 * 4096},  // six tiles of 64 × 64
    {"vec4_tall_tile", kAny, kAny, kAny},
    {"unroll8_col", kAny, 12, kAny},  // from here on: rows that are not aligned
    {"smem_padded", kAny, 31, kAny},
    {"smem_padded", kAny, kAny, 11000},
    {"shifted_tile", kAny, kAny, kAny},
};

bool applies(const Rule& rule, const TransposeProblem& problem, int multiprocessors) {
  return problem.rows <= rule.rows_max && problem.columns <= rule.columns_max &&
         problem.rows * problem.columns / multiprocessors <= rule.elements_per_multiprocessor_max;
}

const TransposeVariant& variant_named(std::string_view name) {
  return *std::ranges::find(transpose_variants(), name, &TransposeVariant::name);
}

}  // namespace

int launch_best(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != kBlock) {
    return cudaErrorInvalidValue;
  }
  int device = 0;
  int multiprocessors = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  if (error != cudaSuccess) {
    return error;
  }
  for (const Rule& rule : kRules) {
    const TransposeVariant& variant = variant_named(rule.variant);
    if (applies(rule, problem, multiprocessors) && can_take(variant, problem)) {
      return variant.launch(problem, variant.default_block, stream);
    }
  }
  return cudaErrorNotSupported;
}

}  // namespace kernels::transpose
