// The table of the transposes. A new variant: its file, a row here, a line in the build list.
#include <array>

#include "kernels/transpose.hpp"

// ROW(name, is_copy, default block x, y, least compute capability, summary)
//
// 32 × 8 is every default, so that only the access pattern differs: a warp spans 32 floats, and the block's
// other side is the 8 floats of one 32-byte sector, so that a block's strided accesses fill whole sectors.
#define TRANSPOSE_VARIANTS(ROW)                                                          \
  ROW(copy_row, true, 32, 8, 75, "copy along rows: the bound for a coalesced transpose") \
  ROW(naive_row, false, 32, 8, 75, "reads rows: coalesced loads, strided stores")

namespace kernels {

namespace transpose {
#define DECLARE_VARIANT(name, ...)                                \
  int launch_##name(const TransposeProblem&, BlockShape, Stream); \
  std::optional<KernelResources> resources_##name(BlockShape);
TRANSPOSE_VARIANTS(DECLARE_VARIANT)
#undef DECLARE_VARIANT
}  // namespace transpose

std::span<const TransposeVariant> transpose_variants() {
#define VARIANT_ROW(variant, copy, x_threads, y_threads, capability, text) \
  TransposeVariant{.name = #variant,                                       \
                   .summary = text,                                        \
                   .is_copy = copy,                                        \
                   .default_block = {.x = x_threads, .y = y_threads},      \
                   .requirements = {.compute_capability_min = capability}, \
                   .launch = transpose::launch_##variant,                  \
                   .resources = transpose::resources_##variant},
  static constexpr std::array kVariants = {TRANSPOSE_VARIANTS(VARIANT_ROW)};
#undef VARIANT_ROW
  return kVariants;
}

}  // namespace kernels
