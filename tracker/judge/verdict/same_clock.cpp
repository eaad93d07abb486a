#include "tracker/judge/verdict/same_clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tracker/protocol/context_keys.hpp"
#include "tracker/stats/distribution.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
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

// Of the rounds, in their order; nothing where one of them lacks it.
std::optional<std::vector<double>> clocks_in(const std::vector<int>& rounds, const ClockByRound& by_round) {
  std::vector<double> clocks;
  for (const int round : rounds) {
    const auto found = by_round.find(round);
    if (found == by_round.end()) return {};
    clocks.push_back(found->second);
  }
  return clocks;
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return differences;
}

void remove_at(std::vector<double>& values, const std::vector<std::size_t>& places) {
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(*place));
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

// Leaves the values at the mean clock of both sides.
std::optional<ClockEffect> take_out_clock(Evidence& base, Evidence& candidate, const ClockByRound& base_clock,
                                          const ClockByRound& candidate_clock, const Gate& gate,
                                          double step) {
  const auto limits = slope_limits(gate.metric);
  const auto& rounds = base.rounds_by_job.front();
  const auto of_base = clocks_in(rounds, base_clock);
  const auto of_candidate = clocks_in(rounds, candidate_clock);
  if (!limits || rounds.size() < kSameClockPairsMin || !of_base || !of_candidate) return {};
  const auto clocks = minus(*of_candidate, *of_base);
  const double least = kScatterMin * gate.threshold;
  const bool differ = differs_from_zero(clocks);
  const bool differ_much = differ && std::abs(stats::mean(clocks)) >= least;
  if (std::sqrt(stats::variance(clocks)) < least && !differ_much) return {};
  const double mean_base = stats::mean(*of_base);
  const double mean_candidate = stats::mean(*of_candidate);
  ClockEffect effect{.base_mhz = std::exp(mean_base), .candidate_mhz = std::exp(mean_candidate)};
  if (differ) return effect;
  effect.taken_out = true;
  auto& base_logs = base.logs_by_job.front();
  auto& candidate_logs = candidate.logs_by_job.front();
  const double slope =
      robust_slope(clocks, minus(candidate_logs, base_logs), *limits, 2 * rounding_variance(step));
  const double usual = (mean_base + mean_candidate) / 2;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    base_logs[i] -= slope * ((*of_base)[i] - usual);
    candidate_logs[i] -= slope * ((*of_candidate)[i] - usual);
  }
  return effect;
}

}  // namespace

double common_mhz(const ClockEffect& effect) {
  return std::sqrt(effect.base_mhz * effect.candidate_mhz);
}

ClockByRound core_clocks_of(Runs runs, const std::string& benchmark) {
  return logs_by_round(evidence_of(runs, benchmark, find_metric(counter_name::kCoreClock)));
}

ClockedContrast contrast_at_same_clock(Evidence& base, Evidence& candidate, const ClockByRound& base_clock,
                                       const ClockByRound& candidate_clock, const Gate& gate, double step,
                                       const OrderByRound& order) {
  ClockedContrast clocked;
  clocked.effect = take_out_clock(base, candidate, base_clock, candidate_clock, gate, step);
  clocked.contrast = paired_contrast(base, candidate, step, order);
  if (!clocked.effect || !clocked.effect->taken_out) return clocked;
  const auto& rounds = base.rounds_by_job.front();  // without those of outliers
  count_slope(clocked.contrast, minus(*clocks_in(rounds, candidate_clock), *clocks_in(rounds, base_clock)));
  return clocked;
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

}  // namespace tracker
