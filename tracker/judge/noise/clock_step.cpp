#include "tracker/judge/noise/clock_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tracker/model/metric.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

constexpr std::size_t kValuesMin = 6;
constexpr double kStepMax = 0.05;
constexpr double kSame = 1e-9;  // of one reading, after unit conversions
// A tick below this share of the times changes no verdict, and looking for it would find rounding errors.
constexpr double kTickMin = 1e-5;
// So many different times can be whole multiples of twice the tick by chance once in a hundred cases.
constexpr std::size_t kTimesMin = 8;

bool is_timed(const Metric& metric) {
  constexpr std::array<const char*, 4> kUnits{"s", "B/s", "FLOP/s", "1/s"};
  return std::find(kUnits.begin(), kUnits.end(), metric.unit) != kUnits.end();
}

// The largest number that both are whole multiples of, but for rounding errors.
double common_measure(double a, double b) {
  const double negligible = kTickMin / 10 * std::max(a, b);
  while (b > negligible) {
    const double rest = std::abs(a - b * std::round(a / b));
    a = b;
    b = rest;
  }
  return a;
}

// The tick of a clock, from one reading after the other.
class Tick {
 public:
  bool is_none() const { return none_; }

  void add(double time_ns) {
    if (none_ || !(time_ns > 0) || !std::isfinite(time_ns)) return;
    tick_ = tick_ > 0 ? common_measure(std::max(tick_, time_ns), std::min(tick_, time_ns)) : time_ns;
    longest_ = std::max(longest_, time_ns);
    none_ = tick_ < kTickMin * longest_;
    if (times_.size() < kTimesMin && std::none_of(times_.begin(), times_.end(), [&](double known) {
          return std::abs(known - time_ns) <= kSame * time_ns;
        }))
      times_.push_back(time_ns);
  }

  double value() const { return none_ || times_.size() < kTimesMin ? 0 : tick_; }

 private:
  double tick_ = 0;
  double longest_ = 0;
  bool none_ = false;
  std::vector<double> times_;  // that differ
};

// The metric's values of all repetitions, as logarithms.
std::vector<double> all_logs(Runs runs, const std::string& name, const Metric& metric) {
  std::vector<double> logs;
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_benchmark(run, name);
    if (benchmark == nullptr || benchmark->error) continue;
    for (const auto& invocation : run.invocations) {
      const auto found = invocation.samples.find(name);
      if (found == invocation.samples.end() || invocation.excluded) continue;
      for (const double value : metric_samples(metric, *benchmark, found->second))
        if (value > 0 && std::isfinite(value)) logs.push_back(std::log(value));
    }
  }
  return logs;
}

// What else one side shows.
struct Readings {
  bool by_cpu_time = false;                      // else by real time
  std::vector<double> times_ns;                  // that one, of all repetitions
  std::vector<std::vector<double>> invocations;  // a run each: the logarithm of one value an invocation
};

Readings readings_of(Runs runs, const std::string& name, const Metric& metric) {
  Readings readings;
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_benchmark(run, name);
    if (benchmark == nullptr || benchmark->error) continue;
    const auto made_of = metric_times(metric, *benchmark);
    const bool by_cpu_time = made_of && made_of->of_cpu;
    for (const auto& invocation : run.invocations) {
      const auto found = invocation.samples.find(name);
      if (found == invocation.samples.end() || invocation.excluded) continue;
      readings.by_cpu_time = by_cpu_time;
      const auto& times = readings.by_cpu_time ? found->second.cpu_time_ns : found->second.real_time_ns;
      readings.times_ns.insert(readings.times_ns.end(), times.begin(), times.end());
    }
    std::vector<double> logs;
    for (const double value : metric_values(metric, *benchmark, run))
      if (value > 0 && std::isfinite(value)) logs.push_back(std::log(value));
    if (!logs.empty()) readings.invocations.push_back(std::move(logs));
  }
  return readings;
}

// Values of which most repeat others, as readings of a coarse clock do and continuous times do not.
struct Levels {
  std::size_t distinct = 0;
  double least = std::numeric_limits<double>::infinity();  // distance of two that differ
};

Levels levels_of(std::vector<double> logs) {
  std::sort(logs.begin(), logs.end());
  Levels levels{logs.empty() ? 0U : 1U};
  for (std::size_t i = 1; i < logs.size(); ++i) {
    const double distance = logs[i] - logs[i - 1];
    if (distance <= kSame) continue;
    ++levels.distinct;
    levels.least = std::min(levels.least, distance);
  }
  return levels;
}

// The least distance of two values that differ; infinite where all are the same. 0 where most values do not
// repeat others, or are few. Within one side, a distance of any size is the clock's; where neither side
// varies, sides that are far apart are taken to differ by what they say.
double step_of(const std::vector<double>& base, const std::vector<double>& candidate) {
  std::vector<double> both = base;
  both.insert(both.end(), candidate.begin(), candidate.end());
  const Levels all = levels_of(both);
  if (all.distinct == 1 && both.size() > 1) return all.least;
  if (both.size() < kValuesMin || 2 * all.distinct > both.size()) return 0;
  const double within = std::min(levels_of(base).least, levels_of(candidate).least);
  return all.least <= kStepMax ? all.least : std::isfinite(within) ? within : 0;
}

}  // namespace

ClockTicks clock_ticks(Runs base, Runs candidate) {
  Tick real;
  Tick cpu;
  for (const auto* side : {&base, &candidate})
    for (const auto& run : *side)
      for (const auto& invocation : run.invocations)
        for (const auto& [name, samples] : invocation.samples) {
          for (const double time_ns : samples.real_time_ns) real.add(time_ns);
          for (const double time_ns : samples.cpu_time_ns) cpu.add(time_ns);
          if (real.is_none() && cpu.is_none()) return {};
        }
  return {real.value(), cpu.value()};
}

ClockStep clock_step(Runs base, Runs candidate, const std::string& benchmark, const Metric& metric,
                     const ClockTicks& ticks) {
  if (!is_timed(metric)) return {};
  double step = step_of(all_logs(base, benchmark, metric), all_logs(candidate, benchmark, metric));
  Readings of_base = readings_of(base, benchmark, metric);
  const Readings of_candidate = readings_of(candidate, benchmark, metric);
  of_base.times_ns.insert(of_base.times_ns.end(), of_candidate.times_ns.begin(), of_candidate.times_ns.end());
  const double tick_ns = of_base.by_cpu_time ? ticks.cpu_ns : ticks.real_ns;
  if (tick_ns > 0) {
    const double tick = std::log1p(tick_ns / stats::median(of_base.times_ns));
    step = step > 0 ? std::min(step, tick) : tick;
  }
  if (!(step > 0)) return {};
  // The mean of rounded values is off by less than 0.003 steps where their deviation is half a step, and by
  // up to half a step a side where there is none.
  const auto noise = stats::moderate(stats::side_noise(of_base.invocations).per_invocation,
                                     stats::side_noise(of_candidate.invocations).per_invocation);
  return {step, std::sqrt(noise.value) < step / 2 ? step : 0};
}

}  // namespace tracker
