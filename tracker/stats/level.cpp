#include "tracker/stats/level.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tracker/stats/distribution.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr double kUsualDegrees = 4;  // of the series' noise, beside what the two levels show
constexpr double kKnownMax = 25;     // values that a level is known by at most
constexpr double kInflationMax = 20;
constexpr double kCorrelationMax = 0.95;
constexpr double kLevelError = 0.03;  // that noise makes a step anywhere in a series
constexpr double kDoubtedFrom = 30;   // values: of fewer, the doubt is less
constexpr double kTowardsNone = 8;    // values without correlation, beside those that are seen
constexpr double kLevelConfidence = 0.95;
constexpr std::size_t kOwnSpreadMin = 8;  // values that tell a level's own spread
constexpr double kPlaceCost = 7.35;
constexpr double kPlaceBound = 4;  // deviations: what one value can say of the place
constexpr double kRounding = 1e-12;
constexpr double kQuietest = 0.25;  // of the series' variance: no two levels are taken to be quieter

double place_cost(double residual, double noise) {
  return std::min(residual * residual / (noise * noise), kPlaceBound * kPlaceBound);
}

}  // namespace

double difference_noise(std::span<const double> values) {
  // Quartiles of the absolute value of a standard normal.
  constexpr double kMiddle = 0.6745;
  constexpr double kUpper = 1.1503;
  std::vector<double> differences;
  for (std::size_t i = 1; i < values.size(); ++i) differences.push_back(std::abs(values[i] - values[i - 1]));
  if (differences.empty()) return 0;
  const auto at = [&](double share) {
    const auto place = differences.begin() +
                       static_cast<std::ptrdiff_t>(share * static_cast<double>(differences.size() - 1));
    std::nth_element(differences.begin(), place, differences.end());
    return *place;
  };
  return std::max(at(0.5) / kMiddle, at(0.75) / kUpper) / std::sqrt(2.0);
}

double correlation_of(double squares, double lagged, double count) {
  const double seen = squares > 0 ? lagged / squares : 0;
  // Two levels take as much of it (Marriott and Pope 1954, "Bias in the estimation of autocorrelations"), and
  // it is known to about a standard error only: short series are to be doubted, though not so much that the
  // shortest show nothing.
  const double taken = 2 * (1 + 3 * std::max(0.0, seen)) / count;
  const double doubt =
      std::sqrt(std::max(0.0, 1 - seen * seen) / count) * std::min(1.0, count / kDoubtedFrom);
  return std::clamp(seen * count / (count + kTowardsNone) + taken + doubt, 0.0, kCorrelationMax);
}

double variance_of_mean(double count, double correlation) {
  const double rest = 1 - correlation;
  const double inflation =
      (1 + correlation) / rest - 2 * correlation * (1 - std::pow(correlation, count)) / (count * rest * rest);
  return std::min(kInflationMax, inflation) / count;
}

double bounded_cost(double residual, double noise) {
  return std::min(residual * residual / (noise * noise), kBound * kBound);
}

Level level_of(std::span<const double> values, std::size_t from, std::size_t to, double noise) {
  Level level;
  level.from = from;
  level.to = to;
  const auto own = values.subspan(from, to - from);
  const double center = median(own);
  const double spread = own.size() >= kOwnSpreadMin ? robust_deviation(own) : 0;
  const double reach = kBound * std::max(noise, spread);
  double sum = 0;
  for (const double value : own) sum += std::clamp(value, center - reach, center + reach);
  level.middle = sum / level.count();
  double before = 0;
  double place = (1 - level.count()) / 2;
  for (const double value : own) {
    const double residual = std::clamp(value, center - reach, center + reach) - level.middle;
    level.squares += residual * residual;
    level.lagged += residual * before;
    level.tilted += residual * place;
    place += 1;
    level.cost += bounded_cost(value - level.middle, noise);
    before = residual;
  }
  return level;
}

LevelChange compare_levels(const Level& before, const Level& after, double noise) {
  const double degrees = before.count() + after.count() - 2 + kUsualDegrees;
  const double usual = noise * noise;
  const double variance =
      std::max(usual * kQuietest, (before.squares + after.squares + kUsualDegrees * usual) / degrees);
  // What rounding leaves of equal values follows itself, and says nothing.
  const double squares = before.squares + after.squares;
  const double correlation = correlation_of(squares > kRounding * usual ? squares : 0,
                                            before.lagged + after.lagged, before.count() + after.count());
  const auto share = [&](double count) {
    return std::max(1 / kKnownMax, variance_of_mean(count, correlation));
  };
  const double error = variance * (share(before.count()) + share(after.count()));
  const double effective = std::max(2.0, degrees * (1 - correlation) / (1 + correlation));
  LevelChange result;
  result.change = after.middle - before.middle;
  result.half_width = std::sqrt(error) * student_t_within(kLevelConfidence, effective);
  result.chance = fisher_f_above(result.change * result.change / error, 1, effective);
  return result;
}

void take_back_weak(std::span<const double> values, double noise, std::vector<Level>& levels) {
  const double limit = kLevelError / static_cast<double>(values.size());
  const auto chance_at = [&](std::size_t i) {  // of the change from level i to the next
    if (levels[i + 1].to - levels[i + 1].from < kSettledLength) return 1.0;
    return compare_levels(levels[i], levels[i + 1], noise).chance;
  };
  std::vector<double> chances;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) chances.push_back(chance_at(i));
  while (!chances.empty()) {
    const auto weakest = std::max_element(chances.begin(), chances.end());
    if (*weakest <= limit) return;
    const auto i = weakest - chances.begin();
    const auto at = static_cast<std::size_t>(i);
    levels[at] = level_of(values, levels[at].from, levels[at + 1].to, noise);
    levels.erase(levels.begin() + i + 1);
    chances.erase(weakest);
    if (at > 0) chances[at - 1] = chance_at(at - 1);
    if (at < chances.size()) chances[at] = chance_at(at);
  }
}

PlaceInterval place_interval(std::span<const double> values, const Level& before, const Level& after,
                             double noise) {
  PlaceInterval places{after.from, after.from};
  // What it costs more to change at another place, walking away from the likeliest one.
  double more = 0;
  for (std::size_t i = after.from; i + 1 < after.to; ++i) {  // value i would be of the level before
    more += place_cost(values[i] - before.middle, noise) - place_cost(values[i] - after.middle, noise);
    if (more <= kPlaceCost) places.last = i + 1;
    if (more > 2 * kPlaceCost) break;
  }
  more = 0;
  for (std::size_t i = before.to; i-- > before.from + 1;) {  // value i would be of the level after
    more += place_cost(values[i] - after.middle, noise) - place_cost(values[i] - before.middle, noise);
    if (more <= kPlaceCost) places.first = i;
    if (more > 2 * kPlaceCost) break;
  }
  return places;
}

}  // namespace tracker::stats
