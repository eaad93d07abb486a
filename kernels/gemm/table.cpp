// The table of the matrix products, and which of them is the best for a problem. A new variant: its kernel in
// the file whose technique it shares, or in one of its own, and a row here.
#include <array>
#include <limits>
#include <span>

#include <cuda_runtime_api.h>

#include "kernels/gemm.hpp"
#include "kernels/gemm/choice.hpp"
#include "kernels/runtime.hpp"

// ROW(name, requirements, largest side to measure, summary)
#define GEMM_VARIANTS(ROW)                                                                               \
  ROW(naive, kFrom75, 2048, "one thread per element, x along rows: uncoalesced")                         \
  ROW(coalesced, kFrom75, 4096, "naive with x along columns: coalesced")                                 \
  ROW(smem, kFrom75, 4096, "32 x 32 tiles of A and B in shared memory")                                  \
  ROW(tile_1d, kFrom75, 4096, "64 x 64 tiles, a column of 8 results per thread")                         \
  ROW(tile_2d, kFrom75, kAnySide, "128 x 128 tiles, 8 x 8 results per thread")                           \
  ROW(tile_2d_vector, kFrom75, kAnySide, "tile_2d with loads and stores of 16 bytes")                    \
  ROW(warp_tile, kFrom75, kAnySide, "128 x 256 tiles, 64 x 64 per warp, 8 x 16 results per thread")      \
  ROW(async, kFrom80, kAnySide, "warp_tile with asynchronous copies to shared memory")                   \
  ROW(async_pair, kFrom80, kAnySide, "async with 128 x 128 tiles, two blocks per multiprocessor")        \
  ROW(sliced_k, kFrom80, kAnySide, "async with 64 x 128 tiles, four groups of warps share k")            \
  ROW(sliced_k_small, kLargeShared, kAnySide, "async with 64 x 64 tiles, eight warps share k")           \
  ROW(sliced_k_tiny, kFrom80, 2048, "async with 32 x 32 tiles, four warps share k")                      \
  ROW(sliced_k_narrow, kFrom80, 2048, "sliced_k_tiny with 64 x 16 tiles, for few columns")               \
  ROW(sliced_k_deep, kFrom80, 2048, "sliced_k_tiny with three stages of tiles: for a long k")            \
  ROW(sliced_k_pair, kFrom80, 2048, "async with 64 x 64 tiles, 8 x 8 results per thread, two blocks")    \
  ROW(sliced_k_48x64, kLargeShared, 2048, "async with 48 x 64 tiles, 12 x 8 results per thread")         \
  ROW(sliced_k_64x48, kLargeShared, 2048, "async with 64 x 48 tiles, 8 x 12 results per thread")         \
  ROW(sliced_k_96x32, kLargeShared, 2048, "async with 96 x 32 tiles, three blocks per multiprocessor")   \
  ROW(sliced_k_128x24, kLargeShared, 2048, "async with 128 x 24 tiles: for up to 24 columns")            \
  ROW(sliced_k_24x128, kLargeShared, 2048, "async with 24 x 128 tiles: for up to 24 rows")               \
  ROW(short_k, kFrom80, 4096, "async with 64 x 64 tiles, 4 x 8 results per thread, five blocks at once") \
  ROW(short_k_wide, kFrom80, 4096, "short_k with 64 x 128 tiles, 8 x 8 results, four blocks at once")    \
  ROW(split_k, kFrom80, kAnySide, "sliced_k or sliced_k_small, k of the last tiles split over blocks")   \
  ROW(thin, kFrom80, 0, "up to 8 rows or columns: streams the large matrix once, else sliced_k")         \
  ROW(best, kFrom75, kAnySide, "the one of these that suits the device and the shape")                   \
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

namespace gemm {

// ROW(tile, variant): tiles that can split k.
#define WARP_TILES(ROW)                \
  ROW(kAsync, async)                   \
  ROW(kAsyncPair, async_pair)          \
  ROW(kSlicedK, sliced_k)              \
  ROW(kSlicedKSmall, sliced_k_small)   \
  ROW(kSlicedKTiny, sliced_k_tiny)     \
  ROW(kSlicedKNarrow, sliced_k_narrow) \
  ROW(kSlicedKDeep, sliced_k_deep)     \
  ROW(kSlicedKPair, sliced_k_pair)     \
  ROW(kSlicedK48x64, sliced_k_48x64)   \
  ROW(kSlicedK64x48, sliced_k_64x48)   \
  ROW(kSlicedK96x32, sliced_k_96x32)   \
  ROW(kSlicedK128x24, sliced_k_128x24) \
  ROW(kSlicedK24x128, sliced_k_24x128) \
  ROW(kShortK, short_k)                \
  ROW(kShortKWide, short_k_wide)       \
  ROW(kWarpTile, warp_tile)

#define DECLARE_PARTS(tile, name) int launch_##name##_parts(const GemmProblem&, const Split&, Stream);
WARP_TILES(DECLARE_PARTS)
#undef DECLARE_PARTS

namespace {

int launch_tile(Tile tile, const GemmProblem& problem, const Split& split, Stream stream) {
  switch (tile) {
#define LAUNCH_PARTS(tile, name) \
  case Tile::tile:               \
    return launch_##name##_parts(problem, split, stream);
    WARP_TILES(LAUNCH_PARTS)
#undef LAUNCH_PARTS
    case Tile::kTile1d:
      return launch_tile_1d(problem, stream);
    case Tile::kSmem:
      return launch_smem(problem, stream);
  }
  return cudaErrorInvalidValue;
}

int launch_chosen(std::span<const TileRow> rows, LastChoices<TileChoice>& last, const GemmProblem& problem,
                  Stream stream) {
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  const std::int64_t device = limits.capability * std::int64_t{1000000} + limits.multiprocessors;
  const TileChoice& choice =
      last.find(problem.m, problem.n, problem.k, device, [&] { return choose_tile(rows, problem, limits); });
  return choice.row == nullptr ? cudaErrorInvalidDevice
                               : launch_tile(choice.row->tile, problem, choice.split, stream);
}

}  // namespace

// split_k: sliced_k or sliced_k_small, whichever suits, with k split over blocks where tiles are left over
// that do not occupy all multiprocessors: each part's sums go to memory, and a second kernel adds them, in
// order.
// Shows: few results of long sums, and the last round of many tiles, no longer leave multiprocessors idle.
// Predicted: 256 × 256 × 8192 is 16 tiles of 64 × 64, each in 8 parts: 128 blocks of 1024 of k, 20 µs
// instead of 160, and 2 µs to add; at 2049³ the 33 tiles after 4 rounds take a quarter of a round.
int launch_split_k(const GemmProblem& problem, Stream stream) {
  static_assert(kTiles[2].tile == Tile::kSlicedK && kTiles[3].tile == Tile::kSlicedKSmall);
  thread_local LastChoices<TileChoice> last;
  return launch_chosen(std::span(kTiles).subspan(2, 2), last, problem, stream);
}

// best: thin where the product is; else the same choice among all tiles (choice.hpp).
int launch_best(const GemmProblem& problem, Stream stream) {
  if (is_best_thin(problem)) {
    return launch_thin(problem, stream);
  }
  thread_local LastChoices<TileChoice> last;
  return launch_chosen(kTiles, last, problem, stream);
}

}  // namespace gemm
}  // namespace kernels
