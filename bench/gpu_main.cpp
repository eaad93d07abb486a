#include "bench/gpu_main.hpp"

#include <cstdio>

#include <benchmark/benchmark.h>

#include "bench/context.hpp"

namespace bench {
namespace {

constexpr char kHelp[] = R"(

  --timing=cold|hot|both|sustained
      cold (default): the L2 cache is flushed before every launch, each is timed alone;
      hot: a batch of launches is timed together, and the name ends in /hot;
      both: cold and hot;
      sustained: hot for a second, after half a second of the same load: the speed under the power limit,
      with the board's energy; the name ends in /sustained

A repetition is a fixed number of launches: --benchmark_min_time has no effect. CUDA_VISIBLE_DEVICES
chooses the GPU.
)";

int run(int argc, char** argv, const GpuFamily& family) {
  const std::vector<Timing> timings = take_timing(argc, argv);
  initialize_benchmark(argc, argv, family.summary + kHelp);

  GpuSession session(family.buffers);
  tracker::Software software = session.environment().software;
  if (family.cublas_version) software.cublas = family.cublas_version();
  add_to_context(context_of(session.environment().device, software));
  add_to_context({{"bench.stream_held_back", session.timer().holds_back() ? "true" : "false"}});
  if (!session.timer().holds_back())
    std::fprintf(stderr,
                 "%s: warning: kernels run one at a time here (CUDA_LAUNCH_BLOCKING, or a profiler): "
                 "launch overhead is part of the times\n",
                 family.program.c_str());

  const int compute_capability = session.environment().compute_capability;
  for (const GpuCase& gpu_case : family.cases) {
    if (compute_capability < gpu_case.requirements.compute_capability_min ||
        compute_capability > gpu_case.requirements.compute_capability_max)
      continue;
    for (const Timing timing : timings) register_gpu_case(session, gpu_case, timing);
  }
  return run_benchmarks();
}

}  // namespace

int gpu_main(int argc, char** argv, const GpuFamily& family) {
  try {
    return run(argc, argv, family);
  } catch (...) {
    return report_error(family.program);
  }
}

}  // namespace bench
