// How the kernels read A and B at any shape, and the product without tensor cores that takes what TMA cannot.
// For .cu files only.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "kernels/block_order.cuh"
#include "kernels/runtime.hpp"
#include "kernels/tensor_gemm.hpp"

namespace kernels::tensor_gemm {

inline std::optional<int> settled(const TensorGemmProblem& problem) {
  return settled_product(problem.m, problem.n, problem.k);
}

// What C is stored in, where A and B are of `Element`.
template <typename Element>
using ResultOf = std::conditional_t<sizeof(Element) == 1, __nv_bfloat16, Element>;

// One operand: `rows` of `k` elements each, dense.
template <typename Element>
struct Operand {
  static constexpr std::uint32_t kChunk =
      16 / sizeof(Element);  // elements in what one thread moves at a time

  const Element* data;
  std::uint32_t rows;
  std::uint32_t k;

  __device__ __forceinline__ const Element* at(std::uint32_t row, std::uint32_t column) const {
    return data + (static_cast<std::uint64_t>(row) * k + column);
  }

  // Elements (row, column) … (row, column + kChunk - 1), zeros for those outside. Needs no alignment of rows.
  __device__ __forceinline__ uint4 chunk(std::uint32_t row, std::uint32_t column) const {
    union {
      uint4 whole;
      Element elements[kChunk];
    } parts = {make_uint4(0, 0, 0, 0)};
    if (row >= rows) {
      return parts.whole;
    }
    const Element* from = at(row, column);
    if (k % kChunk == 0 && column < k) {
      return *reinterpret_cast<const uint4*>(from);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      if (column + i < k) {
        parts.elements[i] = from[i];
      }
    }
    return parts.whole;
  }
};

// The product one element a thread, without tensor cores: for operands whose rows the copy engine cannot
// take. Right for every shape, and slow.
template <typename Element>
struct PlainProduct {
  Operand<Element> a;
  Operand<Element> b;
  ResultOf<Element>* c;
};

inline constexpr int kPlainSide = 16;  // of the block's part of C

template <typename Element>
__global__ void __launch_bounds__(kPlainSide* kPlainSide) plain_kernel(PlainProduct<Element> p) {
  // One column more than needed: rows start in different banks.
  __shared__ float a[kPlainSide][kPlainSide + 1];
  __shared__ float b[kPlainSide][kPlainSide + 1];
  const std::uint32_t row0 = folded_block_y() * kPlainSide;
  const std::uint32_t column0 = blockIdx.x * kPlainSide;
  const std::uint32_t row = row0 + threadIdx.y;
  const std::uint32_t column = column0 + threadIdx.x;
  const auto read = [](const Operand<Element>& operand, std::uint32_t of_row, std::uint32_t at) {
    return of_row < operand.rows && at < operand.k ? static_cast<float>(*operand.at(of_row, at)) : 0.0F;
  };
  float sum = 0;
  for (std::uint32_t k0 = 0; k0 < p.a.k; k0 += kPlainSide) {
    a[threadIdx.y][threadIdx.x] = read(p.a, row, k0 + threadIdx.x);
    b[threadIdx.y][threadIdx.x] = read(p.b, column0 + threadIdx.y, k0 + threadIdx.x);
    __syncthreads();
#pragma unroll
    for (int depth = 0; depth < kPlainSide; ++depth) {
      sum += a[threadIdx.y][depth] * b[threadIdx.x][depth];
    }
    __syncthreads();  // before the next step overwrites them
  }
  if (row < p.a.rows && column < p.b.rows) {
    p.c[static_cast<std::uint64_t>(row) * p.b.rows + column] = static_cast<ResultOf<Element>>(sum);
  }
}

template <typename Element>
cudaError_t launch_plain(const TensorGemmProblem& problem, Stream stream) {
  const auto m = static_cast<std::uint32_t>(problem.m);
  const auto n = static_cast<std::uint32_t>(problem.n);
  const auto k = static_cast<std::uint32_t>(problem.k);
  const PlainProduct<Element> product{.a = {static_cast<const Element*>(problem.a), m, k},
                                      .b = {static_cast<const Element*>(problem.b), n, k},
                                      .c = static_cast<ResultOf<Element>*>(problem.c)};
  const dim3 grid = folded_grid(divide_up(problem.n, kPlainSide), divide_up(problem.m, kPlainSide));
  return launch_kernel(plain_kernel<Element>, grid, dim3(kPlainSide, kPlainSide), 0, stream, product);
}

}  // namespace kernels::tensor_gemm
