// Picks among the others by device and shape: the one whose waves of blocks should end first.
//
// A wave is what all multiprocessors compute at once: `blocks_per_sm` blocks of rows × columns on each. It
// takes blocks_per_sm · rows · columns · k / (128 · speed) cycles for the multiply-adds, 128 a cycle at best,
// and `begin_cycles` to fill the first tiles and to store C. Both are fits to an H200's times at 1024³, 2048³
// and 4096³ (docs/kernels.md), within 3 % of them.
#include <array>

#include "kernels/gemm.hpp"
#include "kernels/launch.cuh"

namespace kernels::gemm {

int launch_warp_tile(const GemmProblem&, Stream);
int launch_async(const GemmProblem&, Stream);
int launch_async_pair(const GemmProblem&, Stream);
int launch_sliced_k(const GemmProblem&, Stream);
int launch_sliced_k_small(const GemmProblem&, Stream);

namespace {

struct Choice {
  int (*launch)(const GemmProblem&, Stream);
  Requirements requirements;  // as in the table
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t blocks_per_sm;
  double speed;         // multiply-adds: share of the float32 rate
  double begin_cycles;  // and to end: of a wave
};

constexpr double kMultiplyAddsPerCycle = 128;

// Ties go to the first.
constexpr std::array kChoices = {
    Choice{launch_async, {80}, 128, 256, 1, 0.85, 26000},
    Choice{launch_async_pair, {80}, 128, 128, 2, 0.83, 22000},
    Choice{launch_sliced_k, {80}, 64, 128, 1, 0.83, 7300},
    Choice{launch_sliced_k_small, {90, 119}, 64, 64, 1, 0.83, 9900},
    Choice{launch_warp_tile, {75}, 128, 256, 1, 0.78, 26000},
};

struct DeviceLimits {
  int capability = 0;
  std::int64_t multiprocessors = 0;
};

cudaError_t read_limits(DeviceLimits& limits) {
  int device = 0;
  int major = 0;
  int minor = 0;
  int multiprocessors = 0;
  for (const cudaError_t error :
       {cudaGetDevice(&device), cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)}) {
    if (error != cudaSuccess) {
      return error;
    }
  }
  limits = {.capability = major * 10 + minor, .multiprocessors = multiprocessors};
  return cudaSuccess;
}

bool can_run(const Requirements& requirements, const DeviceLimits& limits) {
  return limits.capability >= requirements.compute_capability_min &&
         limits.capability <= requirements.compute_capability_max;
}

double cycles(const Choice& choice, const GemmProblem& problem, const DeviceLimits& limits) {
  const std::int64_t blocks = divide_up(problem.m, choice.rows) * divide_up(problem.n, choice.columns);
  const std::int64_t waves = divide_up(blocks, limits.multiprocessors * choice.blocks_per_sm);
  const double multiply_adds = static_cast<double>(choice.blocks_per_sm * choice.rows * choice.columns) *
                               static_cast<double>(problem.k);
  return static_cast<double>(waves) *
         (multiply_adds / (kMultiplyAddsPerCycle * choice.speed) + choice.begin_cycles);
}

}  // namespace

int launch_best(const GemmProblem& problem, Stream stream) {
  DeviceLimits limits;
  if (const cudaError_t error = read_limits(limits); error != cudaSuccess) {
    return error;
  }
  const Choice* best = nullptr;
  for (const Choice& choice : kChoices) {
    if (can_run(choice.requirements, limits) &&
        (best == nullptr || cycles(choice, problem, limits) < cycles(*best, problem, limits))) {
      best = &choice;
    }
  }
  if (best == nullptr) {
    return cudaErrorInvalidDevice;
  }
  return best->launch(problem, stream);
}

}  // namespace kernels::gemm
