#include "tracker/judge/noise/clock_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

constexpr std::size_t kValuesMin = 6;
constexpr double kStepMax = 0.05;
constexpr double kSame = 1e-9;  // of one reading, after unit conversions

bool is_timed(const Metric& metric) {
  constexpr std::array<const char*, 4> kUnits{"s", "B/s", "FLOP/s", "1/s"};
  return std::find(kUnits.begin(), kUnits.end(), metric.unit) != kUnits.end();
}

// What one side shows.
struct Readings {
  std::vector<double> logs;                      // of all repetitions
  std::vector<std::vector<double>> invocations;  // a run each: the logarithm of one value an invocation
};

Readings readings_of(Runs runs, const std::string& name, const Metric& metric) {
  Readings readings;
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_benchmark(run, name);
    if (benchmark == nullptr || benchmark->error) continue;
    for (const auto& invocation : run.invocations) {
      const auto found = invocation.samples.find(name);
      if (found == invocation.samples.end() || invocation.excluded) continue;
      for (const double value : metric_samples(metric, *benchmark, found->second))
        if (value > 0 && std::isfinite(value)) readings.logs.push_back(std::log(value));
    }
    std::vector<double> logs;
    for (const double value : metric_values(metric, *benchmark, run))
      if (value > 0 && std::isfinite(value)) logs.push_back(std::log(value));
    if (!logs.empty()) readings.invocations.push_back(std::move(logs));
  }
  return readings;
}

// The least distance of two values that differ, where most values repeat others; else 0.
double step_of(std::vector<double> logs) {
  if (logs.size() < kValuesMin) return 0;
  std::sort(logs.begin(), logs.end());
  double step = std::numeric_limits<double>::infinity();
  std::size_t distinct = 1;
  for (std::size_t i = 1; i < logs.size(); ++i) {
    const double distance = logs[i] - logs[i - 1];
    if (distance <= kSame) continue;
    ++distinct;
    step = std::min(step, distance);
  }
  const bool repeats = 2 * distinct <= logs.size();
  return repeats && step <= kStepMax ? step : 0;
}

}  // namespace

double clock_step(Runs base, Runs candidate, const std::string& benchmark, const Metric& metric) {
  if (!is_timed(metric)) return 0;
  const Readings of_base = readings_of(base, benchmark, metric);
  const Readings of_candidate = readings_of(candidate, benchmark, metric);
  std::vector<double> logs = of_base.logs;
  logs.insert(logs.end(), of_candidate.logs.begin(), of_candidate.logs.end());
  const double step = step_of(std::move(logs));
  // The mean of rounded values is off by less than 0.003 steps where their deviation is half a step, and by
  // up to half a step a side where there is none.
  const auto noise = stats::moderate(stats::side_noise(of_base.invocations).per_invocation,
                                     stats::side_noise(of_candidate.invocations).per_invocation);
  return std::sqrt(noise.value) < step / 2 ? step : 0;
}

}  // namespace tracker
