// wgmma_plans: the kernel of wgmma_pipeline.cuh with the tile that suits the shape, from 64 × 64 to two
// blocks of 128 × 256, and with k split over blocks where the tiles that are left over do not occupy all
// multiprocessors: each part's sums go to memory, and a second kernel adds them, in order. Operands whose
// rows the copy engine cannot take are copied first, with padded rows. Shows: that a shape decides which tile
// is fast: few results need small tiles or parts of k to occupy the device, large ones need large tiles, as
// each byte from L2 serves more products. Predicted: 1024³ is 128 tiles of 128 × 64 instead of 32 of 128 ×
// 256: twice as fast. 256 × 256 × 65536 reads 67 MB: 22 µs, where two tiles on two multiprocessors take 600.
// Padding moves twice the operands' bytes: 5 µs at 2049³.
//
// best: thin where C has next to no rows or columns; else the same on compute capability 9.0, and mma_sync
// elsewhere and where k is so short that it costs less than padding. FP8 has these plans alone. Predicted: an
// instruction takes 32 of k where bfloat16 takes 16 in the same cycles, so that half of the time is left
// where the power limit allows it: 1.5 times as fast at 8192³.
#include "kernels/device_limits.hpp"
#include "kernels/tensor_gemm/padded.cuh"
#include "kernels/tensor_gemm/wgmma_plans.cuh"

namespace kernels::tensor_gemm {

int launch_mma_sync_bf16(const TensorGemmProblem&, Stream);
int launch_mma_sync_tf32(const TensorGemmProblem&, Stream);

template <typename Element>
int launch_thin(const TensorGemmProblem&, int multiprocessors, Stream);

namespace {

template <typename Element>
int launch_mapped_plan(const TensorGemmProblem& problem, bool follows_padding, int multiprocessors,
                       Stream stream) {
  thread_local LastChoices<PlanChoice> last;
  const PlanChoice& choice = last.find(problem.m, problem.n, problem.k, multiprocessors, [&] {
    return choose_plan(kPlans, problem, sizeof(Element), multiprocessors);
  });
  return launch_plan<Element>(choice.row->plan, problem, {choice.split, follows_padding}, stream);
}

template <typename Element>
int launch_plans(const TensorGemmProblem& problem, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  if (problem.k == 0 || can_map_operands(problem, kTypeOf<Element>)) {
    return launch_mapped_plan<Element>(problem, false, limits.multiprocessors, stream);
  }
  TensorGemmProblem padded = problem;
  const int error = pad_operands<Element>(padded, stream);
  if (error == cudaErrorMemoryAllocation) {
    return launch_plain<Element>(problem, stream);
  }
  return error == cudaSuccess ? launch_mapped_plan<Element>(padded, true, limits.multiprocessors, stream)
                              : error;
}

template <typename Element>
int launch_best_of(int (*other)(const TensorGemmProblem&, Stream), const TensorGemmProblem& problem,
                   Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  if (is_best_thin(problem, sizeof(Element))) {
    return launch_thin<Element>(problem, limits.multiprocessors, stream);
  }
  const bool has_wgmma = limits.capability == 90;
  return has_wgmma && is_worth_padding(problem, sizeof(Element)) ? launch_plans<Element>(problem, stream)
                                                                 : other(problem, stream);
}

}  // namespace

int launch_wgmma_plans_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch_plans<__nv_bfloat16>(problem, stream);
}

int launch_wgmma_plans_tf32(const TensorGemmProblem& problem, Stream stream) {
  return launch_plans<float>(problem, stream);
}

int launch_best_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch_best_of<__nv_bfloat16>(launch_mma_sync_bf16, problem, stream);
}

int launch_best_fp8(const TensorGemmProblem& problem, Stream stream) {
  return launch_best_of<__nv_fp8_e4m3>(launch_plans<__nv_fp8_e4m3>, problem, stream);
}

int launch_best_tf32(const TensorGemmProblem& problem, Stream stream) {
  return launch_best_of<float>(launch_mma_sync_tf32, problem, stream);
}

}  // namespace kernels::tensor_gemm
