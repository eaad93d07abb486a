#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "tracker/judge/difference.hpp"
#include "tracker/protocol/context_keys.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

// Clocks that scatter by less hardly widen the interval. By them alone, not by how well values follow them:
// choosing by that would make the noise look smaller than it is.
constexpr double kScatterMin = 0.2;  // of the threshold
// Clocks of two sides that differ by more are taken to differ for a reason.
constexpr double kChanceConfidence = 0.99;

struct Limits {
  double low = 0;
  double high = 0;
};

// A time falls at most as fast as the clock rises, and never rises with it.
std::optional<Limits> slope_limits(const Metric& metric) {
  if (metric.unit == "s") return Limits{-1, 0};
  if (metric.unit == "B/s" || metric.unit == "FLOP/s" || metric.unit == "1/s") return Limits{0, 1};
  return {};
}

bool differs_from_zero(const std::vector<double>& differences) {
  const auto n = static_cast<double>(differences.size());
  const double error = std::sqrt(stats::variance(differences) / n);
  return std::abs(stats::mean(differences)) > stats::student_t_within(kChanceConfidence, n - 1) * error;
}

// The slope without the pairs that are outliers once the clock is taken out.
double robust_slope(std::vector<double> clocks, std::vector<double> values, const Limits& limits,
                    double rounding) {
  const double of_all = stats::slope_between(clocks, values, limits.low, limits.high);
  std::vector<double> rest = values;
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= of_all * clocks[i];
  const auto outliers = stats::find_outliers(rest, rounding);
  remove_at(clocks, outliers);
  remove_at(values, outliers);
  return stats::slope_between(clocks, values, limits.low, limits.high);
}

}  // namespace

double common_mhz(const ClockEffect& effect) {
  return std::sqrt(effect.base_mhz * effect.candidate_mhz);
}

ByRound core_clocks_of(const SideEvidence& side) {
  return logs_by_round(side_values(side, find_metric(counter_name::kCoreClock)));
}

std::optional<ClockEffect> take_out_clock(SideValues& base, SideValues& candidate, const ByRound& base_clock,
                                          const ByRound& candidate_clock, const Gate& gate, double step) {
  const auto limits = slope_limits(gate.metric);
  const auto& rounds = base.rounds_by_job.front();
  const auto of_base = in_rounds(rounds, base_clock);
  const auto of_candidate = in_rounds(rounds, candidate_clock);
  if (!limits || rounds.size() < kSameClockPairsMin || of_base.empty() || of_candidate.empty()) return {};
  const auto clocks = minus(of_candidate, of_base);
  const double least = kScatterMin * gate.threshold;
  const bool differ = differs_from_zero(clocks);
  const bool differ_much = differ && std::abs(stats::mean(clocks)) >= least;
  if (std::sqrt(stats::variance(clocks)) < least && !differ_much) return {};
  const double mean_base = stats::mean(of_base);
  const double mean_candidate = stats::mean(of_candidate);
  ClockEffect effect{.base_mhz = std::exp(mean_base), .candidate_mhz = std::exp(mean_candidate)};
  if (differ) return effect;
  effect.taken_out = true;
  auto& base_logs = base.logs_by_job.front();
  auto& candidate_logs = candidate.logs_by_job.front();
  const double slope =
      robust_slope(clocks, minus(candidate_logs, base_logs), *limits, 2 * rounding_variance(step));
  const double usual = (mean_base + mean_candidate) / 2;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    base_logs[i] -= slope * (of_base[i] - usual);
    candidate_logs[i] -= slope * (of_candidate[i] - usual);
  }
  return effect;
}

std::optional<stats::Variance> variance_at_same_clock(std::span<const ClockedPairs> jobs, const Gate& gate,
                                                      double step) {
  const auto limits = slope_limits(gate.metric);
  if (!limits) return {};
  stats::PooledVariance clocks;
  double squares = 0;
  double degrees = 0;
  for (const auto& pairs : jobs) {
    if (pairs.clocks.size() < kSameClockPairsMin) continue;
    clocks.add(pairs.clocks);
    const double slope = robust_slope(pairs.clocks, pairs.values, *limits, 2 * rounding_variance(step));
    std::vector<double> rest = pairs.values;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= slope * pairs.clocks[i];
    const auto n = static_cast<double>(rest.size());
    squares += stats::variance(rest) * (n - 1);
    degrees += n - 2;
  }
  if (std::sqrt(clocks.value().value) < kScatterMin * gate.threshold || !(degrees > 0)) return {};
  return stats::Variance{squares / degrees, degrees};
}

// The mean of c̄² / Σ (c − c̄)² is 1 / (n (n − 3)) for n normal values around zero.
double slope_factor(int pairs) {
  return 1 + 1.0 / (pairs - 3);
}

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
  return std::ranges::find(kUnits, metric.unit) != kUnits.end();
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
    if (times_.size() < kTimesMin && std::ranges::none_of(times_, [&](double known) {
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

// What else one side shows.
struct Readings {
  bool by_cpu_time = false;                      // else by real time
  std::vector<double> times_ns;                  // that one, of all repetitions
  std::vector<std::vector<double>> invocations;  // a run each: the logarithm of one value an invocation
};

Readings readings_of(const SideEvidence& side, const Metric& metric) {
  Readings readings;
  for (const auto& [run, benchmark, samples] : side.seen) {
    if (benchmark->error) continue;
    const auto made_of = metric_times(metric, *benchmark);
    const bool by_cpu_time = made_of && made_of->of_cpu;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i] == nullptr || run->invocations[i].excluded) continue;
      readings.by_cpu_time = by_cpu_time;
      const auto& times = by_cpu_time ? samples[i]->cpu_time_ns : samples[i]->real_time_ns;
      readings.times_ns.insert(readings.times_ns.end(), times.begin(), times.end());
    }
    std::vector<double> values;
    for (const auto& round : metric_rounds(metric, *benchmark, *run, samples)) values.push_back(round.value);
    if (auto logs = logs_of(values); !logs.empty()) readings.invocations.push_back(std::move(logs));
  }
  return readings;
}

// Values of which most repeat others, as readings of a coarse clock do and continuous times do not.
struct Levels {
  std::size_t distinct = 0;
  double least = std::numeric_limits<double>::infinity();  // distance of two that differ
};

Levels levels_of(std::vector<double> logs) {
  std::ranges::sort(logs);
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

ClockStep clock_step(const SideEvidence& base, const SideEvidence& candidate, const Metric& metric,
                     const ClockTicks& ticks) {
  if (!is_timed(metric)) return {};
  double step =
      step_of(logs_of(repetition_values(base, metric)), logs_of(repetition_values(candidate, metric)));
  Readings of_base = readings_of(base, metric);
  const Readings of_candidate = readings_of(candidate, metric);
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

double rounding_variance(double step) {
  return step * step / 12;
}

}  // namespace tracker::judge
