// Products by wgmma, the instructions of warpgroups, step by step: fed by one warpgroup that does it all
// (wgmma_tma), by a thread that only loads (wgmma_roles), with loads shared by two blocks (wgmma_cluster),
// and with stores that hide (wgmma).
#include "kernels/tensor_gemm/wgmma_launch.cuh"

namespace kernels::tensor_gemm {

// wgmma_tma: 64 × 256 of C per block and one warpgroup, which does it all: one of its threads has the copy
// engine fill four stages of 64 (bfloat16) or 32 (TF32) of k, all multiply, and each stores its sums from
// its registers.
// Shows: the two engines of Hopper, without anything around them.
// Predicted: 40 KiB per step and 512 cycles of the tensor cores: 80 bytes a cycle and multiprocessor from
// L2, which gives about 50: bound by that at 60 %. Stores of single elements: slow.
constexpr int kWgmmaColumns = 256;
constexpr int kWgmmaSums = kSumsOf<kWgmmaColumns>;
constexpr int kTmaStages = 4;
constexpr int kTmaStageBytes = (kWgmmaRows + kWgmmaColumns) * kRowBytes;
constexpr int kTmaSharedBytes = kSwizzleBytes + kTmaStages * kTmaStageBytes + kTmaStages * 8;

template <typename Element>
struct TmaProduct {
  CUtensorMap a;
  CUtensorMap b;
  Element* c;
  std::uint32_t m;
  std::uint32_t n;
  std::uint32_t steps;  // of 128 bytes of each row of A and B
};

template <typename Element>
static __device__ __forceinline__ void load_stage(const TmaProduct<Element>& p, std::uint32_t stage,
                                                  std::uint32_t barrier, std::uint32_t step,
                                                  std::uint32_t row0, std::uint32_t column0) {
  const std::uint32_t x = step * (kRowBytes / sizeof(Element));
  arrive_expecting(barrier, kTmaStageBytes);
  load_tile(stage, p.a, barrier, x, row0);
  load_tile(stage + kWgmmaRows * kRowBytes, p.b, barrier, x, column0);
}

// Of each 8 columns a thread has two in one row, and two 8 rows below.
template <typename Element>
static __device__ __forceinline__ void store_sums(const TmaProduct<Element>& p, std::uint32_t row0,
                                                  std::uint32_t column0, const float (&sums)[kWgmmaSums]) {
#pragma unroll
  for (std::uint32_t i = 0; i < kWgmmaSums; ++i) {
    const std::uint32_t row = row0 + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
    const std::uint32_t column = column0 + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (row < p.m && column < p.n) {
      p.c[static_cast<std::uint64_t>(row) * p.n + column] = static_cast<Element>(sums[i]);
    }
  }
}

template <typename Element>
__global__ void __launch_bounds__(kWarpgroup, 1)
    wgmma_tma_kernel(const __grid_constant__ TmaProduct<Element> p) {
  if constexpr (kHasHopper) {
    extern __shared__ unsigned char memory[];
    const std::uint32_t tiles = (shared_address(memory) + kSwizzleBytes - 1) / kSwizzleBytes * kSwizzleBytes;
    const std::uint32_t barriers = tiles + kTmaStages * kTmaStageBytes;
    const std::uint32_t row0 = blockIdx.x * kWgmmaRows;
    const std::uint32_t column0 = folded_block_y() * kWgmmaColumns;
    const auto load = [&](std::uint32_t step) {
      const std::uint32_t stage = step % kTmaStages;
      load_stage(p, tiles + stage * kTmaStageBytes, barriers + stage * 8, step, row0, column0);
    };
    if (threadIdx.x == 0) {
      for (std::uint32_t stage = 0; stage < kTmaStages; ++stage) {
        init_barrier(barriers + stage * 8, 1);
      }
      publish_barriers();
      for (std::uint32_t step = 0; step < min(p.steps, kTmaStages - 1); ++step) {
        load(step);
      }
    }
    __syncthreads();
    float sums[kWgmmaSums] = {};
    for (std::uint32_t step = 0; step < p.steps; ++step) {
      const std::uint32_t stage = step % kTmaStages;
      wait_for(barriers + stage * 8, step / kTmaStages % 2);
      const std::uint32_t tile_a = tiles + stage * kTmaStageBytes;
      multiply_stage<Element>(sums, tile_a, tile_a + kWgmmaRows * kRowBytes, step > 0);
      wait_for_wgmma<1>();
      __syncthreads();  // the step before this one is done, in all warps: its stage can be filled again
      if (threadIdx.x == 0 && step + kTmaStages - 1 < p.steps) {
        load(step + kTmaStages - 1);
      }
    }
    wait_for_wgmma<0>();
    pin(sums);
    store_sums(p, row0, column0, sums);
  } else {
    __trap();  // not compiled for sm_90a: an error, and no result that nobody wrote
  }
}

template <typename Element>
static cudaError_t launch_tma_mapped(const TensorGemmProblem& problem, Stream stream) {
  TmaProduct<Element> product{};
  product.c = static_cast<Element*>(problem.c);
  product.m = static_cast<std::uint32_t>(problem.m);
  product.n = static_cast<std::uint32_t>(problem.n);
  product.steps = static_cast<std::uint32_t>(
      divide_up(problem.k * static_cast<std::int64_t>(sizeof(Element)), kRowBytes));
  auto error = static_cast<cudaError_t>(
      allow_shared_bytes(reinterpret_cast<const void*>(wgmma_tma_kernel<Element>), kTmaSharedBytes));
  if (error == cudaSuccess &&
      !(encode(tiled_operand<Element>(problem.a, problem.m, problem.k, kWgmmaRows), product.a) &&
        encode(tiled_operand<Element>(problem.b, problem.n, problem.k, kWgmmaColumns), product.b))) {
    error = cudaErrorUnknown;
  }
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // left behind for whoever asks next
    return error;
  }
  const dim3 grid = folded_grid(divide_up(problem.m, kWgmmaRows), divide_up(problem.n, kWgmmaColumns));
  return launch_kernel(wgmma_tma_kernel<Element>, grid, dim3(kWarpgroup), kTmaSharedBytes, stream, product);
}

