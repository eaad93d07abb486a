// Metrics: what of a benchmark is compared and drawn.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker {

// Which direction of a metric is an improvement.
enum class Better { kHigher, kLower };

// Which of an invocation's repetitions is its value: their median, the best in the metric's direction, or a
// percentile. What disturbs a CPU benchmark makes it slower, hardly ever faster, so that the fastest is the
// least disturbed.
enum class Statistic { kMedian, kFastest, kP75, kP90, kP95, kP99 };

// As tracker.toml writes it.
struct StatisticRow {
  Statistic statistic;
  const char* name;
  double share = 0;  // of the repetitions that are at or below a percentile; 0: it is none
};
const std::vector<StatisticRow>& statistics_known();
const StatisticRow& row_of(Statistic statistic);
// With fewer repetitions a percentile, which lies between two of them (as Hyndman and Fan's type 7, NumPy's
// default), says little of the tail; 0 of what is none.
int repetitions_for(Statistic statistic);

struct Metric {
  std::string name;
  std::string unit;  // "s", "B/s", "FLOP/s", "1/s", "cycles", or empty
  Better better = Better::kHigher;
  Statistic statistic = Statistic::kMedian;
};

// The built-in metrics: real_time, cpu_time, bytes_per_second, flops, items_per_second, sm_cycles,
// energy_j_per_iteration.
const std::vector<Metric>& builtin_metrics();

// A built-in metric, or the counter of that name: no unit, and higher is better unless its name says that it
// is a cost, such as "spills".
Metric find_metric(const std::string& name);

// The metric a benchmark is judged by when the policy names none: bandwidth where its bytes are known,
// otherwise the time it is measured by.
Metric default_metric(const Benchmark& benchmark);

// One value a repetition, NaN for one that lacks the counter; empty where the benchmark has no such metric.
// Times are in seconds.
std::vector<double> metric_samples(const Metric& metric, const Benchmark& benchmark, const Samples& samples);

// One value an invocation, by the metric's statistic over its repetitions, in the order they ran: the unit of
// noise. Invocations that are left out have none.
std::vector<double> metric_values(const Metric& metric, const Benchmark& benchmark, const Run& run);

// The same with the round each belongs to: Invocation::round, or where that is not known the place among
// the invocations that have the benchmark, counted from 1.
struct RoundValue {
  int round = 0;
  double value = 0;  // in the metric's unit
  int build = 0;     // Invocation::build
};
std::vector<RoundValue> metric_rounds(const Metric& metric, const Benchmark& benchmark, const Run& run);
// Where the benchmark's samples are at hand: one for each of the run's invocations, null where it has none.
std::vector<RoundValue> metric_rounds(const Metric& metric, const Benchmark& benchmark, const Run& run,
                                      std::span<const Samples* const> samples);

// The theoretical limit of this metric, where it is known: for FLOP/s the one that the benchmark states in a
// counter "peak_flops", else the device's. `benchmark` may be null.
std::optional<double> metric_peak(const Metric& metric, const Device& device, const Benchmark* benchmark);

// The metrics that are made from times, where values are read in bulk.

struct MetricTimes {
  bool of_cpu = false;                  // else the real time
  std::optional<double> per_iteration;  // what a rate counts; without it the value is the time, in seconds
  // In the metric's unit: a rate per second, or seconds.
  double value_of(double time_ns) const;
};

// How the metric's values are made from the benchmark's times. Nothing where they are those of a counter.
std::optional<MetricTimes> metric_times(const Metric& metric, const Benchmark& benchmark);

// The value of an invocation, by the metric's statistic, in the metric's unit as the samples are. Nothing
// where no repetition has one: NaN is none.
std::optional<double> value_of_repetitions(const Metric& metric, std::vector<double> samples);

// The same out of the kept_times() of its repetitions, which are in nanoseconds.
std::optional<double> value_of_kept(const Metric& metric, const MetricTimes& times, const double* kept,
                                    std::size_t repetitions);

// As metric_rounds() has them, of a benchmark in one run that has these times.
void append_rounds(const Metric& metric, const MetricTimes& made_of, const BenchmarkTimes& times,
                   const BenchmarkTimes::InRun& in_run, const Run& run, std::vector<RoundValue>& to);

}  // namespace tracker
