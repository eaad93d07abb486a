#include "tracker/model/metric.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tracker/base/text.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

std::optional<double> no_peak(const Device&, const Benchmark*) {
  return {};
}

std::optional<double> peak_flops(const Device& device, const Benchmark* benchmark) {
  if (benchmark == nullptr) return device.peak_flops;
  const auto stated = benchmark->counters.find("peak_flops");
  const bool usable =
      stated != benchmark->counters.end() && std::isfinite(stated->second) && stated->second > 0;
  return usable ? stated->second : device.peak_flops;
}

enum class Times { kNone, kReal, kCpu, kBase };

struct Row {
  Metric metric;
  Times times;
  std::optional<double> Benchmark::*work;  // a rate: how much of it an iteration does
  std::optional<double> (*peak)(const Device&, const Benchmark*);
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {{"real_time", "s", Better::kLower}, Times::kReal, nullptr, no_peak},
      {{"cpu_time", "s", Better::kLower}, Times::kCpu, nullptr, no_peak},
      {{"bytes_per_second", "B/s", Better::kHigher},
       Times::kBase,
       &Benchmark::bytes_per_iteration,
       [](const Device& d, const Benchmark*) { return d.peak_bytes_per_second; }},
      {{"flops", "FLOP/s", Better::kHigher}, Times::kBase, &Benchmark::flops_per_iteration, peak_flops},
      {{"items_per_second", "1/s", Better::kHigher}, Times::kBase, &Benchmark::items_per_iteration, no_peak},
      // Counters: their own samples are their values.
      {{"sm_cycles", "cycles", Better::kLower}, Times::kNone, nullptr, no_peak},
      {{"energy_j_per_iteration", "J", Better::kLower}, Times::kNone, nullptr, no_peak},
  };
  return table;
}

const Row* find_row(const std::string& name) {
  const auto found = std::ranges::find(rows(), name, [](const Row& row) { return row.metric.name; });
  return found == rows().end() ? nullptr : &*found;
}

// Counters of which everybody wants few, by parts of their names; of what is a rate or a share, more is
// better.
bool is_cost(std::string_view counter) {
  constexpr std::string_view kCosts[] = {"spill", "alloc",      "conflict", "instruction", "misses",
                                         "stall", "bytes_used", "latency",  "heap_growth"};
  constexpr std::string_view kRates[] = {"per_s", "per_cycle", "rate", "throughput", "efficiency"};
  const std::string lower = lower_case(counter);
  const auto has = [&](std::string_view part) { return lower.find(part) != lower.npos; };
  return std::ranges::any_of(kCosts, has) && std::ranges::none_of(kRates, has);
}

std::vector<double> samples_by(const std::optional<MetricTimes>& times, const Metric& metric,
                               const Benchmark& benchmark, const Samples& samples) {
  if (times) {
    const auto& times_ns = times->of_cpu ? samples.cpu_time_ns : samples.real_time_ns;
    std::vector<double> values;
    values.reserve(times_ns.size());
    for (const double time_ns : times_ns) values.push_back(times->value_of(time_ns));
    if (!values.empty()) return values;
  }
  if (const auto varying = samples.counters.find(metric.name); varying != samples.counters.end())
    return varying->second;
  if (const auto constant = benchmark.counters.find(metric.name); constant != benchmark.counters.end())
    return std::vector<double>(samples.real_time_ns.size(), constant->second);
  return {};
}

}  // namespace

const std::vector<Metric>& builtin_metrics() {
  static const std::vector<Metric> metrics = [] {
    std::vector<Metric> all;
    for (const auto& row : rows()) all.push_back(row.metric);
    return all;
  }();
  return metrics;
}

const std::vector<StatisticRow>& statistics_known() {
  static const std::vector<StatisticRow> rows{
      {Statistic::kMedian, "median"}, {Statistic::kFastest, "fastest"}, {Statistic::kP75, "p75", .75},
      {Statistic::kP90, "p90", .9},   {Statistic::kP95, "p95", .95},    {Statistic::kP99, "p99", .99}};
  return rows;
}

const StatisticRow& row_of(Statistic statistic) {
  return *std::ranges::find(statistics_known(), statistic, &StatisticRow::statistic);
}

int repetitions_for(Statistic statistic) {
  const double share = row_of(statistic).share;
  return share > 0 ? static_cast<int>(std::lround(1 / (1 - share))) : 0;
}

Metric find_metric(const std::string& name) {
  const Row* row = find_row(name);
  return row != nullptr ? row->metric : Metric{name, "", is_cost(name) ? Better::kLower : Better::kHigher};
}

Metric default_metric(const Benchmark& benchmark) {
  if (benchmark.time_base == TimeBase::kNone)
    return {kStatedValue, benchmark.unit, benchmark.better == "higher" ? Better::kHigher : Better::kLower};
  if (benchmark.bytes_per_iteration) return find_metric("bytes_per_second");
  return find_metric(benchmark.time_base == TimeBase::kCpu ? "cpu_time" : "real_time");
}