template <typename Element>
static int launch_tma(const TensorGemmProblem& problem, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  return can_map_operands<Element>(problem) ? launch_tma_mapped<Element>(problem, stream)
                                            : launch_plain<Element>(problem, stream);
}

int launch_wgmma_tma_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch_tma<__nv_bfloat16>(problem, stream);
}

int launch_wgmma_tma_tf32(const TensorGemmProblem& problem, Stream stream) {
  return launch_tma<float>(problem, stream);
}

// wgmma_roles, wgmma_cluster and wgmma: bfloat16 by wgmma, in three steps that differ in their plans alone;
// wgmma_pipeline.cuh is the kernel. 128 × 256 of C per block in registers, 64 of k at a time, four stages in
// flight.
// Shows: roles (one thread loads, two warpgroups multiply: `wgmma_roles`), clusters that share loads
// (`wgmma_cluster`), and stores that hide behind the next tile or the other warpgroup (`wgmma`).
// Predicted: 1024 cycles a step for the tensor cores. Meanwhile `wgmma_roles` needs 48 KiB from L2 on each
// multiprocessor, 6.2 KB a cycle of all: if L2 gives 5 KB, 20 % off. `wgmma_cluster` needs 32 KiB: in time.
// A tile takes 2,500 cycles more than its products: if those are its stores, `wgmma` hides all but the last
// tile's, and half of those: 3 % at 4096³ (docs/kernels.md: a quarter of them were). Before the first
// product, blocks wait 330 cycles for their cluster: each loads its first stage alone, which is 250 cycles
// more from L2 (docs/kernels.md: 2 % at 2048³).
struct Roles : WgmmaPlan {};
struct Clusters : WgmmaPlan {
  static constexpr int kCluster = 2;
};
struct OneTile : Clusters {
  static constexpr int kHeadStart = 3;  // of 4 stages: what is multiplied meanwhile has been loaded
};
struct ManyTiles : OneTile {
  static constexpr bool kDefers = true;
};

int launch_wgmma_roles_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch_wgmma<Roles, __nv_bfloat16>(problem, stream);
}

int launch_wgmma_cluster_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch_wgmma<Clusters, __nv_bfloat16>(problem, stream);
}

// Stores wait for the next tile where blocks have one, and where it is long enough.
int launch_wgmma_bf16(const TensorGemmProblem& problem, Stream stream) {
  constexpr std::int64_t kMultiprocessors = 132;  // of an H100 or H200; others may have a few less
  constexpr std::int64_t kStepsMin = 16;
  const WgmmaSize size = size_of<WgmmaPlan::Tile, __nv_bfloat16>(problem);
  const bool has_next = size.tile_rows * size.tile_columns > kMultiprocessors;
  return has_next && size.steps >= kStepsMin ? launch_wgmma<ManyTiles, __nv_bfloat16>(problem, stream)
                                             : launch_wgmma<OneTile, __nv_bfloat16>(problem, stream);
}

}  // namespace kernels::tensor_gemm
