#include "tracker/stats/runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tracker/stats/change_points.hpp"
#include "tracker/stats/distribution.hpp"
#include "tracker/stats/level.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
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
constexpr double kDegreesMax = 60;

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
    const auto most = std::max_element(reaches.begin(), reaches.end());
    const auto around = static_cast<std::ptrdiff_t>(length) - 1;
    std::fill(most - std::min(around, most - reaches.begin()),
              most + std::min(around, reaches.end() - 1 - most) + 1, 0);
  }
  return reaches.empty() ? 0 : std::max(0.0, *std::max_element(reaches.begin(), reaches.end()));
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
    const auto as_far = std::count_if(before.begin(), before.end(),
                                      [&](double value) { return side * (value - center) >= reach; });
    if (std::pow(static_cast<double>(as_far) / count, static_cast<double>(k)) > kRowError) continue;
    const double degrees = std::min(kDegreesMax, count - 1 + kRunDegrees);
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
    const auto marks = static_cast<double>(std::count(marked.begin(), marked.end(), true));
    const double share = (marks + 1) / (static_cast<double>(level.size()) + 2);
    if (marks == 0 || share > kMarksMax) continue;
    for (const auto& run : runs_of_marks(marked, share, needed)) {
      if (run.from > 0) places.push_back(run.from);
      if (run.to < level.size()) places.push_back(run.to);
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace tracker::stats
