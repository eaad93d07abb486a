// The table of the transposes, and which of them is the best for a problem. A new variant: its kernel in the
// file whose technique it shares, or in one of its own, and a row here.
#include <array>
#include <cstdint>
#include <limits>

#include <cuda_runtime_api.h>

#include "kernels/runtime.hpp"
#include "kernels/split.hpp"
#include "kernels/transpose.hpp"

// ROW(name, is_copy, default block x, y, whether it is the only one, least compute capability, what it takes,
//     summary)
//
// 32 × 8 is the default wherever there is a choice, so that only the access pattern differs: a warp spans 32
// floats, and the block's other side is the 8 floats of one 32-byte sector, so that a block's strided
// accesses fill whole sectors. The flat copies and the last rows have the one they are fastest with.
#define TRANSPOSE_VARIANTS(ROW)                                                                             \
  ROW(memcpy, true, 1, 1, true, 75, any, "the runtime's own copy, device to device: a bound")               \
  ROW(copy_vec4, true, 128, 1, false, 75, has_vector_pointers,                                              \
      "flat copy, 16 bytes a thread: the bound for large matrices")                                         \
  ROW(copy_vec4_stream, true, 256, 1, false, 75, has_vector_pointers,                                       \
      "flat copy, 64 bytes a thread, evict first: the bound for small ones")                                \
  ROW(copy_row, true, 32, 8, false, 75, any, "copy along rows, 4 a thread: the bound for the tiles")        \
  ROW(copy_col, true, 32, 8, false, 75, any, "copy along columns: the bound from below, nothing coalesced") \
  ROW(naive_row, false, 32, 8, false, 75, any, "reads rows: coalesced loads, strided stores")               \
  ROW(naive_col, false, 32, 8, false, 75, any, "reads columns: strided loads through L1, coalesced stores") \
  ROW(naive_row_nol1, false, 32, 8, false, 75, any, "naive_row, loads bypass L1: should cost nothing")      \
  ROW(naive_col_nol1, false, 32, 8, false, 75, any, "naive_col, loads bypass L1: shows what L1 gives it")   \
  ROW(unroll4_row, false, 32, 8, false, 75, any, "naive_row, 4 elements a thread: more loads in flight")    \
  ROW(unroll4_col, false, 32, 8, false, 75, any, "naive_col, 4 elements a thread: more loads in flight")    \
  ROW(unroll8_row, false, 32, 8, false, 75, any, "naive_row, 8 elements a thread: more loads in flight")    \
  ROW(unroll8_col, false, 32, 8, false, 75, any, "naive_col, 8 elements a thread: more loads in flight")    \
  ROW(diagonal_row, false, 32, 8, false, 75, any,                                                           \
      "naive_row, blocks along diagonals: against partition camping")                                       \
  ROW(diagonal_col, false, 32, 8, false, 75, any,                                                           \
      "naive_col, blocks along diagonals: against partition camping")                                       \
  ROW(smem, false, 32, 8, false, 75, any, "shared tile: both sides coalesced, 32-way bank conflicts")       \
  ROW(smem_column_write, false, 32, 8, false, 75, any,                                                      \
      "shared tile, stores still strided: a tile alone wins nothing")                                       \
  ROW(smem_padded, false, 32, 8, false, 75, any, "shared tile, one column of padding: no bank conflicts")   \
  ROW(smem_unroll_padded, false, 32, 8, false, 75, any,                                                     \
      "two padded tiles a block: 8 loads in flight a thread")                                               \
  ROW(vec4_tile, false, 256, 1, true, 75, has_vector_rows,                                                  \
      "64x64 tile, 16-byte accesses all the way: few instructions")                                         \
  ROW(vec4_short_tile, false, 128, 1, true, 75, has_vector_rows,                                            \
      "the same with 32 rows: for small matrices, and few rows")                                            \
  ROW(vec4_tall_tile, false, 256, 1, true, 75, has_vector_rows,                                             \
      "two such tiles a block: 8 loads of 16 bytes in flight a thread")                                     \
  ROW(tma_tile, false, 128, 1, true, 90, has_vector_rows,                                                   \
      "64x64 tile brought and taken by TMA, transposed in place")                                           \
  ROW(shifted_tile, false, 256, 1, true, 75, any,                                                           \
      "windows moved to aligned addresses on both sides: for odd sizes")                                    \
  ROW(shifted_short_tile, false, 128, 1, true, 75, any, "shifted_tile with 32 rows: for small matrices")    \
  ROW(shifted_tall_tile, false, 256, 1, true, 75, any, "shifted_tile with 96 rows: for large matrices")     \
  ROW(shifted_wide_tile, false, 256, 1, true, 75, any,                                                      \
      "shifted_tile with 124 columns: for few rows or columns")                                             \
  ROW(quad_tile, false, 128, 1, true, 75, has_vector_rows,                                                  \
      "quads turned in registers, no shared memory: neither barrier nor tile")                              \
  ROW(strip, false, 256, 1, true, 75, transpose::is_strip,                                                  \
      "the whole of the short side: for matrices with few rows or columns")                                 \
  ROW(best, false, 256, 1, true, 75, any, "the fastest of them for this shape and device")

