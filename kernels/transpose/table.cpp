// The table of the transposes. A new variant: its file, a row here, a line in the build list.
#include <array>

#include "kernels/transpose.hpp"

// ROW(name, is_copy, default block x, y, least compute capability, summary)
//
// 32 × 8 is every default, so that only the access pattern differs: a warp spans 32 floats, and the block's
// other side is the 8 floats of one 32-byte sector, so that a block's strided accesses fill whole sectors.
#define TRANSPOSE_VARIANTS(ROW)                                                                            \
  ROW(copy_row, true, 32, 8, 75, "copy along rows, 4 a thread: the bound for the tiles")                   \
  ROW(copy_col, true, 32, 8, 75, "copy along columns: the bound from below, nothing coalesced")            \
  ROW(naive_row, false, 32, 8, 75, "reads rows: coalesced loads, strided stores")                          \
  ROW(naive_col, false, 32, 8, 75, "reads columns: strided loads through L1, coalesced stores")            \
  ROW(naive_row_nol1, false, 32, 8, 75, "naive_row, loads bypass L1: should cost nothing")                 \
  ROW(naive_col_nol1, false, 32, 8, 75, "naive_col, loads bypass L1: shows what L1 gives it")              \
  ROW(unroll4_row, false, 32, 8, 75, "naive_row, 4 elements a thread: more loads in flight")               \
  ROW(unroll4_col, false, 32, 8, 75, "naive_col, 4 elements a thread: more loads in flight")               \
  ROW(unroll8_row, false, 32, 8, 75, "naive_row, 8 elements a thread: more loads in flight")               \
  ROW(unroll8_col, false, 32, 8, 75, "naive_col, 8 elements a thread: more loads in flight")               \
  ROW(diagonal_row, false, 32, 8, 75, "naive_row, blocks along diagonals: against partition camping")      \
  ROW(diagonal_col, false, 32, 8, 75, "naive_col, blocks along diagonals: against partition camping")      \
  ROW(smem, false, 32, 8, 75, "shared tile: both sides coalesced, 32-way bank conflicts")                  \
  ROW(smem_column_write, false, 32, 8, 75, "shared tile, stores still strided: a tile alone wins nothing") \
  ROW(smem_padded, false, 32, 8, 75, "shared tile, one column of padding: no bank conflicts")              \
  ROW(smem_unroll_padded, false, 32, 8, 75, "two padded tiles a block: 8 loads in flight a thread")

namespace kernels {

namespace transpose {
#define DECLARE_VARIANT(name, ...) int launch_##name(const TransposeProblem&, BlockShape, Stream);
TRANSPOSE_VARIANTS(DECLARE_VARIANT)
#undef DECLARE_VARIANT
}  // namespace transpose

#define VARIANT_ROW(variant, copy, x_threads, y_threads, capability, text)   \
  TransposeVariant{.name = #variant,                                         \
                   .summary = (text),                                        \
                   .is_copy = (copy),                                        \
                   .default_block = {.x = (x_threads), .y = (y_threads)},    \
                   .requirements = {.compute_capability_min = (capability)}, \
                   .launch = transpose::launch_##variant},
constexpr std::array kTransposes = {TRANSPOSE_VARIANTS(VARIANT_ROW)};
#undef VARIANT_ROW

std::span<const TransposeVariant> transpose_variants() {
  return kTransposes;
}

}  // namespace kernels
