#include "tracker/model/metric.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

const std::vector<double>& base_times_ns(const Benchmark& benchmark, const Samples& samples) {
  return benchmark.time_base == TimeBase::kCpu ? samples.cpu_time_ns : samples.real_time_ns;
}

std::vector<double> seconds(const std::vector<double>& times_ns) {
  std::vector<double> values;
  for (const double time_ns : times_ns) values.push_back(time_ns * 1e-9);
  return values;
}

std::vector<double> rates(std::optional<double> per_iteration, const std::vector<double>& times_ns) {
  std::vector<double> values;
  if (!per_iteration) return values;
  for (const double time_ns : times_ns) values.push_back(*per_iteration / (time_ns * 1e-9));
  return values;
}

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

struct Row {
  Metric metric;
  std::vector<double> (*samples)(const Benchmark&, const Samples&);
  std::optional<double> (*peak)(const Device&, const Benchmark*);
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {{"real_time", "s", Better::kLower},
       [](const Benchmark&, const Samples& s) { return seconds(s.real_time_ns); },
       no_peak},
      {{"cpu_time", "s", Better::kLower},
       [](const Benchmark&, const Samples& s) { return seconds(s.cpu_time_ns); },
       no_peak},
      {{"bytes_per_second", "B/s", Better::kHigher},
       [](const Benchmark& b, const Samples& s) { return rates(b.bytes_per_iteration, base_times_ns(b, s)); },
       [](const Device& d, const Benchmark*) { return d.peak_bytes_per_second; }},
      {{"flops", "FLOP/s", Better::kHigher},
       [](const Benchmark& b, const Samples& s) { return rates(b.flops_per_iteration, base_times_ns(b, s)); },
       peak_flops},
      {{"items_per_second", "1/s", Better::kHigher},
       [](const Benchmark& b, const Samples& s) { return rates(b.items_per_iteration, base_times_ns(b, s)); },
       no_peak},
      // A counter: its own samples are its values.
      {{"sm_cycles", "cycles", Better::kLower},
       [](const Benchmark&, const Samples&) { return std::vector<double>{}; },
       no_peak},
  };
  return table;
}

const Row* find_row(const std::string& name) {
  const auto found =
      std::find_if(rows().begin(), rows().end(), [&](const Row& row) { return row.metric.name == name; });
  return found == rows().end() ? nullptr : &*found;
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

Metric find_metric(const std::string& name) {
  const Row* row = find_row(name);
  return row != nullptr ? row->metric : Metric{name, "", Better::kHigher};
}

Metric default_metric(const Benchmark& benchmark) {
  if (benchmark.bytes_per_iteration) return find_metric("bytes_per_second");
  return find_metric(benchmark.time_base == TimeBase::kCpu ? "cpu_time" : "real_time");
}

std::vector<double> metric_samples(const Metric& metric, const Benchmark& benchmark, const Samples& samples) {
  if (const Row* row = find_row(metric.name)) {
    auto values = row->samples(benchmark, samples);
    if (!values.empty()) return values;
  }
  if (const auto varying = samples.counters.find(metric.name); varying != samples.counters.end())
    return varying->second;
  if (const auto constant = benchmark.counters.find(metric.name); constant != benchmark.counters.end())
    return std::vector<double>(samples.real_time_ns.size(), constant->second);
  return {};
}

namespace {

// Of an invocation's repetitions, one at least.
double value_of(const std::vector<double>& samples, const Metric& metric) {
  if (metric.statistic == Statistic::kMedian) return stats::median(samples);
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  return metric.better == Better::kLower ? *least : *most;
}

}  // namespace

std::vector<RoundValue> metric_rounds(const Metric& metric, const Benchmark& benchmark, const Run& run) {
  std::vector<RoundValue> values;
  int place = 0;
  for (const auto& invocation : run.invocations) {
    const auto found = invocation.samples.find(benchmark.name);
    if (found == invocation.samples.end()) continue;
    ++place;
    if (!invocation.left_out.empty()) continue;
    auto samples = metric_samples(metric, benchmark, found->second);
    // A repetition that lacks the counter has NaN for it.
    std::erase_if(samples, [](double value) { return std::isnan(value); });
    if (samples.empty()) continue;
    values.push_back({invocation.round > 0 ? invocation.round : place, value_of(samples, metric)});
  }
  return values;
}

std::vector<double> metric_values(const Metric& metric, const Benchmark& benchmark, const Run& run) {
  std::vector<double> values;
  for (const auto& [round, value] : metric_rounds(metric, benchmark, run)) values.push_back(value);
  return values;
}

std::optional<double> metric_peak(const Metric& metric, const Device& device, const Benchmark* benchmark) {
  const Row* row = find_row(metric.name);
  return row != nullptr ? row->peak(device, benchmark) : std::nullopt;
}

}  // namespace tracker
