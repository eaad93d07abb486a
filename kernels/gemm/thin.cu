// Products with few rows or few columns: the large one of A and B is read once, in order, and nothing of it
// is kept. With few rows, a thread has one to four columns of C and walks down them; with few columns, a
// warp has a few rows of A and walks along them, or some warps of a block share them. Where C has too few
// elements to occupy the device, blocks take parts of k, and a second kernel adds their sums, in order.
// Shows: what such a product is bound by: the bytes of its large matrix. A tile of 64 rows would multiply
// all but a few of them for nothing.
// Predicted: 1 × 4096 × 4096 reads 67 MB: 23 µs from an H100's memory, where sliced_k_small takes 44 to
// multiply 64 rows.
#include <type_traits>

#include "kernels/gemm/choice.hpp"
#include "kernels/gemm/launch.cuh"

namespace kernels::gemm {

int launch_sliced_k(const GemmProblem&, Stream);

namespace {

constexpr int kLanes = 32;
constexpr int kWarps = 8;
constexpr int kThreads = kLanes * kWarps;

struct ThinProduct {
  Product product;
  std::uint32_t parts;
  std::uint32_t depth;    // along k of a part
  std::uint32_t sharers;  // with few columns: warps of a block that share rows
  float* sums;            // of parts, each C in one line, rounded up to whole vectors
};

__host__ __device__ inline std::uint64_t vectors_of(const Product& p) {
  return (static_cast<std::uint64_t>(p.m) * p.n + 3) / 4;
}

struct Range {
  std::uint32_t begin;
  std::uint32_t end;
};

__device__ __forceinline__ Range range_of(const ThinProduct& work, std::uint32_t part) {
  const std::uint32_t begin = part * work.depth;
  return {begin, min(begin + work.depth, work.product.k)};
}

__device__ __forceinline__ void put(const ThinProduct& work, std::uint32_t part, std::uint32_t row,
                                    std::uint32_t column, float sum) {
  if (work.parts == 1) {
    work.product.store(row, column, sum);
  } else {
    work.sums[part * vectors_of(work.product) * 4 + static_cast<std::uint64_t>(row) * work.product.n +
              column] = sum;
  }
}

// A thread's columns: four side by side, or, where vectors cannot start there, four a warp's width apart; or
// one, where four would make too few blocks.
enum class Width { kVector, kScalars, kOne };

template <Width kWidth>
struct Columns {
  static constexpr int kCount = kWidth == Width::kOne ? 1 : 4;
  std::uint32_t at[kWidth == Width::kVector ? 1 : kCount];

