#include "tracker/formats/metric_lines.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::formats {
namespace {

// What a metric is called there: with its unit, as both formats want it.
struct ExportedMetric {
  const char* metric;
  const char* name;
  const char* unit;
  const char* help;
};
constexpr ExportedMetric kMetrics[] = {
    {"real_time", "tracker_real_time_seconds", "seconds", "Time of one iteration"},
    {"cpu_time", "tracker_cpu_time_seconds", "seconds", "CPU time of one iteration"},
    {"bytes_per_second", "tracker_bandwidth_bytes_per_second", "bytes_per_second", "Bytes moved in a second"},
    {"flops", "tracker_flops_per_second", "flops_per_second", "Floating-point operations in a second"},
    {"items_per_second", "tracker_items_per_second", "items_per_second", "Items in a second"},
    {kStatedValue, "tracker_value", "", "A value that is no time"}};

// The median of the invocations that count; nothing where the benchmark has none of this metric.
std::optional<double> value_of(const ExportedMetric& exported, const Benchmark& benchmark, const Run& run) {
  const bool is_value = std::string_view(exported.metric) == kStatedValue;
  if (benchmark.error || is_value != (benchmark.time_base == TimeBase::kNone)) return {};
  const auto values = metric_values(find_metric(exported.metric), benchmark, run);
  if (values.empty()) return {};
  const double value = stats::median(values);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::optional<std::int64_t> started_s(const Run& run) {
  const auto time = parse_time(run.started_at);
  if (!time) return {};
  return std::chrono::duration_cast<std::chrono::seconds>(time->time_since_epoch()).count();
}

// A label's value in OpenMetrics.
std::string label(const std::string& text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return "\"" + escaped + "\"";
}

// A tag's value in the line protocol, which may neither be empty nor end in a backslash.
std::string tag(const std::string& text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == ',' || c == ' ' || c == '=') escaped += '\\';
    escaped += c == '\\' ? '/' : c;
  }
  return escaped.empty() ? "none" : escaped;
}

}  // namespace

std::string write_openmetrics(const std::vector<Run>& runs) {
  std::map<const ExportedMetric*, std::string> samples;
  for (const auto& run : runs) {
    const auto time = started_s(run);
    for (const auto& benchmark : run.benchmarks)
      for (const auto& metric : kMetrics)
        if (const auto value = value_of(metric, benchmark, run))
          samples[&metric] += std::string(metric.name) + "{benchmark=" + label(benchmark.name) +
                              ",commit=" + label(run.commit) + ",device=" + label(device_key(run.device)) +
                              ",run=" + label(run.id) + "} " + number(*value) +
                              (time ? " " + std::to_string(*time) : "") + "\n";
  }
  std::string text;
  for (const auto& metric : kMetrics) {
    if (!samples.contains(&metric)) continue;
    const std::string name = metric.name;
    text += "# TYPE " + name + " gauge\n";
    if (metric.unit[0] != '\0') text += "# UNIT " + name + " " + metric.unit + "\n";
    text += "# HELP " + name + " " + metric.help + "\n" + samples[&metric];
  }
  return text + "# EOF\n";
}

std::string write_influx(const std::vector<Run>& runs) {
  std::string text;
  for (const auto& run : runs) {
    const auto time = started_s(run);
    for (const auto& benchmark : run.benchmarks) {
      std::string fields;
      for (const auto& metric : kMetrics)
        if (const auto value = value_of(metric, benchmark, run))
          fields += (fields.empty() ? "" : ",") + std::string(metric.metric) + "=" + number(*value);
      if (fields.empty()) continue;
      text += "tracker,benchmark=" + tag(benchmark.name) + ",commit=" + tag(run.commit) +
              ",device=" + tag(device_key(run.device)) + ",run=" + tag(run.id) + " " + fields +
              (time ? " " + std::to_string(*time) + "000000000" : "") + "\n";
    }
  }
  return text;
}

}  // namespace tracker::formats
