// What the unrolled variants share: a thread does several elements, each a block's width apart, and issues
// all its loads before the first store needs one.
#pragma once

#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

// x along the input's row: coalesced loads, strided stores. Launch with row_plan(block, kCount).
template <int kCount>
__device__ __forceinline__ void transpose_unrolled_row(const Panel& p) {
  const std::uint32_t column = blockIdx.x * (blockDim.x * kCount) + threadIdx.x;
  const std::uint32_t row = folded_block_y() * blockDim.y + threadIdx.y;
  if (row >= p.rows) {
    return;
  }
  const float* in = p.in + (row * p.in_pitch + column);
  float* out = p.out + (column * p.out_pitch + row);
  float values[kCount];
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    if (column + i * blockDim.x < p.columns) {
      values[i] = in[i * blockDim.x];
    }
  }
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    if (column + i * blockDim.x < p.columns) {
      out[i * blockDim.x * p.out_pitch] = values[i];
    }
  }
}

// x along the output's row: strided loads, coalesced stores. Launch with column_plan(block, kCount).
template <int kCount>
__device__ __forceinline__ void transpose_unrolled_column(const Panel& p) {
  const std::uint32_t row = blockIdx.x * (blockDim.x * kCount) + threadIdx.x;
  const std::uint32_t column = folded_block_y() * blockDim.y + threadIdx.y;
  if (column >= p.columns) {
    return;
  }
  const float* in = p.in + (row * p.in_pitch + column);
  float* out = p.out + (column * p.out_pitch + row);
  float values[kCount];
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    if (row + i * blockDim.x < p.rows) {
      values[i] = in[i * blockDim.x * p.in_pitch];
    }
  }
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    if (row + i * blockDim.x < p.rows) {
      out[i * blockDim.x] = values[i];
    }
  }
}

}  // namespace kernels::transpose