namespace kernels {

namespace transpose {
#define DECLARE_VARIANT(name, ...) int launch_##name(const TransposeProblem&, BlockShape, Stream);
TRANSPOSE_VARIANTS(DECLARE_VARIANT)
#undef DECLARE_VARIANT
}  // namespace transpose

static constexpr bool (*any)(const TransposeProblem&) = nullptr;

#define VARIANT_ROW(variant, copy, x_threads, y_threads, fixed, capability, predicate, text) \
  TransposeVariant{.name = #variant,                                                         \
                   .summary = (text),                                                        \
                   .is_copy = (copy),                                                        \
                   .default_block = {.x = (x_threads), .y = (y_threads)},                    \
                   .is_block_fixed = (fixed),                                                \
                   .requirements = {.compute_capability_min = (capability)},                 \
                   .takes = (predicate),                                                     \
                   .launch = transpose::launch_##variant},
constexpr std::array kTransposes = {TRANSPOSE_VARIANTS(VARIANT_ROW)};
#undef VARIANT_ROW

std::span<const TransposeVariant> transpose_variants() {
  return kTransposes;
}

namespace {

// The variants that the rules name are looked up when this is compiled.
consteval const TransposeVariant& named(std::string_view name) {
  for (const TransposeVariant& variant : kTransposes) {
    if (variant.name == name) {
      return variant;
    }
  }
  throw "no such variant";
}

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

// A rule applies up to these sizes. The device counts by the share of a multiprocessor, rounded down.
struct Rule {
  const TransposeVariant& variant;
  std::int64_t rows_max;
  std::int64_t columns_max;
  std::int64_t elements_per_multiprocessor_max;
  std::int64_t rows_divisor = 1;  // of the number of rows: where rows of the output begin
};

constexpr std::int64_t kSectorFloats = 8;
constexpr std::int64_t kLineFloats = 32;

constexpr Rule kRules[] = {
    {named("copy_vec4"), 1, kAny, kAny},  // a row becomes a column: its elements keep their order
    {named("copy_vec4"), kAny, 1, kAny},
    {named("memcpy"), 1, kAny, kAny},  // ... wherever it begins
    {named("memcpy"), kAny, 1, kAny},
    {named("strip"), 16, kAny, kAny},  // up to here: so few that tiles would be empty
    {named("strip"), kAny, 16, kAny},
    {named("vec4_short_tile"), 48, kAny, kAny},
    {named("vec4_short_tile"), kAny, kAny, 12500},
    {named("vec4_tile"), kAny, kAny, 24500},  // up to here: within L2
    {named("vec4_tile"), kAny, 64, kAny},
    {named("vec4_short_tile"), kAny, kAny, 40000, kLineFloats},
    {named("vec4_tall_tile"), kAny, kAny, 125000, kLineFloats},
    {named("vec4_tile"), kAny, kAny, kAny, kSectorFloats},
    {named("strip"), kStripSideMax, kAny, kAny},  // from here on: rows that are not aligned
    {named("strip"), kAny, kStripSideMax, kAny},
    {named("shifted_short_tile"), kAny, kAny, 28000},
    {named("shifted_wide_tile"), 57, kAny, kAny},
    {named("shifted_tall_tile"), 89, kAny, kAny},
    {named("shifted_tile"), kAny, 1000, kAny},
    {named("shifted_tile"), kAny, kAny, 100000},
    {named("shifted_tall_tile"), kAny, kAny, kAny},
};

}  // namespace

TransposeChoice choose_transpose(const TransposeProblem& problem, std::int64_t multiprocessors) {
  const std::int64_t elements = problem.rows * problem.columns / multiprocessors;
  for (const Rule& rule : kRules) {
    if (problem.rows <= rule.rows_max && problem.columns <= rule.columns_max &&
        elements <= rule.elements_per_multiprocessor_max && problem.rows % rule.rows_divisor == 0 &&
        can_take(rule.variant, problem)) {
      return {&rule.variant, rule.variant.default_block};
    }
  }
  return {};
}

int transpose::launch_best(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != BlockShape{256, 1}) {
    return cudaErrorInvalidValue;
  }
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  // A launch takes the host some 3 µs: going through the rules each time would add a twentieth.
  thread_local LastChoices<TransposeChoice> last;
  const std::int64_t kind = limits.multiprocessors * 2 + (has_vector_pointers(problem) ? 1 : 0);
  const TransposeChoice& chosen = last.find(problem.rows, problem.columns, 1, kind, [&] {
    return choose_transpose(problem, limits.multiprocessors);
  });
  return chosen.variant == nullptr ? cudaErrorNotSupported
                                   : chosen.variant->launch(problem, chosen.block, stream);
}

bool has_vector_pointers(const TransposeProblem& problem) {
  constexpr std::uintptr_t kVectorBytes = 16;
  return problem.rows <= 0 || problem.columns <= 0 ||
         (reinterpret_cast<std::uintptr_t>(problem.in) % kVectorBytes == 0 &&
          reinterpret_cast<std::uintptr_t>(problem.out) % kVectorBytes == 0);
}

bool has_vector_rows(const TransposeProblem& problem) {
  constexpr std::int64_t kVectorFloats = 4;
  return problem.rows <= 0 || problem.columns <= 0 ||
         (has_vector_pointers(problem) && problem.rows % kVectorFloats == 0 &&
          problem.columns % kVectorFloats == 0);
}

}  // namespace kernels