  __device__ __forceinline__ Columns(std::uint32_t lane, std::uint32_t n) {
    const std::uint32_t first = blockIdx.x * kLanes * kCount;
    if constexpr (kWidth == Width::kVector) {
      at[0] = min(first + lane * kCount, n - kCount);
    } else {
#pragma unroll
      for (int j = 0; j < kCount; ++j) {
        at[j] = min(first + j * kLanes + lane, n - 1);
      }
    }
  }
  static __device__ __forceinline__ std::uint32_t number(std::uint32_t lane, int j) {
    return blockIdx.x * kLanes * kCount + (kWidth == Width::kVector ? lane * kCount + j : j * kLanes + lane);
  }
  __device__ __forceinline__ void load(float (&to)[kCount], const float* row) const {
    if constexpr (kWidth == Width::kVector) {
      const float4 all = *reinterpret_cast<const float4*>(row + at[0]);
      to[0] = all.x;
      to[1] = all.y;
      to[2] = all.z;
      to[3] = all.w;
    } else {
#pragma unroll
      for (int j = 0; j < kCount; ++j) {
        to[j] = row[at[j]];
      }
    }
  }
};

// A warp takes every eighth step of k. What it needs of B next is under way while it multiplies, and while
// the block's A, of kChunk steps, comes to shared memory.
template <int kRows, Width kWidth>
__global__ void __launch_bounds__(kThreads, 2) few_rows_kernel(ThinProduct work) {
  constexpr int kColumns = Columns<kWidth>::kCount;
  constexpr std::uint32_t kUnroll = 16 / kColumns;
  constexpr std::uint32_t kChunk = 512;
  constexpr int kPitch = kRows < 4 ? kRows : kRows + 4;  // floats: stores of a column meet in fewer banks
  constexpr int kResults = kRows * kColumns;
  constexpr int kAdded = kResults < kWarps ? kResults : kWarps;  // of a thread's results at a time
  __shared__ alignas(16) float a[kChunk][kPitch];
  __shared__ float shares[kWarps][kAdded][kLanes];
  const Product& p = work.product;
  const std::uint32_t part = folded_block_y();
  const std::uint32_t lane = threadIdx.x % kLanes;
  const std::uint32_t warp = threadIdx.x / kLanes;
  const Columns<kWidth> columns(lane, p.n);
  let_next_begin();
  wait_for_kernel_before();
  if (part >= work.parts) {
    return;
  }
  const Range range = range_of(work, part);
  float sums[kRows][kColumns] = {};
  for (std::uint32_t chunk = range.begin; chunk < range.end; chunk += kChunk) {
    const std::uint32_t steps = min(kChunk, range.end - chunk);
    float b[2][kUnroll][kColumns];
    const auto load = [&](int buffer, std::uint32_t step) {
#pragma unroll
      for (std::uint32_t u = 0; u < kUnroll; ++u) {
        if (step + u * kWarps < steps) {
          columns.load(b[buffer][u], p.b_at(chunk + step + u * kWarps, 0));
        }
      }
    };
    const auto multiply = [&](int buffer, std::uint32_t step) {
#pragma unroll
      for (std::uint32_t u = 0; u < kUnroll; ++u) {
        if (step + u * kWarps < steps) {
#pragma unroll
          for (int i = 0; i < kRows; ++i) {
#pragma unroll
            for (int j = 0; j < kColumns; ++j) {
              sums[i][j] = fmaf(a[step + u * kWarps][i], b[buffer][u][j], sums[i][j]);
            }
          }
        }
      }
    };
    load(0, warp);
    __syncthreads();  // the chunk before was read
    for (std::uint32_t i = threadIdx.x; i < kRows * kChunk; i += kThreads) {
      const std::uint32_t row = i / kChunk;
      const std::uint32_t step = i % kChunk;
      if (step < steps) {
        a[step][row] = row < p.m ? *p.a_at(row, chunk + step) : 0.0F;
      }
    }
    __syncthreads();
    constexpr std::uint32_t kStride = kUnroll * kWarps;
    for (std::uint32_t step = warp; step < steps; step += 2 * kStride) {
      load(1, step + kStride);
      multiply(0, step);
      load(0, step + 2 * kStride);
      multiply(1, step + kStride);
    }
  }
#pragma unroll
  for (int first = 0; first < kResults; first += kAdded) {
    __syncthreads();
#pragma unroll
    for (int r = 0; r < kAdded; ++r) {
      shares[warp][r][lane] = sums[(first + r) / kColumns][(first + r) % kColumns];
    }
    __syncthreads();
    const std::uint32_t result = first + warp;  // warp w adds the w-th of these results of all lanes
    const std::uint32_t row = result / kColumns;
    const std::uint32_t column = columns.number(lane, static_cast<int>(result % kColumns));
    if (warp < kAdded && row < p.m && column < p.n) {
      float sum = 0;
#pragma unroll
      for (int w = 0; w < kWarps; ++w) {
        sum += shares[w][warp][lane];
      }
      put(work, part, row, column, sum);
    }
  }
}

// A warp's rows, and so many loads of each at once that the way to memory is hidden: about 16 of A in all.
template <int kColumns>
struct FewColumns {
  static constexpr int kRows = thin_rows(kColumns);
  static constexpr int kUnroll = kColumns == 1 ? 8 : kColumns == 2 ? 4 : 2;
};

// Warps that share rows take parts of k, whose sums are added in shared memory, in order.
template <int kColumns>
__global__ void __launch_bounds__(kThreads) few_columns_kernel(ThinProduct work) {
  constexpr int kRows = FewColumns<kColumns>::kRows;
  constexpr int kUnroll = FewColumns<kColumns>::kUnroll;
  __shared__ float shares[kWarps][kRows * kColumns];
  const Product& p = work.product;
  const std::uint32_t part = folded_block_y();
  const std::uint32_t lane = threadIdx.x % kLanes;
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t row0 = (blockIdx.x * (kWarps / work.sharers) + warp / work.sharers) * kRows;
  let_next_begin();
  wait_for_kernel_before();
  if (part >= work.parts) {
    return;
  }
  const Range of_block = range_of(work, part);
  const std::uint32_t depth =
      ((of_block.end - of_block.begin - 1) / (work.sharers * kLanes) + 1) * kLanes;  // of a warp
  const std::uint32_t begin = min(of_block.begin + warp % work.sharers * depth, of_block.end);
  const std::uint32_t end = min(begin + depth, of_block.end);
  const float* rows[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    rows[i] = p.a_at(min(row0 + i, p.m - 1), 0);
  }
  float sums[kRows][kColumns] = {};
  const auto multiply = [&](std::uint32_t first, auto is_whole) {
    float a[kUnroll][kRows];
    float b[kUnroll][kColumns];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const std::uint32_t k = first + u * kLanes + lane;
      const bool exists = decltype(is_whole)::value || k < end;
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        a[u][i] = exists ? rows[i][k] : 0.0F;
      }
#pragma unroll
      for (int j = 0; j < kColumns; ++j) {
        b[u][j] = exists ? __ldg(p.b_at(k, min(static_cast<std::uint32_t>(j), p.n - 1))) : 0.0F;
      }
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int j = 0; j < kColumns; ++j) {
          sums[i][j] = fmaf(a[u][i], b[u][j], sums[i][j]);
        }
      }
    }
  };
  constexpr std::uint32_t kStep = kUnroll * kLanes;
  std::uint32_t k = begin;
  for (; k + kStep <= end; k += kStep) {
    multiply(k, std::true_type{});
  }
  if (k < end) {
    multiply(k, std::false_type{});
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kColumns; ++j) {
#pragma unroll
      for (int step = kLanes / 2; step > 0; step /= 2) {
        sums[i][j] += __shfl_xor_sync(~0U, sums[i][j], step);
      }
      if (lane == 0) {
        shares[warp][i * kColumns + j] = sums[i][j];
      }
    }
  }
  __syncthreads();
  const std::uint32_t row = row0 + lane / kColumns;
  const std::uint32_t column = lane % kColumns;
  if (warp % work.sharers == 0 && lane < kRows * kColumns && row < p.m && column < p.n) {
    float sum = 0;
    for (std::uint32_t i = 0; i < work.sharers; ++i) {
      sum += shares[warp + i][lane];
    }
    put(work, part, row, column, sum);
  }
}

