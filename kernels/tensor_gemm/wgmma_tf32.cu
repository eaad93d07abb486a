// TF32 by wgmma: the kernel of wgmma_pipeline.cuh with 32 of k at a time. Beside the plans of bfloat16
// (wgmma.cu), the compiler would order its instructions differently. The copy engine rounds A and B to TF32
// as it brings them.
// Shows: half of the rate of bfloat16 at the same bytes a cycle.
// Predicted: 1024 cycles a step of 32. A tile of float32 has twice the bytes to store and leaves no
// registers to keep them in while the next one is multiplied; as it takes twice the steps, that costs as
// much as in `wgmma_cluster`: 4 % at 4096³.
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
