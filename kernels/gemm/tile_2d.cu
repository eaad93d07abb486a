// 128 × 128 of C per block, 8 × 8 results in the registers of each thread; what differs is how tiles are
// loaded and results stored.
#include "kernels/gemm/launch.cuh"

namespace kernels::gemm {

constexpr int kSide = 128;   // of the block's part of C
constexpr int kDepth = 8;    // of k at a time
constexpr int kResults = 8;  // of a thread, along each side
constexpr int kThreadsSide = kSide / kResults;
constexpr int kThreads = kThreadsSide * kThreadsSide;
constexpr int kLoads = kSide * kDepth / kThreads;  // of a thread, from A and from B
constexpr int kVector = 4;
constexpr int kPadding = 4;  // a warp puts down 8 × 4 floats of A: with it, in 32 banks
constexpr Plan kPlan{.block = dim3(kThreads), .tile_rows = kSide, .tile_columns = kSide};

struct Shared {
  alignas(16) float a[kDepth][kSide + kPadding];  // transposed
  alignas(16) float b[kDepth][kSide];
};

// A thread's columns are two runs of four, half a tile apart: the vectors that neighbouring threads read lie
// side by side, free of bank conflicts.
static __device__ __forceinline__ std::uint32_t column_of(std::uint32_t thread_x, int j) {
  return j / kVector * (kSide / 2) + thread_x * kVector + j % kVector;
}

// tile_2d: 128 × 128 of C per block, 128 × 8 of A and 8 × 128 of B at a time; each thread has 8 × 8 results
// in registers. B and C are accessed along rows, coalesced; A by whole sectors of 8 floats, and put down
// transposed, so that a thread's 8 rows of it lie side by side and are read as two vectors.
// Shows: 16 floats from shared memory serve 64 multiply-adds: arithmetic becomes the bound.
// Predicted: 4 vector loads from shared memory for 64 multiply-adds; (m·n·k / 64) · 4 bytes from L2.

// Zeros past the edges: they add nothing.
static __device__ __forceinline__ void load_tiles(Shared& shared, const Product& p, std::uint32_t row0,
                                                  std::uint32_t column0, std::uint32_t k0) {
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    const std::uint32_t place = threadIdx.x + i * kThreads;
    const std::uint32_t row = place / kDepth;
    const std::uint32_t depth = place % kDepth;
    shared.a[depth][row] = row0 + row < p.m && k0 + depth < p.k ? *p.a_at(row0 + row, k0 + depth) : 0.0F;
  }
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    const std::uint32_t place = threadIdx.x + i * kThreads;
    const std::uint32_t depth = place / kSide;
    const std::uint32_t column = place % kSide;
    shared.b[depth][column] =
        k0 + depth < p.k && column0 + column < p.n ? *p.b_at(k0 + depth, column0 + column) : 0.0F;
  }
}

__global__ void __launch_bounds__(kThreads, 1) tile_2d_kernel(Product p) {
  __shared__ Shared shared;
  const std::uint32_t row0 = folded_block_y() * kSide;
  const std::uint32_t column0 = blockIdx.x * kSide;
  const std::uint32_t thread_x = threadIdx.x % kThreadsSide;
  const std::uint32_t y = threadIdx.x / kThreadsSide * kResults;
  float sums[kResults][kResults] = {};
  for (std::uint32_t k0 = 0; k0 < p.k; k0 += kDepth) {
    load_tiles(shared, p, row0, column0, k0);
    __syncthreads();
#pragma unroll
    for (int depth = 0; depth < kDepth; ++depth) {
      float a[kResults];
      float b[kResults];
#pragma unroll
      for (int i = 0; i < kResults; ++i) {
        a[i] = shared.a[depth][y + i];
        b[i] = shared.b[depth][column_of(thread_x, i)];
      }
#pragma unroll
      for (int i = 0; i < kResults; ++i) {
#pragma unroll
        for (int j = 0; j < kResults; ++j) {
          sums[i][j] += a[i] * b[j];
        }
      }
    }
    __syncthreads();  // before the next step overwrites the tiles
  }
#pragma unroll
  for (int i = 0; i < kResults; ++i) {
#pragma unroll
    for (int j = 0; j < kResults; ++j) {
      const std::uint32_t row = row0 + y + i;
      const std::uint32_t column = column0 + column_of(thread_x, j);
      if (row < p.m && column < p.n) {
        p.store(row, column, sums[i][j]);
      }
    }
  }
}

int launch_tile_2d(const GemmProblem& problem, Stream stream) {
  return launch(tile_2d_kernel, problem, kPlan, stream);
}

// tile_2d_vector: tile_2d with vectors of four floats from global memory: a thread loads one of A and one of
// B for a tile, and four of its results leave as one. Edges, and what is not aligned, take tile_2d's way, a
// float at a time.
// Shows: a quarter of the load and store instructions, and of the address arithmetic, outside the inner
// loop.
// Predicted: 2 + 5 instructions per tile for 512 multiply-adds instead of 8 + 8, and no test of an edge:
// some per cent faster, as 32 vector loads from shared memory per tile stay.
static_assert(kThreads * kVector == kSide * kDepth, "a vector of A and of B for each thread");