__global__ void __launch_bounds__(kAddThreads) add_thin_kernel(ThinProduct work) {
  const Product& p = work.product;
  const std::uint64_t vectors = vectors_of(p);
  const std::uint64_t index = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;
  wait_for_kernel_before();
  const PartSums sums{reinterpret_cast<const float4*>(work.sums), static_cast<std::uint32_t>(vectors),
                      work.parts};
  const float4 sum = add_parts(sums, 0, static_cast<std::uint32_t>(min(index, vectors - 1)));
  const float values[] = {sum.x, sum.y, sum.z, sum.w};
  for (std::uint64_t i = 0; threadIdx.y == 0 && index < vectors && i < 4; ++i) {
    const std::uint64_t place = index * 4 + i;
    if (place < static_cast<std::uint64_t>(p.m) * p.n) {
      p.store(static_cast<std::uint32_t>(place / p.n), static_cast<std::uint32_t>(place % p.n), values[i]);
    }
  }
}

using Kernel = void (*)(ThinProduct);

template <Width kWidth>
Kernel kernel_for_rows(std::int64_t rows) {
  return rows <= 1   ? few_rows_kernel<1, kWidth>
         : rows <= 2 ? few_rows_kernel<2, kWidth>
         : rows <= 4 ? few_rows_kernel<4, kWidth>
                     : few_rows_kernel<8, kWidth>;
}

Kernel kernel_for_columns(std::int64_t columns) {
  return columns <= 1   ? few_columns_kernel<1>
         : columns <= 2 ? few_columns_kernel<2>
         : columns <= 4 ? few_columns_kernel<4>
                        : few_columns_kernel<8>;
}

}  // namespace

int launch_thin(const GemmProblem& problem, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  const bool has_vectors = problem.n % 4 == 0 && is_aligned(problem.b);
  const ThinChoice choice = choose_thin(problem, limits.multiprocessors);
  if (choice.blocks == 0) {
    return launch_sliced_k(problem, stream);
  }
  ThinProduct work{.product = product_of(problem),
                   .parts = 1,
                   .depth = static_cast<std::uint32_t>(problem.k),
                   .sharers = static_cast<std::uint32_t>(choice.sharers),
                   .sums = nullptr};
  if (choice.parts > 1) {
    const std::uint64_t bytes =
        static_cast<std::uint64_t>(choice.parts) * vectors_of(work.product) * sizeof(float4);
    work.sums = static_cast<float*>(workspace(Workspace::kSums, stream, bytes));
    if (work.sums != nullptr) {
      work.parts = static_cast<std::uint32_t>(choice.parts);
      work.depth = static_cast<std::uint32_t>(choice.depth);
    }
  }
  const Kernel kernel = choice.is_by_columns  ? kernel_for_columns(problem.n)
                        : choice.columns == 1 ? kernel_for_rows<Width::kOne>(problem.m)
                        : has_vectors         ? kernel_for_rows<Width::kVector>(problem.m)
                                              : kernel_for_rows<Width::kScalars>(problem.m);
  const cudaError_t error = launch_kernel(kernel, folded_grid(choice.blocks, work.parts), dim3(kThreads), 0,
                                          stream, work, Begin::kEarly);
  if (error != cudaSuccess || work.parts == 1) {
    return error;
  }
  return launch_adder(add_thin_kernel, 1, static_cast<std::int64_t>(vectors_of(work.product)), choice.parts,
                      stream, work);
}

}  // namespace kernels::gemm
