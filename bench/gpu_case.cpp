#include "bench/gpu_case.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/cuda_error.hpp"
#include "bench/device_check.hpp"
#include "bench/launch_trace.hpp"
#include "bench/pacing.hpp"
#include "tracker/protocol/code_label.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace bench {
namespace {

// The first launches of a kernel load its machine code and make what it keeps (cuBLAS' workspace): none of
// that may happen behind the gate.
constexpr std::int64_t kFirstLaunches = 3;

// What is known of a launch once it ran.
struct LaunchFacts {
  std::optional<KernelResources> resources;
  std::string label;
};

struct Registered {
  GpuCase gpu_case;
  Timing timing;
  std::optional<ResultError> error;  // of its first result in this process
  std::optional<LaunchFacts> facts;  // once it was launched
  std::vector<double> clocks_mhz;    // of its bursts
};

// Then what runs is not what lies in the executable.
bool compiles_all_from_ptx() {
  constexpr const char* kVariables[] = {"CUDA_FORCE_JIT", "CUDA_FORCE_PTX_JIT"};
  return std::any_of(std::begin(kVariables), std::end(kVariables), [](const char* name) {
    const char* const forced = std::getenv(name);
    return forced != nullptr && std::string_view(forced) == "1";
  });
}

LaunchFacts facts_of(const Launch& launch, GpuSession& session) {
  const auto trace = trace_launch(launch, session.timer().stream());
  if (!trace) return {};
  tracker::Code code = compiles_all_from_ptx()
                           ? tracker::Code{.why_no_hash = "compiled by the driver from PTX"}
                           : session.machine_code().code_of(trace->kernels);
  code.launches = trace->launches;
  return {.resources = trace->resources, .label = tracker::code_label(code)};
}

void add_resources(benchmark::State& state, const std::optional<KernelResources>& resources) {
  if (!resources) return;
  state.counters["registers"] = resources->registers;
  state.counters["shared_static_bytes"] = static_cast<double>(resources->shared_static_bytes);
  state.counters["shared_dynamic_bytes"] = static_cast<double>(resources->shared_dynamic_bytes);
  state.counters["local_bytes"] = static_cast<double>(resources->local_bytes);
  state.counters["threads_per_block"] = resources->threads_per_block;
  state.counters["blocks_per_sm"] = resources->blocks_per_sm;
}

// How the device takes a burst of this benchmark. All arguments must outlive what it gives.
TakeBurst burst_taker(GpuSession& session, const Launch& launch, const Registered& self,
                      const Pacing& pacing) {
  LaunchTimer& timer = session.timer();
  const std::int64_t repetition = self.gpu_case.launches;
  if (self.timing == Timing::kCold)
    return [&, repetition](std::int64_t first, std::int64_t launches, std::chrono::microseconds idle) {
      timer.idle(idle);
      return timer.cold_burst(
          launch, {.first = first, .launches = launches, .repetition = repetition, .burst = pacing.burst},
          session.flush_buffer());
    };
  return [&, repetition](std::int64_t, std::int64_t launches, std::chrono::microseconds idle) {
    if (pacing.burst.count() == 0) return timer.hot_burst(launch, launches);
    timer.idle(idle);
    timer.lead(session.flush_buffer(), pacing.hot_lead);
    // It also puts into the cache what the others find there.
    const double launch_s = timer.hot_burst(launch, 1).sum_s;
    return timer.hot_burst(launch,
                           std::min(launches, launches_per_burst(repetition, launch_s, pacing.burst)));
  };
}

Measured time_repetition(GpuSession& session, const Launch& launch, Registered& self) {
  if (self.timing == Timing::kSustained) {
    const auto taken = session.timer().sustained(launch, [&session] { return session.read_energy_j(); });
    return {.mean_s = taken.burst.sum_s / static_cast<double>(taken.burst.launches),
            .clock_mhz = taken.burst.clock_mhz,
            .power_w = taken.power_w};
  }
  const Pacing& pacing = pacing_of(self.gpu_case.arithmetic);
  const PacedRepetition taken = take_repetition(pacing, self.gpu_case.launches, self.clocks_mhz,
                                                burst_taker(session, launch, self, pacing));
  Measured measured{.mean_s = taken.mean_s, .clock_mhz = taken.clock_mhz};
  if (pacing.retakes_max > 0) measured.retaken_bursts = taken.retaken;
  return measured;
}

// The benchmark's own time is the measured mean.
Measured time_benchmark(benchmark::State& state, GpuSession& session, const Launch& launch,
                        Registered& self) {
  Measured measured;
  while (state.KeepRunningBatch(state.max_iterations)) {
    measured = time_repetition(session, launch, self);
    state.SetIterationTime(measured.mean_s *
                           static_cast<double>(state.max_iterations));  // of the whole batch
  }
  return measured;
}

// Where the limit is not the one of the device's FP32 lanes, the benchmark states it.
void add_flops_peak(benchmark::State& state, const GpuEnvironment& environment, const GpuCase& gpu_case,
                    double mean_s) {
  const auto peak = peak_flops_of(environment, gpu_case.arithmetic);
  add_peak_share(state, *gpu_case.work.flops, mean_s, peak);
  if (peak && gpu_case.arithmetic != tracker::Arithmetic::kFp32)
    state.counters[tracker::counter_name::kPeakFlops] = *peak;
}

// Right before it is fast: once in a process, before anything is timed.
ResultError check_result(GpuSession& session, const GpuCase& gpu_case) {
  constexpr std::uint64_t kTurn = 0;
  const kernels::Stream stream = session.timer().stream();
  poison(gpu_case.result(session, kTurn), stream);
  check(static_cast<cudaError_t>(gpu_case.launch(session, kTurn, stream)), "launching the kernel");
  check(cudaStreamSynchronize(stream), "running the kernel");
  return gpu_case.check(session, kTurn, stream);
}

void run(benchmark::State& state, GpuSession& session, Registered& self) try {
  const GpuCase& gpu_case = self.gpu_case;
  session.prepare();
  if (!self.error) self.error = check_result(session, gpu_case);
  if (const auto wrong = wrong_result(*self.error)) return state.SkipWithError(wrong->c_str());
  std::uint64_t turn = 0;
  const Launch launch = [&](kernels::Stream stream) { return gpu_case.launch(session, turn++, stream); };
  const auto before = session.read_conditions();
  // Where launches come in bursts, the first ones after idling count: no other work comes before.
  const bool paced = pacing_of(gpu_case.arithmetic).burst.count() > 0;
  if (!self.facts || !paced)
    session.timer().warm_up(launch, self.facts ? 1 : kFirstLaunches, gpu_case.launches);
  if (!self.facts) self.facts = facts_of(launch, session);
  const Measured measured = time_benchmark(state, session, launch, self);
  const double mean_s = measured.mean_s;
  const auto after = session.read_conditions();

  const tracker::Device& device = session.environment().device;
  add_work(state, gpu_case.work);
  if (gpu_case.work.bytes) add_peak_share(state, *gpu_case.work.bytes, mean_s, device.peak_bytes_per_second);
  if (gpu_case.work.flops) add_flops_peak(state, session.environment(), gpu_case, mean_s);
  add_resources(state, self.facts->resources);
  add_result_check(state, *self.error);
  state.SetLabel(self.facts->label);
  if (const auto overhead_s = session.timer().overhead_s())
    state.counters["launch_overhead_us"] = *overhead_s * 1e6;
  for (const auto& [name, counter] : condition_counters(before, after)) state.counters[name] = counter;
  for (const auto& [name, counter] : measured_counters(measured)) state.counters[name] = counter;
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
