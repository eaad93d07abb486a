// The tables of the CPU variants. A new variant: its file, a row here, a line in the build list.
#include <array>

#include "kernels/cpu.hpp"

// ROW(name, is_copy, summary)
#define TRANSPOSE_VARIANTS(ROW)                                   \
  ROW(copy, true, "copy: the bound")                              \
  ROW(naive, false, "row by row: loads in order, strided stores") \
  ROW(blocked, false, "32 x 32 blocks that stay in the first cache")

// ROW(name, summary)
#define GEMM_VARIANTS(ROW)                                         \
  ROW(naive, "the definition, i j k: B read down its columns")     \
  ROW(interchanged, "i k j: rows of B and C in order, vectorised") \
  ROW(blocked, "i k j on blocks of B that stay in the second cache")

namespace kernels::cpu {

#define DECLARE_VARIANT(name, ...) void transpose_##name(const TransposeProblem&);
TRANSPOSE_VARIANTS(DECLARE_VARIANT)
#undef DECLARE_VARIANT
#define DECLARE_VARIANT(name, ...) void gemm_##name(const GemmProblem&);
GEMM_VARIANTS(DECLARE_VARIANT)
#undef DECLARE_VARIANT

#define VARIANT_ROW(variant, copy, text) \
  TransposeVariant{.name = #variant, .summary = (text), .is_copy = (copy), .run = transpose_##variant},
constexpr std::array kTransposes = {TRANSPOSE_VARIANTS(VARIANT_ROW)};
#undef VARIANT_ROW

std::span<const TransposeVariant> transpose_variants() {
  return kTransposes;
}

#define VARIANT_ROW(variant, text) GemmVariant{.name = #variant, .summary = (text), .run = gemm_##variant},
constexpr std::array kGemms = {GEMM_VARIANTS(VARIANT_ROW)};
#undef VARIANT_ROW

std::span<const GemmVariant> gemm_variants() {
  return kGemms;
}

}  // namespace kernels::cpu
