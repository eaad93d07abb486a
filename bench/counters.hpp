// The counters of a benchmark's rows, by the names that tracker reads (tracker/protocol/context_keys.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>

#include <benchmark/benchmark.h>

#include "bench/result_check.hpp"
#include "tracker/devices/nvml.hpp"

namespace bench {

// The work of one iteration: bytes moved, floating-point operations, or both.
struct Work {
  std::optional<double> bytes;
  std::optional<double> flops;
};

// bytes_per_iteration with bytes_per_second, flops_per_iteration with flops (per second).
void add_work(benchmark::State& state, const Work& work);

// peak_share: what the mean iteration reached of the device's theoretical peak, in percent.
void add_peak_share(benchmark::State& state, double work, double mean_s, std::optional<double> peak_per_s);

// result_checked, and result_error where there is one: the coefficient of variation of zeros, which Google
// Benchmark prints, is no number.
void add_result_check(benchmark::State& state, const ResultError& error);

// What a repetition measured.
struct Measured {
  double mean_s = 0;
  std::optional<double> clock_mhz;  // of the multiprocessors, while it was timed
  std::optional<int> retaken_bursts;
  std::optional<int> retaken_contexts;  // where there were several contexts
  std::optional<double> power_w;        // of the board, while it was timed
};

// Of the same number of launches each: means, and all bursts that were taken again. What one of them lacks is
// left out.
Measured mean_of(std::span<const Measured> parts);

// condition_core_clock_mhz, sm_cycles, condition_retaken_bursts, condition_retaken_contexts,
// condition_power_w, energy_j_per_iteration: as far as they are known. They replace what NVML told of the
// moment after the repetition.
benchmark::UserCounters measured_counters(const Measured& measured);

// condition_…: the state after a repetition, and what happened between two readings. Nothing without NVML.
// `after` is taken in this process, whose own context is one of those on the device.
benchmark::UserCounters condition_counters(const std::optional<tracker::DeviceReading>& before,
                                           const std::optional<tracker::DeviceReading>& after);

// Of a repetition in several parts: the time for which it was throttled is their sum, and of all else the
// greatest counts.
benchmark::UserCounters conditions_of(std::span<const benchmark::UserCounters> parts);

// What a kernel gave in one CUDA context, or why it gave nothing.
struct Outcome {
  std::string error;
  Measured measured;
  benchmark::UserCounters conditions;
  std::optional<double> overhead_s;  // of a launch
};

// Contexts of one kernel differ by 0.2 to 0.4 % (standard deviation), at most by 1.1 % (cuBLAS TF32 1024³).
// One that is off was seen 2 to 13 % off.
inline constexpr double kContextSpreadMax = 0.02;

// The largest less the smallest time, over the median; 0 of one.
double spread_of(std::span<const Outcome> contexts);

// Whether a repetition's times are no further apart than contexts usually are. True where one has an error:
// measuring again would not take it away.
bool contexts_agree(std::span<const Outcome> contexts);

// A repetition of several contexts: the first error, or means and conditions_of(). Where `further` of them,
// an even number, were measured because the others did not agree, as many are left out with all that they
// say: half of them the fastest ones, half the slowest ones, so that neither side of a comparison gains.
Outcome repetition_of(std::span<const Outcome> contexts, int further);

}  // namespace bench
