// The table of the matrix products. A new variant: its file, a row here, a line in the build list.
#include <array>
#include <limits>

#include "kernels/gemm.hpp"

// ROW(name, requirements, largest side to measure, summary)
#define GEMM_VARIANTS(ROW)                                                                             \
  ROW(naive, kFrom75, 2048, "one thread per element, x along rows: uncoalesced")                       \
  ROW(coalesced, kFrom75, 4096, "naive with x along columns: coalesced")                               \
  ROW(smem, kFrom75, 4096, "32 x 32 tiles of A and B in shared memory")                                \
  ROW(tile_1d, kFrom75, 4096, "64 x 64 tiles, a column of 8 results per thread")                       \
  ROW(tile_2d, kFrom75, kAnySide, "128 x 128 tiles, 8 x 8 results per thread")                         \
  ROW(tile_2d_vector, kFrom75, kAnySide, "tile_2d with loads and stores of 16 bytes")                  \
  ROW(warp_tile, kFrom75, kAnySide, "128 x 256 tiles, 64 x 64 per warp, 8 x 16 results per thread")    \
  ROW(async, kFrom80, kAnySide, "warp_tile with asynchronous copies to shared memory")                 \
  ROW(async_pair, kFrom80, kAnySide, "async with 128 x 128 tiles, two blocks per multiprocessor")      \
  ROW(sliced_k, kFrom80, kAnySide, "async with 64 x 128 tiles, four groups of warps share k")          \
  ROW(sliced_k_small, kLargeShared, kAnySide, "async with 64 x 64 tiles, eight warps share k")         \
  ROW(split_k, kFrom80, kAnySide, "sliced_k or sliced_k_small, k of the last tiles split over blocks") \
  ROW(thin, kFrom80, 0, "few rows or columns: streams the large matrix once, else sliced_k")           \
  ROW(best, kFrom75, kAnySide, "the one of these that suits the device and the shape")                 \
  ROW(cublas, kFrom75, kAnySide, "cuBLAS, pedantic float32: the reference")

namespace kernels {

constexpr Requirements kFrom75{.compute_capability_min = 75};
constexpr Requirements kFrom80{.compute_capability_min = 80};  // cp.async
// 112 KiB of shared memory for a block: 8.6, 8.9 and 12.x have 99.
constexpr Requirements kLargeShared{.compute_capability_min = 90, .compute_capability_max = 119};
constexpr std::int64_t kAnySide = std::numeric_limits<std::int64_t>::max();

namespace gemm {
#define DECLARE_VARIANT(name, ...) int launch_##name(const GemmProblem&, Stream);
GEMM_VARIANTS(DECLARE_VARIANT)
#undef DECLARE_VARIANT
}  // namespace gemm

#define VARIANT_ROW(variant, needs, side, text) \
  GemmVariant{.name = #variant,                 \
              .summary = (text),                \
              .requirements = (needs),          \
              .measured_side_max = (side),      \
              .launch = gemm::launch_##variant},
constexpr std::array kGemms = {GEMM_VARIANTS(VARIANT_ROW)};
#undef VARIANT_ROW

std::span<const GemmVariant> gemm_variants() {
  return kGemms;
}

}  // namespace kernels
