// One thread per element of C, with threadIdx.x along its rows or along its columns: nothing else differs.
#include "kernels/gemm/launch.cuh"

namespace kernels::gemm {

constexpr int kTile = 32;

// naive: x along the rows, the mapping that everybody writes first.
// A warp's 32 threads read 32 rows of A, k floats apart, and write 32 rows of C, n floats apart: each
// access touches 32 sectors and uses 4 bytes of each. B's element is the same for the whole warp.
// Shows: what uncoalesced access costs, against `coalesced`, which differs in nothing else.
// Predicted: 2 loads per multiply-add, 33 sectors for 32 multiply-adds; bound by L1 and L2, far from the
// arithmetic.
constexpr Plan kNaivePlan{
    .block = dim3(kTile, kTile), .tile_rows = kTile, .tile_columns = kTile, .grid_x = Axis::kRows};

__global__ void __launch_bounds__(kTile* kTile) naive_kernel(Product p) {
  const std::uint32_t row = blockIdx.x * kTile + threadIdx.x;
  const std::uint32_t column = folded_block_y() * kTile + threadIdx.y;
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

int launch_naive(const GemmProblem& problem, Stream stream) {
  return launch(naive_kernel, problem, kNaivePlan, stream);
}

// coalesced: x along the columns.
// A warp's threads read 32 floats of B side by side and write C side by side: four sectors each. A's
// element is the same for the whole warp.
// Shows: a change of mapping alone, no tiling yet.
// Predicted: 2 loads per multiply-add, 5 sectors for 32 multiply-adds instead of 33; bound by the rate of
// load instructions and by L1.
constexpr Plan kCoalescedPlan{.block = dim3(kTile, kTile), .tile_rows = kTile, .tile_columns = kTile};

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
  return launch(coalesced_kernel, problem, kCoalescedPlan, stream);
}

}  // namespace kernels::gemm
