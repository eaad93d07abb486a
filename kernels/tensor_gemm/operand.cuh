// How the kernels read A and B at any shape. For .cu files only.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "kernels/launch.cuh"
#include "kernels/tensor_gemm/launch.hpp"

namespace kernels::tensor_gemm {

template <typename Element>
inline constexpr TensorType kTypeOf = sizeof(Element) == 1   ? TensorType::kFp8
                                      : sizeof(Element) == 2 ? TensorType::kBf16
                                                             : TensorType::kTf32;
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

}  // namespace kernels::tensor_gemm