// Four floats side by side, of which `count` exist; zeros for the others.
template <bool kWhole>
static __device__ __forceinline__ float4 load(const float* from, std::int64_t count) {
  if constexpr (kWhole) {
    return *reinterpret_cast<const float4*>(from);
  }
  return {count > 0 ? from[0] : 0.0F, count > 1 ? from[1] : 0.0F, count > 2 ? from[2] : 0.0F,
          count > 3 ? from[3] : 0.0F};
}

template <bool kWhole>
static __device__ __forceinline__ void load_tiles(Shared& shared, const Product& p, std::uint32_t row0,
                                                  std::uint32_t column0, std::uint32_t k0) {
  constexpr int kVectorsA = kDepth / kVector;
  constexpr int kVectorsB = kSide / kVector;
  const std::uint32_t row = threadIdx.x / kVectorsA;
  const std::uint32_t a_depth = threadIdx.x % kVectorsA * kVector;
  const std::uint32_t b_depth = threadIdx.x / kVectorsB;
  const std::uint32_t column = threadIdx.x % kVectorsB * kVector;
  const auto left = [](std::uint32_t size, std::uint32_t place) {
    return static_cast<std::int64_t>(size) - place;
  };
  const float4 a =
      load<kWhole>(p.a_at(row0 + row, k0 + a_depth), row0 + row < p.m ? left(p.k, k0 + a_depth) : 0);
  const float4 b = load<kWhole>(p.b_at(k0 + b_depth, column0 + column),
                                k0 + b_depth < p.k ? left(p.n, column0 + column) : 0);
  shared.a[a_depth][row] = a.x;
  shared.a[a_depth + 1][row] = a.y;
  shared.a[a_depth + 2][row] = a.z;
  shared.a[a_depth + 3][row] = a.w;
  *reinterpret_cast<float4*>(&shared.b[b_depth][column]) = b;
}

static __device__ __forceinline__ void multiply(float (&sums)[kResults][kResults], const Shared& shared,
                                                std::uint32_t y, std::uint32_t thread_x) {
#pragma unroll
  for (int depth = 0; depth < kDepth; ++depth) {
    float a[kResults];
    float b[kResults];
#pragma unroll
    for (int i = 0; i < kResults; ++i) {
      a[i] = shared.a[depth][y + i];
      b[i] = shared.b[depth][column_of(thread_x, i)];
    }
#pragma unroll
    for (int i = 0; i < kResults; ++i) {
#pragma unroll
      for (int j = 0; j < kResults; ++j) {
        sums[i][j] += a[i] * b[j];
      }
    }
  }
}

template <bool kWhole>
static __device__ __forceinline__ void store(const Product& p, std::uint32_t row, std::uint32_t column,
                                             const float* sums) {
  if constexpr (kWhole) {
    float4* const place = reinterpret_cast<float4*>(p.c + (static_cast<std::uint64_t>(row) * p.n + column));
    const float4 old = p.beta == 0.0F ? float4{} : *place;
    const auto result = [&](int i, float before) {
      return p.beta == 0.0F ? p.alpha * sums[i] : p.alpha * sums[i] + p.beta * before;
    };
    *place = {result(0, old.x), result(1, old.y), result(2, old.z), result(3, old.w)};
  } else {
    for (int i = 0; i < kVector; ++i) {
      if (row < p.m && column + i < p.n) {
        p.store(row, column + i, sums[i]);
      }
    }
  }
}

// kWhole: every tile is whole, and vectors of A, B and C are aligned.
template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 1) tile_2d_vector_kernel(Product p) {
  __shared__ Shared shared;
  const std::uint32_t row0 = folded_block_y() * kSide;
  const std::uint32_t column0 = blockIdx.x * kSide;
  const std::uint32_t thread_x = threadIdx.x % kThreadsSide;
  const std::uint32_t y = threadIdx.x / kThreadsSide * kResults;
  float sums[kResults][kResults] = {};
  for (std::uint32_t k0 = 0; k0 < p.k; k0 += kDepth) {
    load_tiles<kWhole>(shared, p, row0, column0, k0);
    __syncthreads();
    multiply(sums, shared, y, thread_x);
    __syncthreads();  // before the next step overwrites the tiles
  }
#pragma unroll
  for (int i = 0; i < kResults; ++i) {
#pragma unroll
    for (int j = 0; j < kResults; j += kVector) {
      store<kWhole>(p, row0 + y + i, column0 + column_of(thread_x, j), &sums[i][j]);
    }
  }
}

int launch_tile_2d_vector(const GemmProblem& problem, Stream stream) {
  const bool is_whole = problem.m % kSide == 0 && problem.n % kSide == 0 && problem.k % kDepth == 0 &&
                        is_aligned(problem.a) && is_aligned(problem.b) && is_aligned(problem.c);
  // Folded grids may overshoot: what lies past the end has no whole tiles.
  const bool is_folded = problem.m / kSide > kGridYMax;
  return launch(is_whole && !is_folded ? tile_2d_vector_kernel<true> : tile_2d_vector_kernel<false>, problem,
                kPlan, stream);
}

}  // namespace kernels::gemm
