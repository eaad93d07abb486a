// naive with threadIdx.x along the columns of C; nothing else differs.
// A warp's threads read 32 floats of B side by side and write C side by side: four sectors each. A's
// element is the same for the whole warp.
// Shows: a change of mapping alone, no tiling yet.
// Predicted: 2 loads per multiply-add, 5 sectors for 32 multiply-adds instead of 33; bound by the rate of
// load instructions and by L1.
#include "kernels/gemm/launch.cuh"

namespace kernels::gemm {

constexpr int kTile = 32;
constexpr Plan kPlan{.block = dim3(kTile, kTile), .tile_rows = kTile, .tile_columns = kTile};

__global__ void __launch_bounds__(kTile* kTile) coalesced_kernel(Product p) {
  const std::uint32_t column = blockIdx.x * kTile + threadIdx.x;
  const std::uint32_t row = folded_block_y() * kTile + threadIdx.y;
  if (row >= p.m || column >= p.n) {
    return;
  }
  const float* a = p.a_at(row, 0);
  const float* b = p.b_at(0, column);
  float sum = 0;
  for (std::uint32_t i = 0; i < p.k; ++i, b += p.n) {
    sum += a[i] * *b;
  }
  p.store(row, column, sum);
}

int launch_coalesced(const GemmProblem& problem, Stream stream) {
  return launch(coalesced_kernel, problem, kPlan, stream);
}

}  // namespace kernels::gemm
