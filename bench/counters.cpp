#include "bench/counters.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tracker/protocol/context_keys.hpp"

namespace bench {

namespace counter_name = tracker::counter_name;

void add_work(benchmark::State& state, const Work& work) {
  if (work.bytes) {
    state.counters[counter_name::kBytesPerIteration] = *work.bytes;
    state.SetBytesProcessed(static_cast<std::int64_t>(*work.bytes) * state.iterations());
  }
  if (work.flops) {
    state.counters[counter_name::kFlopsPerIteration] = *work.flops;
    state.counters["flops"] = benchmark::Counter(*work.flops, benchmark::Counter::kIsIterationInvariantRate);
  }
}

void add_peak_share(benchmark::State& state, double work, double mean_s, std::optional<double> peak_per_s) {
  if (peak_per_s && *peak_per_s > 0 && mean_s > 0)
    state.counters["peak_share"] = 100 * work / mean_s / *peak_per_s;
}

void add_result_check(benchmark::State& state, const ResultError& error) {
  state.counters[counter_name::kResultChecked] = 1;
  if (error.error > 0) state.counters[counter_name::kResultError] = error.error;
}

benchmark::UserCounters measured_counters(const Measured& measured) {
  benchmark::UserCounters counters;
  if (measured.clock_mhz) {
    counters[counter_name::kCoreClock] = std::round(*measured.clock_mhz);
    counters[counter_name::kSmCycles] = measured.mean_s * *measured.clock_mhz * 1e6;
  }
  if (measured.retaken_bursts) counters[counter_name::kRetakenBursts] = *measured.retaken_bursts;
  if (measured.power_w) {
    counters[counter_name::kPower] = std::round(*measured.power_w);
    counters[counter_name::kEnergy] = *measured.power_w * measured.mean_s;
  }
  return counters;
}

benchmark::UserCounters condition_counters(const std::optional<tracker::DeviceReading>& before,
                                           const std::optional<tracker::DeviceReading>& after) {
  benchmark::UserCounters counters;
  if (!after) return counters;
  const auto add = [&](const char* name, const auto& value) {
    if (value) counters[name] = *value;
  };
  add(counter_name::kCoreClock, after->core_clock_mhz);
  add(counter_name::kMemoryClock, after->memory_clock_mhz);
  add(counter_name::kTemperature, after->temperature_c);
  if (before && before->throttled_s && after->throttled_s)
    counters[counter_name::kThrottled] = std::max(0.0, *after->throttled_s - *before->throttled_s);
  if (after->processes) counters[counter_name::kOtherProcesses] = std::max(0, *after->processes - 1);
  for (const std::string& reason : after->throttle_reasons)
    counters[counter_name::kThrottleReasonPrefix + reason] = 1;
  return counters;
}

}  // namespace bench
