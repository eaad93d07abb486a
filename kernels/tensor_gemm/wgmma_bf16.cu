// bfloat16 by wgmma, in three steps that differ in their plans alone; wgmma_pipeline.cuh is the kernel.
// 128 × 256 of C per block in registers, 64 of k at a time, four stages in flight.
// Shows: roles (one thread loads, two warpgroups multiply: `wgmma_roles`), clusters that share loads
// (`wgmma_cluster`), and stores that hide behind the next tile or the other warpgroup (`wgmma`).
// Predicted: 1024 cycles a step for the tensor cores. Meanwhile `wgmma_roles` needs 48 KiB from L2 on each
// multiprocessor, 6.2 KB a cycle of all: if L2 gives 5 KB, 20 % off. `wgmma_cluster` needs 32 KiB: in time.
// A tile takes 2,500 cycles more than its products: if those are its stores, `wgmma` hides all but the last
// tile's, and half of those: 3 % at 4096³ (docs/kernels.md: a quarter of them were).
// Before the first product, blocks wait 330 cycles for their cluster: each loads its first stage alone, which
// is 250 cycles more from L2 (docs/kernels.md: 2 % at 2048³).
#include "kernels/tensor_gemm/wgmma_launch.cuh"

namespace kernels::tensor_gemm {

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
