#include "tracker/stats/season.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/stats/distribution.hpp"
#include "tracker/stats/level.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr std::size_t kPeriodMax = 60;
constexpr std::size_t kTimesMin = 4;     // that a season is seen
constexpr double kSeasonError = 1e-5;    // that values without a season show one
constexpr double kDifferenceMax = 4;     // deviations: farther differences are steps and spikes
constexpr double kQuieterWithout = 0.9;  // times the noise: a season that explains less is none

// Differences of neighbours, without what is too large to be of a season, with the remainders' places.
struct Differences {
  std::vector<double> values;
  std::vector<std::size_t> places;
};

Differences differences_of(std::span<const double> values, std::span<const std::size_t> places) {
  Differences all;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (places[i] != places[i - 1] + 1) continue;
    all.values.push_back(values[i] - values[i - 1]);
    all.places.push_back(places[i]);
  }
  if (all.values.empty()) return all;
  const double center = median(all.values);
  const double reach = kDifferenceMax * robust_deviation(all.values);
  for (double& value : all.values) value = std::clamp(value, center - reach, center + reach);
  return all;
}

// The part of the squares that phases explain, of one period.
double explained_by(const Differences& differences, std::size_t period, double center) {
  std::vector<double> sums(period, 0);
  std::vector<double> counts(period, 0);
  std::size_t phase = differences.places.front() % period;
  std::size_t next = differences.places.front();
  for (std::size_t i = 0; i < differences.values.size(); ++i, ++phase, ++next) {
    if (differences.places[i] != next) {
      next = differences.places[i];
      phase = next;
    }
    if (phase >= period) phase %= period;
    sums[phase] += differences.values[i] - center;
    counts[phase] += 1;
  }
  double explained = 0;
  for (std::size_t i = 0; i < period; ++i)
    if (counts[i] > 0) explained += sums[i] * sums[i] / counts[i];
  return explained;
}

// The period whose phases explain most for their number; 0 where chance explains as much.
std::size_t best_period(const Differences& differences) {
  const auto count = static_cast<double>(differences.values.size());
  const double center = mean(differences.values);
  double squares = 0;
  for (const double value : differences.values) squares += (value - center) * (value - center);
  const std::size_t longest = std::min(kPeriodMax, differences.values.size() / kTimesMin);
  std::size_t best = 0;
  double best_explained = 0;
  double least = count * std::log(squares / count);
  for (std::size_t period = 2; period <= longest; ++period) {
    const double explained = explained_by(differences, period, center);
    const auto phases = static_cast<double>(period);
    const double rest = std::max(squares - explained, 1e-12 * squares);
    const double cost = count * std::log(rest / count) + (phases - 1) * std::log(count);
    if (cost >= least) continue;
    least = cost;
    best = period;
    best_explained = explained;
  }
  if (best == 0) return 0;
  const auto phases = static_cast<double>(best);
  const double rest = std::max(squares - best_explained, 1e-12 * squares);
  // Differences of independent values have no slow part, so that the phases share their squares without it.
  const double ratio = best_explained / phases / (rest / (count - phases));
  const double chance = fisher_f_above(ratio, phases - 1, count - phases) * static_cast<double>(longest);
  return chance <= kSeasonError ? best : 0;
}

// The median of each phase about a moving mean over one period.
std::vector<double> shape_of(std::span<const double> values, std::span<const std::size_t> places,
                             std::size_t period) {
  std::vector<std::vector<double>> phases(period);
  std::vector<double> sums{0};
  for (const double value : values) sums.push_back(sums.back() + value);
  const std::size_t half = period / 2;
  for (std::size_t i = half; i + half < values.size(); ++i) {
    if (places[i + half] - places[i - half] != 2 * half) continue;  // a gap
    // Over an even period both ends count half.
    const double whole = sums[i + half + 1] - sums[i - half];
    const double ends = period % 2 == 0 ? (values[i - half] + values[i + half]) / 2 : 0;
    phases[places[i] % period].push_back(values[i] - (whole - ends) / static_cast<double>(period));
  }
  std::vector<double> offsets;
  for (const auto& phase : phases) {
    if (phase.size() + 1 < kTimesMin) return {};
    offsets.push_back(median(phase));
  }
  const double center = median(offsets);
  for (double& offset : offsets) offset -= center;
  return offsets;
}

}  // namespace

Season find_season(std::span<const double> values, std::span<const std::size_t> places) {
  const Differences differences = differences_of(values, places);
  if (differences.values.size() < 2 * kTimesMin) return {};
  if (!(variance(differences.values) > 0)) return {};
  const std::size_t period = best_period(differences);
  if (period == 0) return {};
  Season season{period, shape_of(values, places, period)};
  if (season.offsets.empty()) return {};
  std::vector<double> rest;
  for (std::size_t i = 0; i < values.size(); ++i)
    rest.push_back(values[i] - season.offsets[places[i] % period]);
  if (difference_noise(rest) > kQuieterWithout * difference_noise(values)) return {};
  return season;
}

}  // namespace tracker::stats
