// The fastest variant for a problem on this device. The rule is the table below: the first row that applies
// and whose variant takes the problem. Measured on an H200 (docs/kernels.md); other devices get the same rule
// until somebody measures them.
#include <algorithm>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/transpose.hpp"

namespace kernels::transpose {
namespace {

struct Rule {
  std::string_view variant;
  bool (*applies)(const TransposeProblem&, int multiprocessors);
};

constexpr BlockShape kBlock{256, 1};

bool is_line(const TransposeProblem& problem, int) {
  return problem.rows == 1 || problem.columns == 1;
}

// Less than six tiles of 64 × 64 for each multiprocessor.
bool is_small(const TransposeProblem& problem, int multiprocessors) {
  constexpr std::int64_t kTile = 64;
  constexpr std::int64_t kTilesEach = 6;
  return problem.rows / kTile * (problem.columns / kTile) < kTilesEach * multiprocessors;
}

bool always(const TransposeProblem&, int) {
  return true;
}

constexpr Rule kRules[] = {
    {"copy_vec4", is_line},  // a row becomes a column: its elements keep their order
    {"memcpy", is_line},     // … wherever it begins
    {"vec4_tile", is_small}, {"vec4_tall_tile", always}, {"shifted_tile", always},
};

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
    if (rule.applies(problem, multiprocessors) && can_take(variant, problem)) {
      return variant.launch(problem, variant.default_block, stream);
    }
  }
  return cudaErrorNotSupported;
}

}  // namespace kernels::transpose
