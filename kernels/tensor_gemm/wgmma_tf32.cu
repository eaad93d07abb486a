// TF32 by wgmma: the kernel of wgmma_pipeline.cuh with 32 of k at a time. A and B are read as they are: the
// tensor cores leave the lower 13 bits of each mantissa out, and round nothing.
// Shows: half of the rate of bfloat16 at the same bytes a cycle.
// Predicted: 1024 cycles a step of 32. A tile of float32 has twice the bytes to store and leaves no registers
// to keep them in while the next one is multiplied; as it takes twice the steps, that costs as much as in
// `wgmma_cluster`: 4 % at 4096³.
#include "kernels/tensor_gemm/wgmma_launch.cuh"

namespace kernels::tensor_gemm {

struct Tf32Plan : WgmmaPlan {
  static constexpr int kCluster = 2;
  static constexpr int kHeadStart = 3;  // of 4 stages
};

int launch_wgmma_tf32(const TensorGemmProblem& problem, Stream stream) {
  return launch_wgmma<Tf32Plan, float>(problem, stream);
}

}  // namespace kernels::tensor_gemm
