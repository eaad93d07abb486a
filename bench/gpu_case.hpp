// One GPU benchmark: a row of a kernel table at one shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/command_line.hpp"
#include "bench/contexts.hpp"
#include "bench/counters.hpp"
#include "bench/gpu_process.hpp"
#include "bench/gpu_session.hpp"
#include "bench/launch_trace.hpp"
#include "bench/pacing.hpp"
#include "bench/result_check.hpp"
#include "kernels/kernel.hpp"
#include "tracker/devices/gpu_facts.hpp"

namespace bench {

struct GpuCase {
  std::string name;  // without the timing's suffix
  kernels::Requirements requirements;
  Work work;
  tracker::Arithmetic arithmetic = tracker::Arithmetic::kFp32;  // what its FLOP/s are bounded by
  std::int64_t launches = 1;                                    // of one repetition
  // Enqueues one launch on the session's buffers, at the places of this turn; gives a cudaError_t.
  std::function<int(const GpuSession&, std::uint64_t turn, kernels::Stream)> launch;
  // Where the launch of this turn writes, and how far from right that is once it ran.
  std::function<std::span<std::byte>(const GpuSession&, std::uint64_t turn)> result;
  std::function<ResultError(const GpuSession&, std::uint64_t turn, kernels::Stream)> check;
};

// A case at one timing, and what the process has learned of it.
class GpuBenchmark {
 public:
  GpuBenchmark(GpuCase gpu_case, Timing timing);

  const std::string& name() const { return name_; }
  std::int64_t launches() const { return case_.launches; }

  // Its launches, in the process' current context. The result is checked before the first ones.
  Outcome measure(GpuProcess& process);

  // States a repetition (repetition_of() its contexts) as what Google Benchmark has just run: time, counters
  // and label.
  void report(benchmark::State& state, const Outcome& repetition, const GpuEnvironment& environment) const;

 private:
  // What is known of a launch once it ran.
  struct Facts {
    std::optional<KernelResources> resources;
    std::string label;
  };

  Outcome measure_checked(GpuProcess& process);
  void warm_up(GpuProcess& process, const Launch& launch);
  Facts facts_of(GpuProcess& process, const Launch& launch) const;
  Measured time_launches(GpuProcess& process, const Launch& launch);
  TakeBurst burst_taker(GpuSession& session, const Launch& launch, const Pacing& pacing) const;

  GpuCase case_;
  Timing timing_;
  std::string name_;
  std::optional<ResultError> error_;  // of its first result in this process
  std::optional<Facts> facts_;        // once it was launched
  std::optional<int> loaded_in_;      // the context, by how many ended before it
  std::vector<double> clocks_mhz_;    // of its bursts
};

}  // namespace bench
