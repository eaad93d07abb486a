// How every matrix product with a kernel of its own is launched. Coordinates are 32-bit, offsets 64-bit.
#pragma once

#include <optional>

#include "kernels/block_order.cuh"
#include "kernels/gemm.hpp"
#include "kernels/runtime.hpp"

namespace kernels::gemm {

// What a kernel is given. The pitch of A is k, that of B and C is n.
struct Product {
  const float* a;
  const float* b;
  float* c;
  std::uint32_t m;
  std::uint32_t n;
  std::uint32_t k;
  float alpha;
  float beta;

  __device__ __forceinline__ const float* a_at(std::uint32_t row, std::uint32_t column) const {
    return a + (static_cast<std::uint64_t>(row) * k + column);
  }
  __device__ __forceinline__ const float* b_at(std::uint32_t row, std::uint32_t column) const {
    return b + (static_cast<std::uint64_t>(row) * n + column);
  }
  // C = alpha · sum + beta · C at one place, which must be inside C. With beta = 0, C is not read.
  __device__ __forceinline__ void store(std::uint32_t row, std::uint32_t column, float sum) const {
    float* place = c + (static_cast<std::uint64_t>(row) * n + column);
    *place = beta == 0.0F ? alpha * sum : alpha * sum + beta * *place;
  }
};

enum class Axis { kColumns, kRows };

// What one block covers of C, and the order in which blocks cover it.
struct Plan {
  dim3 block;
  int tile_rows;
  int tile_columns;
  Axis grid_x = Axis::kColumns;  // the axis of C that blockIdx.x runs along; the other one is folded
};

inline std::optional<int> settled(const GemmProblem& problem) {
  return settled_product(problem.m, problem.n, problem.k);
}

// The problem must not be settled.
inline Product product_of(const GemmProblem& problem) {
  return {.a = problem.a,
          .b = problem.b,
          .c = problem.c,
          .m = static_cast<std::uint32_t>(problem.m),
          .n = static_cast<std::uint32_t>(problem.n),
          .k = static_cast<std::uint32_t>(problem.k),
          .alpha = problem.alpha,
          .beta = problem.beta};
}

// Whether vectors of four floats can start there.
inline bool is_aligned(const float* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4) == 0;
}

// An empty C is a success.
inline int launch(void (*kernel)(Product), const GemmProblem& problem, const Plan& plan, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  const std::int64_t row_tiles = divide_up(problem.m, plan.tile_rows);
  const std::int64_t column_tiles = divide_up(problem.n, plan.tile_columns);
  const dim3 grid = plan.grid_x == Axis::kColumns ? folded_grid(column_tiles, row_tiles)
                                                  : folded_grid(row_tiles, column_tiles);
  return launch_kernel(kernel, grid, plan.block, 0, stream, product_of(problem));
}

}  // namespace kernels::gemm
