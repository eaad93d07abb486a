// One block of 256 threads per 128 × 128 tile of C: tiles of A and B, 32 deep, go through shared memory, and
// each of 8 warps computes 64 × 32 elements with nvcuda::wmma, CUDA's portable interface to tensor cores.
// Shows: what tensor cores give to plain code: no copy overlaps the arithmetic, and fragments are loaded as
// the interface lays them out.
// Predicted: a fifth of cuBLAS. Per step of 32 a warp does 16 products of 16 × 16 × 16 between two barriers,
// and waits for memory in between. An H200 reached an eighth.
#include <cuda_bf16.h>
#include <mma.h>

#include "kernels/tensor_gemm/operand.cuh"

namespace kernels::tensor_gemm {
namespace {

using Element = __nv_bfloat16;

constexpr int kTile = 128;          // of C, both ways
constexpr int kDepth = 32;          // of A and B at a time
constexpr int kPitch = kDepth + 8;  // 80 bytes: rows of a fragment begin in different banks
constexpr int kWarps = 8;           // 2 of them above each other, 4 side by side
constexpr int kThreads = kWarps * 32;
[[maybe_unused]] constexpr int kPart = 16;  // a fragment, each way; on 7.5 there is none

struct Product {
  Operand<Element> a;
  Operand<Element> b;
  Element* c;
};

using Tile = Element[kTile][kPitch];

// Rows first … first + kTile - 1, columns k … k + kDepth - 1.
[[maybe_unused]] __device__ void load_tile(Tile& tile, const Operand<Element>& from, std::uint32_t first,
                                           std::uint32_t k) {
  constexpr int kChunks = kDepth / int{Operand<Element>::kChunk};
  for (int i = static_cast<int>(threadIdx.x); i < kTile * kChunks; i += kThreads) {
    const int row = i / kChunks;
    const int column = i % kChunks * int{Operand<Element>::kChunk};
    *reinterpret_cast<uint4*>(&tile[row][column]) =
        from.chunk(first + static_cast<std::uint32_t>(row), k + static_cast<std::uint32_t>(column));
  }
}

__global__ void __launch_bounds__(kThreads) wmma_kernel(Product product) {
#if __CUDA_ARCH__ >= 800
  using namespace nvcuda;
  constexpr int kPartRows = kTile / 2 / kPart;     // of a warp
  constexpr int kPartColumns = kTile / 4 / kPart;  // of a warp
  __shared__ alignas(128) Tile tile_a;
  __shared__ alignas(128) Tile tile_b;
  __shared__ alignas(128) float results[kWarps][kPart * kPart];

  const std::uint32_t first_row = folded_block_y() * kTile;
  const std::uint32_t first_column = blockIdx.x * kTile;
  if (first_row >= product.a.rows) {
    return;
  }
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / 4 * (kTile / 2);
  const int warp_column = warp % 4 * (kTile / 4);
  wmma::fragment<wmma::accumulator, kPart, kPart, kPart, float> sums[kPartRows][kPartColumns];
  for (auto& row : sums) {
    for (auto& sum : row) {
      wmma::fill_fragment(sum, 0.0F);
    }
  }
  for (std::uint32_t k = 0; k < product.a.k; k += kDepth) {
    load_tile(tile_a, product.a, first_row, k);
    load_tile(tile_b, product.b, first_column, k);
    __syncthreads();
#pragma unroll
    for (int step = 0; step < kDepth; step += kPart) {
      wmma::fragment<wmma::matrix_a, kPart, kPart, kPart, Element, wmma::row_major> a[kPartRows];
      wmma::fragment<wmma::matrix_b, kPart, kPart, kPart, Element, wmma::col_major> b[kPartColumns];
#pragma unroll
      for (int i = 0; i < kPartRows; ++i) {
        wmma::load_matrix_sync(a[i], &tile_a[warp_row + i * kPart][step], kPitch);
      }
#pragma unroll
      for (int j = 0; j < kPartColumns; ++j) {
        wmma::load_matrix_sync(b[j], &tile_b[warp_column + j * kPart][step], kPitch);
      }
#pragma unroll
      for (int i = 0; i < kPartRows; ++i) {
#pragma unroll
        for (int j = 0; j < kPartColumns; ++j) {
          wmma::mma_sync(sums[i][j], a[i], b[j], sums[i][j]);
        }
      }
    }
    __syncthreads();
  }
  // Where in a fragment a thread's elements lie is not specified: through shared memory.
  const std::uint32_t lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < kPartRows; ++i) {
#pragma unroll
    for (int j = 0; j < kPartColumns; ++j) {
      wmma::store_matrix_sync(results[warp], sums[i][j], kPart, wmma::mem_row_major);
      __syncwarp();
      for (std::uint32_t at = lane; at < kPart * kPart; at += 32) {
        const std::uint32_t row = first_row + static_cast<std::uint32_t>(warp_row + i * kPart) + at / kPart;
        const std::uint32_t column =
            first_column + static_cast<std::uint32_t>(warp_column + j * kPart) + at % kPart;
        if (row < product.a.rows && column < product.b.rows) {
          product.c[static_cast<std::uint64_t>(row) * product.b.rows + column] =
              __float2bfloat16_rn(results[warp][at]);
        }
      }
      __syncwarp();
    }
  }
#endif
}

}  // namespace

int launch_wmma_bf16(const TensorGemmProblem& problem, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  const auto m = static_cast<std::uint32_t>(problem.m);
  const auto n = static_cast<std::uint32_t>(problem.n);
  const auto k = static_cast<std::uint32_t>(problem.k);
  const Product product{.a = {static_cast<const Element*>(problem.a), m, k},
                        .b = {static_cast<const Element*>(problem.b), n, k},
                        .c = static_cast<Element*>(problem.c)};
  const dim3 grid = folded_grid(divide_up(problem.n, kTile), divide_up(problem.m, kTile));
  return launch_kernel(wmma_kernel, grid, kThreads, 0, stream, product);
}

}  // namespace kernels::tensor_gemm