double MetricTimes::value_of(double time_ns) const {
  return per_iteration ? *per_iteration / (time_ns * 1e-9) : time_ns * 1e-9;
}

std::optional<MetricTimes> metric_times(const Metric& metric, const Benchmark& benchmark) {
  const Row* row = find_row(metric.name);
  if (row == nullptr || row->times == Times::kNone || benchmark.time_base == TimeBase::kNone) return {};
  MetricTimes times;
  times.of_cpu =
      row->times == Times::kCpu || (row->times == Times::kBase && benchmark.time_base == TimeBase::kCpu);
  if (row->work == nullptr) return times;
  times.per_iteration = benchmark.*row->work;
  if (!times.per_iteration) return {};
  return times;
}

std::vector<double> metric_samples(const Metric& metric, const Benchmark& benchmark, const Samples& samples) {
  return samples_by(metric_times(metric, benchmark), metric, benchmark, samples);
}

std::optional<double> value_of_repetitions(const Metric& metric, std::vector<double> samples) {
  // A repetition that lacks the counter has NaN for it.
  std::erase_if(samples, [](double value) { return std::isnan(value); });
  if (samples.empty()) return {};
  if (metric.statistic == Statistic::kMedian) return stats::median(samples);
  if (const double share = row_of(metric.statistic).share; share > 0) {
    std::ranges::sort(samples);
    const double place = share * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    return std::lerp(samples[below], samples[above], place - static_cast<double>(below));
  }
  const auto [least, most] = std::ranges::minmax_element(samples);
  return metric.better == Better::kLower ? *least : *most;
}

std::optional<double> value_of_kept(const Metric& metric, const MetricTimes& times, const double* kept,
                                    std::size_t repetitions) {
  if (repetitions_for(metric.statistic) > 0 && kept_times(repetitions) < repetitions) return {};
  if (metric.statistic == Statistic::kMedian && repetitions > 2 && repetitions % 2 == 1)
    if (const double value = times.value_of(kept[1]); !std::isnan(value)) return value;
  std::vector<double> samples;
  for (std::size_t i = 0; i < kept_times(repetitions); ++i) samples.push_back(times.value_of(kept[i]));
  if (repetitions > 2) samples.push_back(samples.back());  // for the greatest
  return value_of_repetitions(metric, std::move(samples));
}

void append_rounds(const Metric& metric, const MetricTimes& made_of, const BenchmarkTimes& times,
                   const BenchmarkTimes::InRun& in_run, const Run& run, std::vector<RoundValue>& to) {
  const double* kept = (made_of.of_cpu ? times.cpu_time_ns : times.real_time_ns).data() + in_run.first;
  int place = 0;
  for (const auto& [number, repetitions] : times.shapes[in_run.shape]) {
    const double* own = kept;
    kept += kept_times(repetitions);
    ++place;
    const Invocation& invocation = run.invocations[number];
    if (invocation.excluded) continue;
    if (const auto value = value_of_kept(metric, made_of, own, repetitions))
      to.push_back({invocation.round > 0 ? invocation.round : place, *value, invocation.build});
  }
}

std::vector<RoundValue> metric_rounds(const Metric& metric, const Benchmark& benchmark, const Run& run) {
  std::vector<const Samples*> samples;
  for (const auto& invocation : run.invocations) {
    const auto found = invocation.samples.find(benchmark.name);
    samples.push_back(found == invocation.samples.end() ? nullptr : &found->second);
  }
  return metric_rounds(metric, benchmark, run, samples);
}

std::vector<RoundValue> metric_rounds(const Metric& metric, const Benchmark& benchmark, const Run& run,
                                      std::span<const Samples* const> samples) {
  std::vector<RoundValue> values;
  values.reserve(samples.size());
  const auto times = metric_times(metric, benchmark);
  int place = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Invocation& invocation = run.invocations[i];
    if (samples[i] == nullptr) continue;
    ++place;
    if (invocation.excluded) continue;
    // Of what a summary keeps there is no percentile.
    if (repetitions_for(metric.statistic) > 0 &&
        samples[i]->repetitions > kept_times(samples[i]->repetitions))
      continue;
    if (const auto value = value_of_repetitions(metric, samples_by(times, metric, benchmark, *samples[i])))
      values.push_back({invocation.round > 0 ? invocation.round : place, *value, invocation.build});
  }
  return values;
}

std::vector<double> metric_values(const Metric& metric, const Benchmark& benchmark, const Run& run) {
  std::vector<double> values;
  for (const auto& [round, value, build] : metric_rounds(metric, benchmark, run)) values.push_back(value);
  return values;
}

std::optional<double> metric_peak(const Metric& metric, const Device& device, const Benchmark* benchmark) {
  const Row* row = find_row(metric.name);
  return row != nullptr ? row->peak(device, benchmark) : std::nullopt;
}

}  // namespace tracker
