// Which tile of a matrix a block takes: grids of any length, orders of blocks, and products whose tiles are
// dealt out in parts along k, with the addition of the parts' sums. For .cu files only.
#pragma once

#include <cstdint>

#include "kernels/launch.cuh"
#include "kernels/split.hpp"

namespace kernels {

// A grid of x blocks by at least y, for y up to kGridYMax². It may overshoot y by less than one block for
// every kGridYMax of them: kernels read folded_block_y() and check it against the matrix.
inline dim3 folded_grid(std::int64_t x, std::int64_t y) {
  const std::int64_t z = divide_up(y, kGridYMax);
  return {static_cast<unsigned>(x), static_cast<unsigned>(divide_up(y, z)), static_cast<unsigned>(z)};
}

__device__ __forceinline__ std::uint32_t folded_block_y() {
  return blockIdx.z * gridDim.y + blockIdx.y;
}

// Along diagonals: the x-th block of the y-th line takes the tile in row x and in column (x + y) mod the
// number of columns. For every row x, y → column is one to one on [0, columns), so each tile is taken exactly
// once, however far the grid is from square. Launch with x along the rows.
struct DiagonalTile {
  std::uint32_t row;
  std::uint32_t column;
  bool exists;  // a folded grid may overshoot
};

// `columns` by reference: where it is a kernel's parameter, it is read where it is used.
__device__ __forceinline__ DiagonalTile diagonal_tile(const std::uint32_t& columns) {
  const std::uint32_t line = folded_block_y();
  return {.row = blockIdx.x, .column = (blockIdx.x + line) % columns, .exists = line < columns};
}

// In groups of eight rows of tiles, column by column: blocks that run at the same time cover a nearly square
// part of C, and share rows of A and columns of B in L2. Counts tiles, down × across of them.
struct GroupedTile {
  std::uint32_t row;
  std::uint32_t column;
};

__device__ __forceinline__ GroupedTile grouped_tile(std::uint32_t tile, std::uint32_t down,
                                                    std::uint32_t across) {
  constexpr std::uint32_t kGroup = 8;
  const std::uint32_t first = tile / (kGroup * across) * kGroup;
  const std::uint32_t height = min(kGroup, down - first);
  const std::uint32_t in_group = tile - first * across;
  return {first + in_group % height, in_group / height};
}

// The same for kernels that load nothing before they know their tile: a division takes about 100 cycles, and
// the first tile of most blocks needs none.
__device__ __forceinline__ GroupedTile grouped_tile_soon(std::uint32_t tile, std::uint32_t down,
                                                         std::uint32_t across) {
  constexpr std::uint32_t kGroup = 8;
  const std::uint32_t per_group = kGroup * across;
  const std::uint32_t group = tile < per_group ? 0 : tile / per_group;
  const std::uint32_t height = min(down - group * kGroup, kGroup);
  const std::uint32_t in_group = tile - group * per_group;
  const std::uint32_t column = height == kGroup ? in_group / kGroup : in_group / height;
  return {group * kGroup + in_group - column * height, column};
}

// What a kernel is given of a Split.
struct Parts {
  std::uint32_t whole_tiles;
  std::uint32_t parts;  // of each tile after those
  std::uint32_t depth;  // of a part along k; the last one of a tile may have less
};

// Parts of nearly the same length.
struct EvenParts : Parts {
  std::uint32_t longer = 0;  // so many parts of a tile, the first ones, have one more
};

inline Parts parts_of(const Split& split) {
  return {static_cast<std::uint32_t>(split.whole_tiles), static_cast<std::uint32_t>(split.parts),
          static_cast<std::uint32_t>(split.depth)};
}

// One piece of work: a tile from `first` on, for `depth` along k.
struct Unit {
  std::uint32_t tile;
  std::uint32_t first;
  std::uint32_t depth;
  std::uint32_t part;  // the number of its part among all parts; kWhole for a whole tile
};
inline constexpr std::uint32_t kWhole = ~0U;

// `k` in the unit that depth is counted in.
__device__ __forceinline__ Unit unit_of(std::uint32_t index, const Parts& p, std::uint32_t k) {
  if (index < p.whole_tiles) {
    return {index, 0, k, kWhole};
  }
  const std::uint32_t part = index - p.whole_tiles;
  const std::uint32_t tile = part / p.parts;
  const std::uint32_t first = (part - tile * p.parts) * p.depth;
  return {p.whole_tiles + tile, first, min(p.depth, k - first), part};
}

__device__ __forceinline__ Unit unit_of(std::uint32_t index, const EvenParts& p, std::uint32_t k) {
  if (index < p.whole_tiles) {
    return {index, 0, k, kWhole};
  }
  const std::uint32_t part = index - p.whole_tiles;
  const std::uint32_t tile = part / p.parts;
  const std::uint32_t in_tile = part - tile * p.parts;
  const std::uint32_t first = in_tile * p.depth + min(in_tile, p.longer);
  return {p.whole_tiles + tile, first, min(p.depth + (in_tile < p.longer ? 1 : 0), k - first), part};
}

// The next kernel may begin when all blocks of this one have, if it is launched so; before it reads what this
// one wrote, it waits. Before 9.0 it begins later, and there is nothing to say.
__device__ __forceinline__ void let_next_begin() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ __forceinline__ void wait_for_kernel_before() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

inline constexpr int kAddThreads = 256;

// Where the parts' sums lie: those of a tile follow each other, each `vectors` of four floats long.
struct PartSums {
  const float4* sums;
  std::uint32_t vectors;
  std::uint32_t parts;
};

// The sum of vector `index` over all parts of a tile. Threads with the same x and other y add a share of the
// parts each; the whole is in those with y = 0. All threads of the block must come.
__device__ __forceinline__ float4 add_parts(const PartSums& of, std::uint32_t tile, std::uint32_t index) {
  __shared__ float4 shares[kAddThreads];
  const float4* from = of.sums + static_cast<std::uint64_t>(tile) * of.parts * of.vectors + index;
  float4 sum = {};
#pragma unroll 4
  for (std::uint32_t part = threadIdx.y; part < of.parts; part += blockDim.y) {
    const float4 more = from[static_cast<std::uint64_t>(part) * of.vectors];
    sum = {sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w};
  }
  if (blockDim.y > 1) {
    shares[threadIdx.y * blockDim.x + threadIdx.x] = sum;
    __syncthreads();
    for (std::uint32_t y = 1; threadIdx.y == 0 && y < blockDim.y; ++y) {
      const float4 more = shares[y * blockDim.x + threadIdx.x];
      sum = {sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w};
    }
  }
  return sum;
}

// Launches a kernel that calls add_parts() once for each vector of `tiles` tiles: blockIdx.x counts blocks of
// vectors, folded_block_y() tiles. It must call wait_for_kernel_before() first.
template <typename Argument>
cudaError_t launch_adder(void (*kernel)(Argument), std::int64_t tiles, std::int64_t vectors,
                         std::int64_t parts, Stream stream, const Argument& argument) {
  constexpr std::int64_t kPartsPerThread = 4;
  constexpr std::int64_t kSharesMax = 8;
  std::int64_t shares = 1;
  while (shares < kSharesMax && shares * kPartsPerThread < parts) {
    shares *= 2;
  }
  const dim3 threads(static_cast<unsigned>(kAddThreads / shares), static_cast<unsigned>(shares));
  return launch_kernel(kernel, folded_grid(divide_up(vectors * shares, kAddThreads), tiles), threads, 0,
                       stream, argument, Begin::kEarly);
}

}  // namespace kernels
