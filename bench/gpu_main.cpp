#include "bench/gpu_main.hpp"

#include <cstdio>
#include <functional>
#include <memory>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "bench/context.hpp"
#include "bench/contexts.hpp"
#include "bench/gpu_process.hpp"
#include "bench/passes.hpp"
#include "tracker/base/error.hpp"

namespace bench {
namespace {

using GpuPasses = Passes<Outcome>;

GpuPasses::BeginPass new_context(GpuProcess& process, const std::function<void()>& release) {
  return [&process, &release](const GpuPasses::Pass& pass) {
    if (isatty(STDERR_FILENO) == 1) {
      if (pass.number <= pass.planned)
        std::fprintf(stderr, "context %d of %d\n", pass.number, pass.planned);
      else
        std::fprintf(stderr, "further context %d, for %zu whose contexts differ\n",
                     pass.number - pass.planned, pass.repetitions);
    }
    process.begin_context(release);
  };
}

void add(GpuPasses& passes, GpuProcess& process, const GpuCase& gpu_case, Timing timing) {
  const auto own = std::make_shared<GpuBenchmark>(gpu_case, timing);
  passes.add(
      own->name(), own->launches(), [own, &process] { return own->measure(process); },
      [own, &process](benchmark::State& state, const std::vector<Outcome>& contexts, int further) {
        own->report(state, repetition_of(contexts, further), process.environment());
      });
}

bool are_sustained(const std::vector<Timing>& timings) {
  return timings.front() == Timing::kSustained;
}

// Under sustained load a second goes by in each context: what differs between them is small beside the clock.
int contexts_of(const GpuFamily& family, const std::vector<Timing>& timings, std::optional<int> wanted) {
  return wanted.value_or(are_sustained(timings) ? 1 : family.contexts);
}

bool suffice(const std::vector<Outcome>& contexts) {
  return contexts_suffice(contexts);
}

constexpr char kHelp[] = R"(

  --timing=cold|hot|both|sustained
      cold (default): the L2 cache is flushed before every launch, each is timed alone;
      hot: a batch of launches is timed together, and the name ends in /hot;
      both: cold and hot;
      sustained: hot for a second, after half a second of the same load: the speed under the power limit,
      with the board's energy; the name ends in /sustained

  --contexts=N
      in how many CUDA contexts each repetition is measured, one after the other: its time is their mean, as
      a kernel's time differs from context to context (default 3; 1 for sustained and for the sweep of blocks).
      Where the standard error of that mean is above 0.25 %, the repetition is measured in further contexts, up
      to five (condition_retaken_contexts); of five and more, the fastest and the slowest fifth are left out.
      Not for sustained, and not with 1

What is launched in a context is a fixed number: --benchmark_min_time has no effect. Results appear when all
contexts are measured. CUDA_VISIBLE_DEVICES chooses the GPU.
)";

int run(int argc, char** argv, const GpuFamily& family) {
  const std::vector<Timing> timings = take_timing(argc, argv);
  const auto contexts = take_contexts(argc, argv);
  initialize_benchmark(argc, argv, family.summary + kHelp);

  GpuProcess process(family.buffers);
  tracker::Software software = process.environment().software;
  if (family.cublas_version) software.cublas = family.cublas_version();
  add_to_context(context_of(process.environment().device, software));
  const bool holds_back = process.session().timer().holds_back();
  add_to_context({{"bench.stream_held_back", holds_back ? "true" : "false"}});
  if (!holds_back)
    std::fprintf(stderr,
                 "%s: warning: kernels run one at a time here (CUDA_LAUNCH_BLOCKING, or a profiler): "
                 "launch overhead is part of the times\n",
                 family.program.c_str());

  GpuPasses passes(contexts_of(family, timings, contexts), are_sustained(timings) ? 0 : kFurtherContextsMax,
                   new_context(process, family.release), suffice);
  const int compute_capability = process.environment().compute_capability;
  for (const GpuCase& gpu_case : family.cases) {
    if (compute_capability < gpu_case.requirements.compute_capability_min ||
        compute_capability > gpu_case.requirements.compute_capability_max)
      continue;
    for (const Timing timing : timings) add(passes, process, gpu_case, timing);
  }
  passes.run();
  if (family.release) family.release();
  benchmark::Shutdown();
  return static_cast<int>(tracker::ExitCode::kOk);
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
