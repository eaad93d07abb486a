// A GPU benchmark, and what the programs of them do alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/kit/command_line.hpp"
#include "bench/kit/contexts.hpp"
#include "bench/kit/counters.hpp"
#include "bench/kit/gpu_process.hpp"
#include "bench/kit/launch_trace.hpp"
#include "bench/kit/pacing.hpp"
#include "tracker/devices/device_facts.hpp"

namespace tracker::kit {

// A benchmark at one timing, on the kit's streams or on a given one, and what the process has learned of it.
class Measurement {
 public:
  Measurement(GpuBenchmark gpu_benchmark, Timing timing, std::optional<Stream> stream = {});

  const std::string& name() const { return name_; }
  std::int64_t launches() const { return case_.launches; }

  // Its launches, in the process' current context, between setup() and teardown(). The result is checked
  // before the first ones.
  Outcome measure(GpuProcess& process);
  // For a launch that nothing is known of: whether its stream can be held back, and how many launches take
  // 20 ms, at most `launches_max`; 0 leaves their number. Throws CudaError.
  void probe(GpuProcess& process, std::int64_t launches_max);

  // States a repetition (repetition_of() its contexts) as what Google Benchmark has just run: time, counters
  // and label.
  void report(benchmark::State& state, const Outcome& repetition, const GpuEnvironment& environment) const;

 private:
  // What is known of a launch once it ran.
  struct Facts {
    std::optional<KernelResources> resources;
    std::string label;
  };

  LaunchTimer& timer(GpuProcess& process) const;
  Outcome measure_checked(GpuProcess& process);
  Outcome measure_set_up(GpuProcess& process);
  void check_result(GpuProcess& process);
  void warm_up(GpuProcess& process, const Launch& launch);
  Facts facts_of(GpuProcess& process) const;
  Measured time_launches(GpuProcess& process, const Launch& launch);
  TakeBurst burst_taker(GpuProcess& process, const Launch& launch, const Pacing& pacing) const;

  GpuBenchmark case_;
  Timing timing_;
  std::optional<Stream> stream_;
  std::string name_;
  std::optional<ResultError> error_;  // of its first result in this process
  std::optional<Facts> facts_;        // once it was launched
  std::optional<int> loaded_in_;      // the context, by how many ended before it
  std::vector<double> clocks_mhz_;    // of its bursts
};

}  // namespace tracker::kit
