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
  std::optional<int> retaken_contexts;  // further ones, where there were several contexts
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

}  // namespace bench
