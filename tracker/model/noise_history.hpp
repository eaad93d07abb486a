// What noise is learned from: a device's runs. Plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker {

// The times of one benchmark in several runs. Of a history whose runs have all benchmarks alike, that is much
// less than a Benchmark and its Samples in each run.
struct BenchmarkTimes {
  struct InRun {
    std::uint32_t run = 0;    // its place in NoiseHistory::runs; larger than that of the one before
    std::uint32_t shape = 0;  // a place in `shapes`
    std::uint32_t first = 0;  // of its times: kept_times() for each invocation of the shape, in turn
  };

  Benchmark benchmark;  // the same in all of these runs
  std::vector<InRun> in_runs;
  std::vector<std::vector<SampledInvocation>> shapes;
  std::vector<double> real_time_ns;
  std::vector<double> cpu_time_ns;
};

struct NoiseHistory {
  NoiseHistory() = default;
  NoiseHistory(std::vector<Run> all) : runs(std::move(all)) {}  // NOLINT(google-explicit-constructor)

  std::vector<Run> runs;
  std::vector<BenchmarkTimes> times;  // of the benchmarks that the runs do not have themselves
  int jobs_not_read = 0;              // that lie between both sides, and are older than these runs
};

// Those of its runs that fit, in their order.
NoiseHistory keep_runs(NoiseHistory history, const std::function<bool(const Run& run)>& fits);

// Those of the machine that measured this run, where machines that are apart go by its device's name: what
// machines differ by is no noise of one. Nothing where no run is of another. Of a GPU's runs the processor
// beside it tells nothing.
std::optional<NoiseHistory> of_one_machine(const NoiseHistory& history, const Run& run);

// What earlier runs showed of the noise of each benchmark on a device. Plain data: learned by judge/ from
// runs, kept with a baseline, and used by judge/ where a comparison's own data is short.

// A variance of logarithms, with the degrees of freedom that stand behind it; degrees 0: not known.
struct NoiseVariance {
  double value = 0;
  double degrees = 0;
};

struct BenchmarkNoise {
  NoiseVariance invocation;   // of one invocation around its job's mean
  NoiseVariance successive;   // of the difference of two invocations that follow one another in a job
  NoiseVariance same_board;   // of one job's offset, on the same board on another day
  NoiseVariance other_board;  // likewise, on another board of the model
  std::string metric;         // whose noise it is
};

struct NoiseModel {
  std::map<std::string, BenchmarkNoise> benchmarks;  // by name
  int jobs = 0;                                      // that it was learned from
};

}  // namespace tracker
