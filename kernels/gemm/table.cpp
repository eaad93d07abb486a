// The table of the matrix products. A new variant: its file, a row here, a line in the build list.
#include <array>

#include "kernels/gemm.hpp"

// ROW(name, least compute capability, summary)
#define GEMM_VARIANTS(ROW)                                            \
  ROW(naive, 75, "one thread per element, x along rows: uncoalesced") \
  ROW(coalesced, 75, "naive with x along columns: coalesced")         \
  ROW(smem, 75, "32 x 32 tiles of A and B in shared memory")          \
  ROW(tile_1d, 75, "64 x 64 tiles, a column of 8 results per thread") \
  ROW(tile_2d, 75, "128 x 128 tiles, 8 x 8 results per thread")       \
  ROW(cublas, 75, "cuBLAS, pedantic float32: the reference")

namespace kernels {

namespace gemm {
#define DECLARE_VARIANT(name, ...) int launch_##name(const GemmProblem&, Stream);
GEMM_VARIANTS(DECLARE_VARIANT)
#undef DECLARE_VARIANT
}  // namespace gemm

#define VARIANT_ROW(variant, capability, text)                          \
  GemmVariant{.name = #variant,                                         \
              .summary = (text),                                        \
              .requirements = {.compute_capability_min = (capability)}, \
              .launch = gemm::launch_##variant},
constexpr std::array kGemms = {GEMM_VARIANTS(VARIANT_ROW)};
#undef VARIANT_ROW

std::span<const GemmVariant> gemm_variants() {
  return kGemms;
}

}  // namespace kernels
