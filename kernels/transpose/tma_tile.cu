// A 64 × 64 tile that TMA brings into shared memory and takes out of it again.
// One thread asks for the tile and waits for no row of it; the block turns it in place, in quads of 4 × 4
// floats through registers, and one thread sends it off. No thread computes an address in device memory, and
// edges are TMA's matter. A block of 128 threads with 16 KB: ten of them overlap on a multiprocessor.
// The tile has no padding and no swizzle of its own (a swizzled one has rows of 128 bytes and was 2 %
// slower): a warp's threads take their quads along diagonals instead, so that eight threads that are served
// at once meet eight different groups of banks both when they read rows and when they write columns. Shows:
// what is won where no thread loads or stores: registers and instructions, not bytes. Predicted: bytes as
// vec4_tile, fewer instructions, the same time: neither waits for instructions.
#include "kernels/transpose/quad.cuh"
#include "kernels/transpose/tma.cuh"

namespace kernels::transpose {

constexpr int kTile = 64;
constexpr BlockShape kBlock{128, 1};
constexpr int kQuadsAcross = kTile / kQuad;
constexpr int kGroup = 8;  // threads whose 16 bytes are served at once

struct TmaPanel {
  CUtensorMap in;
  CUtensorMap out;
  std::uint32_t lines;
};

struct QuadPlace {
  int column;
  int row;
};

// Which quad of the tile a thread takes in its i-th turn: one of eight diagonals of 8 × 8 quads.
__device__ __forceinline__ QuadPlace place_of_quad(int i) {
  const int place = static_cast<int>(threadIdx.x) + i * kBlock.x;
  const int in_group = place % kGroup;
  const int diagonal = place / kGroup % kGroup;
  const int square = place / (kGroup * kGroup);
  constexpr int kSquaresAcross = kQuadsAcross / kGroup;
  return {.column = square % kSquaresAcross * kGroup + in_group,
          .row = square / kSquaresAcross * kGroup + (in_group ^ diagonal)};
}

__global__ void __launch_bounds__(kBlock.x) tma_tile_kernel(const __grid_constant__ TmaPanel p) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(kTmaAlignment) float4 tile[kTile * kQuadsAcross];
  __shared__ std::uint64_t loaded;
  const std::uint32_t line = folded_block_y();
  if (line >= p.lines) {
    return;
  }
  const std::uint32_t row = blockIdx.x * kTile;
  const std::uint32_t column = line * kTile;
  if (threadIdx.x == 0) {
    init_barrier(loaded);
    arrive_expecting(loaded, sizeof(tile));
    load_box(tile, p.in, column, row, loaded);
  }
  __syncthreads();
  wait_for(loaded);
  constexpr int kQuads = kQuadsAcross * kQuadsAcross / kBlock.x;
  Quad quads[kQuads];
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    const QuadPlace place = place_of_quad(i);
#pragma unroll
    for (int k = 0; k < kQuad; ++k) {
      quads[i].rows[k] = tile[(place.row * kQuad + k) * kQuadsAcross + place.column];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    const QuadPlace place = place_of_quad(i);
    quads[i].transpose();
#pragma unroll
    for (int k = 0; k < kQuad; ++k) {
      tile[(place.column * kQuad + k) * kQuadsAcross + place.row] = quads[i].rows[k];
    }
  }
  fence_for_tma();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_box(p.out, row, column, tile);
  }
#endif
}

int launch_tma_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != kBlock) {
    return cudaErrorInvalidValue;
  }
  if (!has_vector_rows(problem)) {
    return cudaErrorNotSupported;
  }
  return for_each_panel(problem, false, [&](const Panel& panel) {
    const std::int64_t lines = divide_up(panel.columns, kTile);
    TmaPanel p{.in = {}, .out = {}, .lines = static_cast<std::uint32_t>(lines)};
    cudaError_t error =
        encode_matrix(p.in, panel.in, panel.rows, panel.columns, panel.in_pitch, kTile, kTile);
    if (error == cudaSuccess) {
      error = encode_matrix(p.out, panel.out, panel.columns, panel.rows, panel.out_pitch, kTile, kTile);
    }
    const dim3 grid = folded_grid(divide_up(panel.rows, kTile), lines);
    const dim3 threads(kBlock.x);
    return error == cudaSuccess ? launch_kernel(tma_tile_kernel, grid, threads, 0, stream, p) : error;
  });
}

}  // namespace kernels::transpose
