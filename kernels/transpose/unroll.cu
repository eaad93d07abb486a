// naive_row and naive_col with several elements per thread, each a block's width apart: all loads are issued
// before the first store needs one.
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

// unroll4_row: naive_row with four elements per thread, a block's width apart along the row.
// Loads are coalesced and four of them are in flight per thread; stores are strided as in naive_row.
// Shows: whether naive_row waits for its loads. If it waits for its stores, as it should, little is won.
// Predicted: bytes as naive_row; the index arithmetic of a thread is spread over four elements.
__global__ void __launch_bounds__(kThreadsPerBlockMax) unroll4_row_kernel(Panel p) {
  wait_for_kernel_before();
  transpose_unrolled_row<4>(p);
}

int launch_unroll4_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(unroll4_row_kernel, problem, row_plan(block, 4), stream);
}

// unroll4_col: naive_col with four elements per thread, a block's width apart along the column.
// Stores are coalesced; four strided loads are in flight per thread, so that their latency overlaps.
// Shows: more loads in flight hide the latency of strided access, up to what L1 can hold and serve.
// Predicted: bytes as naive_col while the four times larger set of sectors stays in L1; the index
// arithmetic of a thread is spread over four elements.
__global__ void __launch_bounds__(kThreadsPerBlockMax) unroll4_col_kernel(Panel p) {
  wait_for_kernel_before();
  transpose_unrolled_column<4>(p);
}

int launch_unroll4_col(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(unroll4_col_kernel, problem, column_plan(block, 4), stream);
}

// unroll8_row: naive_row with eight elements per thread, a block's width apart along the row.
// Loads are coalesced and eight of them are in flight per thread; stores are strided as in naive_row.
// Shows: whether naive_row waits for its loads. If it waits for its stores, as it should, little is won.
// Predicted: bytes as naive_row; the index arithmetic of a thread is spread over eight elements.
__global__ void __launch_bounds__(kThreadsPerBlockMax) unroll8_row_kernel(Panel p) {
  wait_for_kernel_before();
  transpose_unrolled_row<8>(p);
}

int launch_unroll8_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(unroll8_row_kernel, problem, row_plan(block, 8), stream);
}

// unroll8_col: naive_col with eight elements per thread, a block's width apart along the column.
// Stores are coalesced; eight strided loads are in flight per thread, so that their latency overlaps.
// Shows: more loads in flight hide the latency of strided access, up to what L1 can hold and serve.
// Predicted: bytes as naive_col while the eight times larger set of sectors stays in L1; the index
// arithmetic of a thread is spread over eight elements.
__global__ void __launch_bounds__(kThreadsPerBlockMax) unroll8_col_kernel(Panel p) {
  wait_for_kernel_before();
  transpose_unrolled_column<8>(p);
}

int launch_unroll8_col(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch(unroll8_col_kernel, problem, column_plan(block, 8), stream);
}

}  // namespace kernels::transpose
