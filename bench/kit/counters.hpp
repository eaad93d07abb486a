// The counters of a benchmark's rows, by the names that tracker reads (tracker/protocol/context_keys.hpp).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

#include "tracker/bench.hpp"
#include "tracker/devices/device_facts.hpp"
#include "tracker/devices/nvml.hpp"

namespace tracker::kit {

// Empty where the result is right.
std::optional<std::string> wrong_result(const ResultError& error);

// Power from a counter of energy, as NVML has one for the whole board. The counter moves in steps (of about
// 100 ms on an H200), so it says nothing of a burst of a few ms, and is read from step to step.

// What the counter showed at a time. Only differences of times and of energies have a meaning.
struct EnergyReading {
  double time_s = 0;
  double energy_j = 0;
};

// The mean power from the first step of the counter to the last one; empty with fewer than five steps, of
// which one more or less would be much.
std::optional<double> mean_power_w(std::span<const EnergyReading> readings);

// Empty where the board has no such counter. Is called from another thread.
using ReadEnergy = std::function<std::optional<double>()>;

// Reads the counter every few ms while it lives.
class EnergyWatch {
 public:
  explicit EnergyWatch(ReadEnergy read_energy_j);

  // Ends the watch.
  std::optional<double> mean_power_w();

 private:
  std::vector<EnergyReading> readings_;
  std::jthread thread_;  // the last member: it ends before the readings do
};

// The counters of a benchmark's rows, by the names that tracker reads (tracker/protocol/context_keys.hpp).

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
benchmark::UserCounters condition_counters(const std::optional<devices::Reading>& before,
                                           const std::optional<devices::Reading>& after);

// Of a repetition in several parts: the time for which it was throttled is their sum, and of all else the
// greatest counts.
benchmark::UserCounters conditions_of(std::span<const benchmark::UserCounters> parts);

}  // namespace tracker::kit
