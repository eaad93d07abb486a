#include "bench/kit/counters.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tracker/protocol/context_keys.hpp"

namespace tracker {
namespace {

// Sums of 8192 products in float32 are off by some 1e-6.
constexpr double kFp32Bound = 1e-4;
// A bf16 result is rounded by up to 2^-8, operands cut to TF32 lose up to 2^-10: among a million weighted
// sums the largest error is about 0.008; FP8 sums, which keep fewer bits on their way, are off by 0.015. One
// k-step of 64 left out of 8192 gives 0.4.
constexpr double kTensorBound = 0.03;

}  // namespace

ResultError exact_error(double wrong, double all) {
  return {.error = all > 0 ? wrong / all : 0, .bound = 0};
}

ResultError product_error(double largest, double root_mean_square, devices::Arithmetic arithmetic) {
  const double bound = arithmetic == devices::Arithmetic::kFp32 ? kFp32Bound : kTensorBound;
  const bool known = std::isfinite(largest) && std::isfinite(root_mean_square);
  if (known && largest == 0) return {.error = 0, .bound = bound};
  if (!known || root_mean_square <= 0)
    return {.error = std::numeric_limits<double>::infinity(), .bound = bound};
  return {.error = largest / root_mean_square, .bound = bound};
}

namespace kit {

std::optional<std::string> wrong_result(const ResultError& error) {
  if (error.error <= error.bound) return {};  // never for NaN
  char text[128];
  if (error.bound == 0)
    std::snprintf(text, sizeof(text), "wrong result: %.3g %% of its elements differ from the reference",
                  100 * error.error);
  else if (std::isfinite(error.error))
    std::snprintf(text, sizeof(text),
                  "wrong result: off by %.3g of its root mean square, and rounding explains %.3g",
                  error.error, error.bound);
  else
    std::snprintf(text, sizeof(text), "wrong result: elements are not written, or not finite");
  return text;
}

std::optional<double> mean_power_w(std::span<const EnergyReading> readings) {
  constexpr int kStepsMin = 5;
  const EnergyReading* first = nullptr;
  const EnergyReading* last = nullptr;
  int steps = 0;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    if (readings[i].energy_j == readings[i - 1].energy_j) continue;
    last = &readings[i];
    if (first == nullptr)
      first = last;
    else
      ++steps;
  }
  if (steps < kStepsMin || last->time_s <= first->time_s) return {};
  return (last->energy_j - first->energy_j) / (last->time_s - first->time_s);
}

EnergyWatch::EnergyWatch(ReadEnergy read_energy_j)
    : thread_([this, read = std::move(read_energy_j)](const std::stop_token& stop) {
        constexpr std::chrono::milliseconds kPeriod{2};
        const auto start = std::chrono::steady_clock::now();
        while (!stop.stop_requested()) {
          const auto energy_j = read();
          if (!energy_j) return;
          const auto now = std::chrono::steady_clock::now();
          readings_.push_back({std::chrono::duration<double>(now - start).count(), *energy_j});
          std::this_thread::sleep_for(kPeriod);
        }
      }) {}

std::optional<double> EnergyWatch::mean_power_w() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  return kit::mean_power_w(readings_);
}

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

benchmark::UserCounters condition_counters(const std::optional<devices::Reading>& before,
                                           const std::optional<devices::Reading>& after) {
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

}  // namespace kit
}  // namespace tracker
