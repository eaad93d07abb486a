// The metrics that are made from times, where values are read in bulk.
#pragma once

#include <optional>
#include <vector>

#include "tracker/model/metric.hpp"
#include "tracker/model/noise_history.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

struct MetricTimes {
  bool of_cpu = false;                  // else the real time
  std::optional<double> per_iteration;  // what a rate counts; without it the value is the time, in seconds
  double value_of(double time_ns) const;
};

// How the metric's values are made from the benchmark's times. Nothing where they are those of a counter.
std::optional<MetricTimes> metric_times(const Metric& metric, const Benchmark& benchmark);

// The value of an invocation, by the metric's statistic. Nothing where no repetition has one: NaN is none.
std::optional<double> value_of_repetitions(const Metric& metric, std::vector<double> samples);

// The same out of the kept_times() of its repetitions.
std::optional<double> value_of_kept(const Metric& metric, const MetricTimes& times, const double* kept,
                                    std::size_t repetitions);

// As metric_rounds() has them, of a benchmark in one run that has these times.
void append_rounds(const Metric& metric, const MetricTimes& made_of, const BenchmarkTimes& times,
                   const BenchmarkTimes::InRun& in_run, const Run& run, std::vector<RoundValue>& to);

}  // namespace tracker
