// The fastest variant for a problem on this device. The rule is the table below: the first row that applies
// and whose variant takes the problem. Measured on an H200 and an H100 (docs/lab/kernels.md); other devices
// get the same rule until somebody measures them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>

#include <cuda_runtime_api.h>

#include "kernels/device_limits.hpp"
#include "kernels/split.hpp"
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
  BlockShape block = {};  // the variant's default where it has no threads
};

constexpr Rule kRules[] = {
    {"copy_vec4", 1, kAny, kAny},  // a row becomes a column: its elements keep their order
    {"copy_vec4", kAny, 1, kAny},
    {"memcpy", 1, kAny, kAny},  // ... wherever it begins
    {"memcpy", kAny, 1, kAny},
    {"unroll4_row", 2, kAny, kAny},  // up to here: few rows or columns, where tiles would be nearly empty
    {"strip", 7, kAny, kAny},
    {"unroll8_col", kAny, 8, kAny},
    {"quad_tile", 12, kAny, kAny},
    {"smem_padded", 15, kAny, kAny, {32, 4}},
    {"smem_unroll_padded", 31, kAny, kAny},
    {"unroll8_col", kAny, 15, kAny, {8, 32}},
    {"vec4_tile", kAny, kAny, 6 * 4096},  // six tiles of 64 × 64 for each multiprocessor
    {"smem_padded", kAny, kAny, 2000},    // too small to occupy the device with larger tiles
    {"vec4_tall_tile", kAny, 64, kAny},
    {"shifted_tall_tile", kAny, 60, kAny},
    {"shifted_tile", kAny, 124, kAny},  // one of its tiles across, where vec4_tall_tile needs two
    {"vec4_tall_tile", kAny, kAny, kAny},
    {"smem_padded", kAny, kAny, 24500},  // from here on: rows that are not aligned
    {"shifted_tile", 57, kAny, kAny},
    {"shifted_tall_tile", 121, kAny, kAny},
    {"shifted_tile", kAny, kAny, kAny},
};

// The rows of the table that the rules name, found once.
using Variants = std::array<const TransposeVariant*, std::size(kRules)>;

Variants find_variants() {
  Variants found{};
  std::ranges::transform(kRules, found.begin(), [](const Rule& rule) {
    return &*std::ranges::find(transpose_variants(), rule.variant, &TransposeVariant::name);
  });
  return found;
}

bool applies(const Rule& rule, const TransposeProblem& problem, std::int64_t elements_per_multiprocessor) {
  return problem.rows <= rule.rows_max && problem.columns <= rule.columns_max &&
         elements_per_multiprocessor <= rule.elements_per_multiprocessor_max;
}

struct Chosen {
  const TransposeVariant* variant = nullptr;
  BlockShape block;
};

Chosen choose(const Variants& variants, const TransposeProblem& problem, std::int64_t multiprocessors) {
  const std::int64_t elements = problem.rows * problem.columns / multiprocessors;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const TransposeVariant& variant = *variants[i];
    if (applies(kRules[i], problem, elements) && can_take(variant, problem)) {
      return {&variant, kRules[i].block.x > 0 ? kRules[i].block : variant.default_block};
    }
  }
  return {};
}

}  // namespace

int launch_best(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != kBlock) {
    return cudaErrorInvalidValue;
  }
  static const Variants kVariants = find_variants();
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  // A launch takes the host some 3 µs: going through the rules each time would add a twentieth.
  thread_local LastChoices<Chosen> last;
  const std::int64_t kind = limits.multiprocessors * 2 + (has_vector_pointers(problem) ? 1 : 0);
  const Chosen& chosen = last.find(problem.rows, problem.columns, 1, kind,
                                   [&] { return choose(kVariants, problem, limits.multiprocessors); });
  return chosen.variant == nullptr ? cudaErrorNotSupported
                                   : chosen.variant->launch(problem, chosen.block, stream);
}

}  // namespace kernels::transpose
