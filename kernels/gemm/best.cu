// split_k: sliced_k or sliced_k_small, whichever suits, with k split over blocks where tiles are left over
// that do not occupy all multiprocessors: each part's sums go to memory, and a second kernel adds them, in
// order. Shows: few results of long sums, and the last round of many tiles, no longer leave multiprocessors
// idle. Predicted: 256 × 256 × 8192 is 16 tiles of 64 × 64, each in 8 parts: 128 blocks of 1024 of k, 20 µs
// instead of 160, and 2 µs to add; at 2049³ the 33 tiles after 4 rounds take a quarter of a round.
//
// best: thin where the product is; else the same choice among all tiles (choice.hpp).
#include <array>
#include <utility>

#include "kernels/gemm/choice.hpp"
#include "kernels/gemm/thin.hpp"
#include "kernels/launch.cuh"

namespace kernels::gemm {

int launch_warp_tile_parts(const GemmProblem&, const Split&, Stream);
int launch_async_parts(const GemmProblem&, const Split&, Stream);
int launch_async_pair_parts(const GemmProblem&, const Split&, Stream);
int launch_sliced_k_parts(const GemmProblem&, const Split&, Stream);
int launch_sliced_k_small_parts(const GemmProblem&, const Split&, Stream);
int launch_thin(const GemmProblem&, Stream);
int launch_tile_1d(const GemmProblem&, Stream);
int launch_smem(const GemmProblem&, Stream);

namespace {

int launch_tile(Tile tile, const GemmProblem& problem, const Split& split, Stream stream) {
  switch (tile) {
    case Tile::kAsync:
      return launch_async_parts(problem, split, stream);
    case Tile::kAsyncPair:
      return launch_async_pair_parts(problem, split, stream);
    case Tile::kSlicedK:
      return launch_sliced_k_parts(problem, split, stream);
    case Tile::kSlicedKSmall:
      return launch_sliced_k_small_parts(problem, split, stream);
    case Tile::kWarpTile:
      return launch_warp_tile_parts(problem, split, stream);
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

int launch_split_k(const GemmProblem& problem, Stream stream) {
  static_assert(kTiles[2].tile == Tile::kSlicedK && kTiles[3].tile == Tile::kSlicedKSmall);
  thread_local LastChoices<TileChoice> last;
  return launch_chosen(std::span(kTiles).subspan(2, 2), last, problem, stream);
}

int launch_best(const GemmProblem& problem, Stream stream) {
  if (is_best_thin(problem)) {
    return launch_thin(problem, stream);
  }
  thread_local LastChoices<TileChoice> last;
  return launch_chosen(kTiles, last, problem, stream);
}

}  // namespace kernels::gemm
