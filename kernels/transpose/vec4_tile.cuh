// What the vectorised tiles share. A block of 256 threads takes a tile of kTileRows × 64 of the input. A
// thread loads quads of 4 × 4 floats, 16 bytes a row, turns them in its registers, and puts them as rows of
// the output into shared memory; then the block stores rows of the output, 16 bytes a thread.
#pragma once

#include "kernels/transpose/quad.cuh"

namespace kernels::transpose {

inline constexpr BlockShape kVecTileBlock{256, 1};
inline constexpr int kVecTileColumns = 64;

// Where a vector of the tile's output lies in shared memory. Rows are 16 vectors or more, without padding: 16
// threads with quads side by side write vectors a few rows apart, and would meet in the same banks, were not
// the vectors of every fourth row exchanged.
template <int kTileRows>
__device__ __forceinline__ int place_in_tile(int column, int vector) {
  return column * (kTileRows / kQuad) + (vector ^ (column / kQuad % 8));
}

// Launch with grid_x along the rows: blocks that start one after the other read downwards and store side by
// side, which device memory takes better (H200, 8192²: 133.0 µs against 135.4 the other way round).
template <int kTileRows>
__device__ __forceinline__ void transpose_vec_tile(const Panel& p) {
  constexpr int kThreads = kVecTileBlock.x;
  constexpr int kQuadsAcross = kVecTileColumns / kQuad;
  constexpr int kQuads = kTileRows / kQuad * kQuadsAcross / kThreads;
  constexpr int kVectorsAcross = kTileRows / kQuad;
  __shared__ float4 tile[kVecTileColumns * kVectorsAcross];

  const std::uint32_t line = folded_block_y();
  const std::uint32_t row = blockIdx.x * kTileRows;
  const std::uint32_t column = line * kVecTileColumns;
  const int thread = static_cast<int>(threadIdx.x);
  if (line >= p.lines) {
    return;
  }
  Quad quads[kQuads];
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    const int place = thread + i * kThreads;
    const std::uint32_t x = column + place % kQuadsAcross * kQuad;
    const std::uint32_t y = row + place / kQuadsAcross * kQuad;
    if (x < p.columns && y < p.rows) {
#pragma unroll
      for (int k = 0; k < kQuad; ++k) {
        quads[i].rows[k] = *reinterpret_cast<const float4*>(p.in + ((y + k) * p.in_pitch + x));
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    const int place = thread + i * kThreads;
    quads[i].transpose();
#pragma unroll
    for (int k = 0; k < kQuad; ++k) {
      tile[place_in_tile<kTileRows>(place % kQuadsAcross * kQuad + k, place / kQuadsAcross)] =
          quads[i].rows[k];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kQuads * kQuad; ++i) {
    const int place = thread + i * kThreads;
    const std::uint32_t x = column + place / kVectorsAcross;
    const std::uint32_t y = row + place % kVectorsAcross * kQuad;
    if (x < p.columns && y < p.rows) {
      *reinterpret_cast<float4*>(p.out + (x * p.out_pitch + y)) =
          tile[place_in_tile<kTileRows>(place / kVectorsAcross, place % kVectorsAcross)];
    }
  }
}

inline int launch_vec_tile(void (*kernel)(Panel), int tile_rows, const TransposeProblem& problem,
                           BlockShape block, Stream stream) {
  if (block != kVecTileBlock) {
    return cudaErrorInvalidValue;
  }
  return launch_vector_rows(kernel, problem,
                            {.block = kVecTileBlock,
                             .tile_rows = tile_rows,
                             .tile_columns = kVecTileColumns,
                             .grid_x = Axis::kRows},
                            stream);
}

}  // namespace kernels::transpose
