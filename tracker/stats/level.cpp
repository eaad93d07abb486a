#include "tracker/stats/level.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

// The variance of a mean of so many values, as a multiple of one value's, where neighbours correlate and the
// others by way of them.
double variance_of_mean(double count, double correlation) {
  const double rest = 1 - correlation;
  const double inflation =
      (1 + correlation) / rest - 2 * correlation * (1 - std::pow(correlation, count)) / (count * rest * rest);
  return std::min(kInflationMax, inflation) / count;
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
    const auto weakest = std::ranges::max_element(chances);
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

namespace {

constexpr std::size_t kNewestMax = 8;
constexpr std::size_t kBeforeMax = 1000;  // values before that are asked: the level's newest
constexpr double kNewestError = 0.008;
constexpr double kBeyond = 1.15;  // times as far as stretches of the level before
// One value alone is a spike in most histories: it has to be farther away than two.
constexpr double kBeyondLone = 2;
constexpr double kLoneDeviations = 7;
constexpr double kRowError = 0.02;     // that values of the level come so far out in a row by chance
constexpr std::size_t kOddEvery = 30;  // values of a level, for each stretch of it that is taken to be odd
constexpr std::size_t kOddLoneEvery = 60;  // likewise, for each value
constexpr double kRunDegrees = 4;
constexpr double kRunDegreesMax = 60;

constexpr std::size_t kLevelMin = 15;
constexpr double kFar = 4;           // deviations: a mark
constexpr double kMarksInRun = 0.9;  // the share of a run's values that are marked
constexpr double kMarksMax = 0.4;    // of a level: more, and they are the level
constexpr double kRunError = 1e-7;   // so little because loud stretches have many of their own

// How far all of these values lie on this side of the center.
double least_distance(std::span<const double> values, double center, double side) {
  double least = std::numeric_limits<double>::infinity();
  for (const double value : values) least = std::min(least, side * (value - center));
  return least;
}

// How far out a level's stretches of `length` values come, but the oddest of them: at each of one or more
// places, as the level may have had a short shift of its own.
double usual_reach(std::span<const double> level, std::size_t length, double center, double side) {
  std::vector<double> reaches;
  for (std::size_t i = 0; i + length <= level.size(); ++i)
    reaches.push_back(least_distance(level.subspan(i, length), center, side));
  for (std::size_t odd = level.size() / (length == 1 ? kOddLoneEvery : kOddEvery);
       odd > 0 && !reaches.empty(); --odd) {
    const auto most = std::ranges::max_element(reaches);
    const auto around = static_cast<std::ptrdiff_t>(length) - 1;
    std::fill(most - std::min(around, most - reaches.begin()),
              most + std::min(around, reaches.end() - 1 - most) + 1, 0);
  }
  return reaches.empty() ? 0 : std::max(0.0, *std::ranges::max_element(reaches));
}

struct Run {
  std::size_t from = 0;
  std::size_t to = 0;
};

std::vector<Run> runs_of_marks(const std::vector<bool>& marked, double share, double needed) {
  const double gain = std::log(kMarksInRun / share);
  const double loss = std::log((1 - share) / (1 - kMarksInRun));
  std::vector<Run> runs;
  Run run;
  double score = 0;
  double best = 0;
  for (std::size_t i = 0; i <= marked.size(); ++i) {
    if (i < marked.size() && marked[i]) {
      if (score <= 0) {
        run.from = i;
        best = score = 0;
      }
      score += gain;
      if (score > best) {
        best = score;
        run.to = i + 1;
      }
      continue;
    }
    score -= loss;
    if (i < marked.size() && score > 0 && score > best - needed) continue;
    if (best > needed && run.to - run.from >= kSettledLength) runs.push_back(run);
    best = score = 0;
  }
  return runs;
}

}  // namespace

std::size_t newest_run(std::span<const double> level, double noise, std::size_t before_min) {
  if (level.size() > kBeforeMax + kNewestMax) level = level.last(kBeforeMax + kNewestMax);
  std::size_t longest = 0;
  double strength = 1;
  for (std::size_t k = 1; k <= kNewestMax && level.size() >= k + before_min; ++k) {
    const auto before = level.first(level.size() - k);
    const double center = median(before);
    const double side = level.back() > center ? 1 : -1;
    const double reach = least_distance(level.last(k), center, side);
    const auto count = static_cast<double>(before.size());
    const auto as_far =
        std::ranges::count_if(before, [&](double value) { return side * (value - center) >= reach; });
    if (std::pow(static_cast<double>(as_far) / count, static_cast<double>(k)) > kRowError) continue;
    const double degrees = std::min(kRunDegreesMax, count - 1 + kRunDegrees);
    const Level sums = level_of(before, 0, before.size(), noise);
    const double correlation = correlation_of(sums.squares, sums.lagged, count);
    const double error = std::max(noise, robust_deviation(before)) *
                         std::sqrt(variance_of_mean(static_cast<double>(k), correlation) +
                                   variance_of_mean(count, correlation));
    const double deviations = student_t_within(1 - kNewestError, degrees);
    const double noise_reach = error * (k == 1 ? std::max(deviations, kLoneDeviations) : deviations);
    const double usual = usual_reach(before, k, center, side) * (k == 1 ? kBeyondLone : kBeyond);
    const double now = reach / std::max(usual, noise_reach);
    if (now > strength) {
      strength = now;
      longest = k;
    }
  }
  return longest;
}

std::vector<std::size_t> excursions(std::span<const double> level, double noise, std::size_t series) {
  std::vector<std::size_t> places;
  if (level.size() < kLevelMin) return places;
  const double center = median(level);
  const double reach = kFar * std::max(noise, robust_deviation(level));
  const double needed = std::log(static_cast<double>(series) / kRunError);
  for (const double side : {1.0, -1.0}) {
    std::vector<bool> marked;
    for (const double value : level) marked.push_back(side * (value - center) > reach);
    const auto marks = static_cast<double>(std::ranges::count(marked, true));
    const double share = (marks + 1) / (static_cast<double>(level.size()) + 2);
    if (marks == 0 || share > kMarksMax) continue;
    for (const auto& run : runs_of_marks(marked, share, needed)) {
      if (run.from > 0) places.push_back(run.from);
      if (run.to < level.size()) places.push_back(run.to);
    }
  }
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace tracker::stats
