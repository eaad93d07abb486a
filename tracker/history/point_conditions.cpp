#include "tracker/history/point_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tracker/base/text.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

// More load per thread than that is another machine's worth of work. A benchmark's own process is part of the
// load, so at least one whole process is allowed for.
constexpr double kLoadMargin = 0.5;
// A clock that is lower by less than that explains no step.
constexpr double kClockMargin = 0.03;

int threads_of(const Run& run) {
  if (run.host.cpu_count.value_or(0) > 0) return *run.host.cpu_count;
  return run.device.kind == DeviceKind::kCpu ? std::max(run.device.core_count.value_or(1), 1) : 1;
}

double load_margin(int threads) {
  return std::max(kLoadMargin, 1.0 / threads);
}

std::optional<double> median_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  return stats::median(values);
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double median = 0;
};

// Empty where any point does not tell.
std::optional<Range> range_of(std::span<const PointConditions> points,
                              const std::optional<double> PointConditions::*value) {
  Range range;
  std::vector<double> values;
  for (const auto& point : points) {
    if (!(point.*value)) return {};
    values.push_back(*(point.*value));
    range.low = std::min(range.low, values.back());
    range.high = std::max(range.high, values.back());
  }
  if (values.empty()) return {};
  range.median = stats::median(values);
  return range;
}

bool any_at_power_cap(std::span<const PointConditions> points) {
  return std::any_of(points.begin(), points.end(), [](const auto& point) { return point.at_power_cap; });
}

std::string load_apart(std::span<const PointConditions> before, std::span<const PointConditions> after) {
  const auto was = range_of(before, &PointConditions::load_per_thread);
  const auto is = range_of(after, &PointConditions::load_per_thread);
  if (!was || !is) return "";
  int threads = std::numeric_limits<int>::max();
  for (const auto& points : {before, after})
    for (const auto& point : points) threads = std::min(threads, point.threads);
  const double margin = load_margin(std::max(threads, 1));
  if (is->low - was->high < margin && was->low - is->high < margin) return "";
  return "load per thread " + format_plain(was->median) + " → " + format_plain(is->median);
}

std::string clock_apart(const char* name, const std::optional<double> PointConditions::*clock,
                        std::span<const PointConditions> before, std::span<const PointConditions> after) {
  const auto was = range_of(before, clock);
  const auto is = range_of(after, clock);
  if (!was || !is) return "";
  if (is->low < was->high * (1 + kClockMargin) && was->low < is->high * (1 + kClockMargin)) return "";
  return std::string(name) + " " + format_plain(std::round(was->median)) + " → " +
         format_plain(std::round(is->median)) + " MHz";
}

double load_of(const Run& run, const std::string& benchmark) {
  return conditions_of({&run}, benchmark).load_per_thread.value_or(0);
}

}  // namespace

PointConditions conditions_of(const std::vector<const Run*>& runs, const std::string& benchmark) {
  PointConditions found;
  std::vector<double> loads;
  std::vector<double> core_clocks;
  std::vector<double> memory_clocks;
  const auto add = [](std::vector<double>& values, const std::optional<double>& value, double divisor = 1) {
    if (value && std::isfinite(*value)) values.push_back(*value / divisor);
  };
  for (const auto* run : runs) {
    const int threads = threads_of(*run);
    found.threads = found.threads == 0 ? threads : std::min(found.threads, threads);
    for (const auto& invocation : run->invocations) {
      if (!invocation.left_out.empty() || invocation.samples.count(benchmark) == 0) continue;
      const Conditions& seen = invocation.conditions;
      add(loads, seen.load_average, threads);
      add(core_clocks, seen.core_clock_mhz_min);
      add(memory_clocks, seen.memory_clock_mhz);
      found.at_power_cap =
          found.at_power_cap || std::find(seen.throttle_reasons.begin(), seen.throttle_reasons.end(),
                                          "power_cap") != seen.throttle_reasons.end();
    }
  }
  found.load_per_thread = median_of(loads);
  found.core_clock_mhz = median_of(core_clocks);
  found.memory_clock_mhz = median_of(memory_clocks);
  return found;
}

bool is_disturbed(const Run& run) {
  return run.dirty || std::any_of(run.invocations.begin(), run.invocations.end(), [](const Invocation& one) {
           return one.left_out.empty() && one.conditions.disturbed();
         });
}

std::vector<const Run*> calmest_runs(const std::vector<Run>& runs, const std::string& benchmark) {
  std::vector<const Run*> chosen;
  for (const auto& run : runs)
    if (const Benchmark* found = find_benchmark(run, benchmark); found != nullptr && !found->error)
      chosen.push_back(&run);
  const bool any_calm =
      std::any_of(chosen.begin(), chosen.end(), [](const Run* run) { return !is_disturbed(*run); });
  if (any_calm) std::erase_if(chosen, [](const Run* run) { return is_disturbed(*run); });
  if (chosen.size() < 2) return chosen;
  double least = std::numeric_limits<double>::infinity();
  for (const auto* run : chosen) least = std::min(least, load_of(*run, benchmark));
  std::erase_if(chosen, [&](const Run* run) {
    return load_of(*run, benchmark) - least >= load_margin(threads_of(*run));
  });
  return chosen;
}

std::string conditions_apart(std::span<const PointConditions> before,
                             std::span<const PointConditions> after) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) words.push_back(text);
  };
  add(load_apart(before, after));
  add(clock_apart("memory clock", &PointConditions::memory_clock_mhz, before, after));
  // At the power cap it is the kernels themselves that set the clock.
  if (!any_at_power_cap(before) && !any_at_power_cap(after))
    add(clock_apart("SM clock", &PointConditions::core_clock_mhz, before, after));
  return join(words, ", ");
}

}  // namespace tracker
