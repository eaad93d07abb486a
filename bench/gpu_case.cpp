#include "bench/gpu_case.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <string_view>
#include <utility>

#include "bench/cuda_error.hpp"
#include "bench/device_check.hpp"
#include "tracker/protocol/code_label.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace bench {
namespace {

// The first launches of a kernel in a context load its machine code and make what it keeps (cuBLAS'
// workspace): none of that may happen behind the gate.
constexpr std::int64_t kFirstLaunches = 3;

// Then what runs is not what lies in the executable.
bool compiles_all_from_ptx() {
  constexpr const char* kVariables[] = {"CUDA_FORCE_JIT", "CUDA_FORCE_PTX_JIT"};
  return std::any_of(std::begin(kVariables), std::end(kVariables), [](const char* name) {
    const char* const forced = std::getenv(name);
    return forced != nullptr && std::string_view(forced) == "1";
  });
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

}  // namespace

GpuBenchmark::GpuBenchmark(GpuCase gpu_case, Timing timing)
    : case_(std::move(gpu_case)), timing_(timing), name_(case_.name + std::string(name_suffix(timing))) {}

Outcome GpuBenchmark::measure(GpuProcess& process) {
  try {
    return measure_checked(process);
  } catch (const std::exception& error) {
    return {.error = error.what()};
  }
}

Outcome GpuBenchmark::measure_checked(GpuProcess& process) {
  GpuSession& session = process.session();
  session.prepare();
  if (!error_) error_ = check_result(session, case_);
  if (auto wrong = wrong_result(*error_)) return {.error = std::move(*wrong)};
  std::uint64_t turn = 0;
  const Launch launch = [&](kernels::Stream stream) { return case_.launch(session, turn++, stream); };
  const auto before = process.read_conditions();
  warm_up(process, launch);
  if (!facts_) facts_ = facts_of(process, launch);
  const Measured measured = time_launches(process, launch);
  return {.measured = measured,
          .conditions = condition_counters(before, process.read_conditions()),
          .overhead_s = session.timer().overhead_s()};
}

// Where launches come in bursts, the first ones after idling count: no other work comes before.
void GpuBenchmark::warm_up(GpuProcess& process, const Launch& launch) {
  const bool is_loaded = loaded_in_ == process.contexts_ended();
  const bool is_paced = pacing_of(case_.arithmetic).burst.count() > 0;
  if (is_loaded && is_paced) return;
  process.session().timer().warm_up(launch, is_loaded ? 1 : kFirstLaunches, case_.launches);
  loaded_in_ = process.contexts_ended();
}

GpuBenchmark::Facts GpuBenchmark::facts_of(GpuProcess& process, const Launch& launch) const {
  const auto trace = trace_launch(launch, process.session().timer().stream());
  if (!trace) return {};
  tracker::Code code = compiles_all_from_ptx()
                           ? tracker::Code{.why_no_hash = "compiled by the driver from PTX"}
                           : process.machine_code().code_of(trace->kernels);
  code.launches = trace->launches;
  return {.resources = trace->resources, .label = tracker::code_label(code)};
}

Measured GpuBenchmark::time_launches(GpuProcess& process, const Launch& launch) {
  GpuSession& session = process.session();
  if (timing_ == Timing::kSustained) {
    const auto taken = session.timer().sustained(launch, [&process] { return process.read_energy_j(); });
    return {.mean_s = taken.burst.sum_s / static_cast<double>(taken.burst.launches),
            .clock_mhz = taken.burst.clock_mhz,
            .power_w = taken.power_w};
  }
  const Pacing& pacing = pacing_of(case_.arithmetic);
  const PacedRepetition taken =
      take_repetition(pacing, case_.launches, clocks_mhz_, burst_taker(session, launch, pacing));
  Measured measured{.mean_s = taken.mean_s, .clock_mhz = taken.clock_mhz};
  if (pacing.retakes_max > 0) measured.retaken_bursts = taken.retaken;
  return measured;
}

// How the device takes a burst of this benchmark. All arguments must outlive what it gives.
TakeBurst GpuBenchmark::burst_taker(GpuSession& session, const Launch& launch, const Pacing& pacing) const {
  LaunchTimer& timer = session.timer();
  const std::int64_t repetition = case_.launches;
  if (timing_ == Timing::kCold)
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

void GpuBenchmark::report(benchmark::State& state, const Outcome& repetition,
                          const GpuEnvironment& environment) const {
  if (!repetition.error.empty()) return state.SkipWithError(repetition.error.c_str());
  const double mean_s = repetition.measured.mean_s;
  while (state.KeepRunningBatch(state.max_iterations))
    state.SetIterationTime(mean_s * static_cast<double>(state.max_iterations));  // of the whole batch
  add_work(state, case_.work);
  if (case_.work.bytes)
    add_peak_share(state, *case_.work.bytes, mean_s, environment.device.peak_bytes_per_second);
  if (case_.work.flops) add_flops_peak(state, environment, case_, mean_s);
  add_resources(state, facts_->resources);
  add_result_check(state, *error_);
  state.SetLabel(facts_->label);
  if (repetition.overhead_s) state.counters["launch_overhead_us"] = *repetition.overhead_s * 1e6;
  for (const auto& [name, counter] : repetition.conditions) state.counters[name] = counter;
  for (const auto& [name, counter] : measured_counters(repetition.measured)) state.counters[name] = counter;
}

}  // namespace bench
