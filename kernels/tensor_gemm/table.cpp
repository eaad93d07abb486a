// The table of the matrix products on tensor cores. A new variant: its file, a row here, a line in the build
// list.
#include <array>

#include "kernels/tensor_gemm.hpp"

// ROW(function, type, name, requirements, summary)
#define TENSOR_GEMM_VARIANTS(ROW)                                                                     \
  ROW(wmma_bf16, kBf16, "wmma", kSince80, "nvcuda::wmma, 128 x 128 tiles in padded shared memory")    \
  ROW(mma_sync_bf16, kBf16, "mma_sync", kSince80, "mma.sync, ldmatrix, three stages of cp.async")     \
  ROW(wgmma_tma_bf16, kBf16, "wgmma_tma", kOnly90, "wgmma fed by TMA, one warpgroup does it all")     \
  ROW(wgmma_roles_bf16, kBf16, "wgmma_roles", kOnly90,                                                \
      "wgmma: a thread loads by TMA, two warpgroups multiply 128 x 256 tiles")                        \
  ROW(wgmma_cluster_bf16, kBf16, "wgmma_cluster", kOnly90, "wgmma_roles, loads shared by two blocks") \
  ROW(wgmma_bf16, kBf16, "wgmma", kOnly90, "wgmma_cluster, stores hidden behind what is multiplied")  \
  ROW(wgmma_plans_bf16, kBf16, "wgmma_plans", kOnly90,                                                \
      "wgmma with the tile that suits the shape, and k split over blocks")                            \
  ROW(best_bf16, kBf16, "best", kSince80, "the one of these that suits the device and the shape")     \
  ROW(cublas_bf16, kBf16, "cublas", kSince80, "cuBLAS, float32 accumulation: the reference")          \
  ROW(mma_sync_tf32, kTf32, "mma_sync", kSince80, "mma.sync, ldmatrix, three stages of cp.async")     \
  ROW(wgmma_tma_tf32, kTf32, "wgmma_tma", kOnly90, "wgmma fed by TMA, one warpgroup does it all")     \
  ROW(wgmma_tf32, kTf32, "wgmma", kOnly90, "wgmma with TMA, loads shared by clusters of two blocks")  \
  ROW(wgmma_plans_tf32, kTf32, "wgmma_plans", kOnly90,                                                \
      "wgmma with the tile that suits the shape, and k split over blocks")                            \
  ROW(best_tf32, kTf32, "best", kSince80, "the one of these that suits the device and the shape")     \
  ROW(cublas_tf32, kTf32, "cublas", kSince80, "cuBLAS, TF32 allowed: the reference")                  \
  ROW(best_fp8, kFp8, "best", kOnly90, "wgmma with the tile and the split of k that suit the shape")  \
  ROW(cublas_fp8, kFp8, "cublas", kOnly90, "cublasLt, fast accumulation: the reference")

namespace kernels {

namespace tensor_gemm {
#define DECLARE_VARIANT(function, ...) int launch_##function(const TensorGemmProblem&, Stream);
TENSOR_GEMM_VARIANTS(DECLARE_VARIANT)
#undef DECLARE_VARIANT
}  // namespace tensor_gemm

// bfloat16 and TF32 came with 8.0.
constexpr Requirements kSince80{.compute_capability_min = 80};
// wgmma is in 9.0 alone.
constexpr Requirements kOnly90{.compute_capability_min = 90, .compute_capability_max = 90};

#define VARIANT_ROW(function, of_type, text_name, needs, text) \
  TensorGemmVariant{.name = (text_name),                       \
                    .summary = (text),                         \
                    .type = TensorType::of_type,               \
                    .requirements = (needs),                   \
                    .launch = tensor_gemm::launch_##function},
constexpr std::array kTensorGemms = {TENSOR_GEMM_VARIANTS(VARIANT_ROW)};
#undef VARIANT_ROW

std::span<const TensorGemmVariant> tensor_gemm_variants() {
  return kTensorGemms;
}

std::string_view name_of(TensorType type) {
  constexpr std::string_view kNames[] = {"bf16", "tf32", "fp8"};
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace kernels
