#include "bench/counters.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

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

Measured mean_of(std::span<const Measured> parts) {
  const auto sum_of = [&](const auto& value_of) -> std::optional<double> {
    double sum = 0;
    for (const Measured& part : parts) {
      const std::optional<double> value = value_of(part);
      if (!value) return {};
      sum += *value;
    }
    return sum;
  };
  const auto count = static_cast<double>(parts.size());
  Measured all;
  all.mean_s = *sum_of([](const Measured& part) { return part.mean_s; }) / count;
  // Weighted with the time, so that the cycles are the mean as well.
  if (const auto cycles = sum_of([](const Measured& part) -> std::optional<double> {
        if (!part.clock_mhz) return {};
        return *part.clock_mhz * part.mean_s;
      }))
    all.clock_mhz = *cycles / count / all.mean_s;
  if (const auto bursts = sum_of([](const Measured& part) { return part.retaken_bursts; }))
    all.retaken_bursts = static_cast<int>(*bursts);
  if (const auto power_w = sum_of([](const Measured& part) { return part.power_w; }))
    all.power_w = *power_w / count;
  return all;
}

benchmark::UserCounters measured_counters(const Measured& measured) {
  benchmark::UserCounters counters;
  if (measured.clock_mhz) {
    counters[counter_name::kCoreClock] = std::round(*measured.clock_mhz);
    counters[counter_name::kSmCycles] = measured.mean_s * *measured.clock_mhz * 1e6;
  }
  if (measured.retaken_bursts) counters[counter_name::kRetakenBursts] = *measured.retaken_bursts;
  if (measured.retaken_contexts) counters[counter_name::kRetakenContexts] = *measured.retaken_contexts;
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

benchmark::UserCounters conditions_of(std::span<const benchmark::UserCounters> parts) {
  benchmark::UserCounters all;
  for (const auto& part : parts)
    for (const auto& [name, counter] : part) {
      const auto [known, is_new] = all.try_emplace(name, counter);
      if (is_new) continue;
      const bool adds_up = name == counter_name::kThrottled;
      known->second.value =
          adds_up ? known->second.value + counter.value : std::max(known->second.value, counter.value);
    }
  return all;
}

}  // namespace bench
