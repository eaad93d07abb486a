#include "bench/gpu_case.hpp"

#include <exception>
#include <memory>

#include <benchmark/benchmark.h>

namespace bench {
namespace {

// The first launches of a kernel load its machine code and make what it keeps (cuBLAS' workspace): none of
// that may happen behind the gate.
constexpr std::int64_t kFirstLaunches = 3;

struct Registered {
  GpuCase gpu_case;
  Timing timing;
  bool launched = false;
};

// Times one repetition and gives its mean; the benchmark's own time is the same.
double time_repetition(benchmark::State& state, GpuSession& session, const Launch& launch, Timing timing) {
  const std::int64_t launches = state.max_iterations;
  double mean_s = 0;
  while (state.KeepRunningBatch(launches)) {
    mean_s = timing == Timing::kHot ? session.timer().hot_s(launch, launches)
                                    : session.timer().cold_s(launch, launches, session.flush_buffer());
    state.SetIterationTime(mean_s * static_cast<double>(launches));  // of the whole batch
  }
  return mean_s;
}

void run(benchmark::State& state, GpuSession& session, Registered& self) try {
  const GpuCase& gpu_case = self.gpu_case;
  session.prepare();
  std::uint64_t turn = 0;
  const Launch launch = [&](kernels::Stream stream) { return gpu_case.launch(session, turn++, stream); };
  const auto before = session.read_conditions();
  session.timer().warm_up(launch, self.launched ? 1 : kFirstLaunches, gpu_case.launches);
  self.launched = true;
  const double mean_s = time_repetition(state, session, launch, self.timing);
  const auto after = session.read_conditions();

  const tracker::Device& device = session.environment().device;
  add_work(state, gpu_case.work);
  if (gpu_case.work.bytes) add_peak_share(state, *gpu_case.work.bytes, mean_s, device.peak_bytes_per_second);
  if (gpu_case.work.flops) add_peak_share(state, *gpu_case.work.flops, mean_s, device.peak_flops);
  if (const auto overhead_s = session.timer().overhead_s())
    state.counters["launch_overhead_us"] = *overhead_s * 1e6;
  for (const auto& [name, counter] : condition_counters(before, after)) state.counters[name] = counter;
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

}  // namespace

void register_gpu_case(GpuSession& session, const GpuCase& gpu_case, Timing timing) {
  const std::string name = gpu_case.name + std::string(name_suffix(timing));
  const auto self = std::make_shared<Registered>(Registered{gpu_case, timing});
  benchmark::RegisterBenchmark(name.c_str(),
                               [&session, self](benchmark::State& state) { run(state, session, *self); })
      ->Iterations(gpu_case.launches)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace bench
