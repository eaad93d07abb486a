#include "tests/changepoints/peers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tracker/stats/summary.hpp"

namespace tracker::changepoints {
namespace {

using stats::Changes;
using Values = std::span<const double>;

Changes changes_at(std::vector<std::size_t> places) {
  std::sort(places.begin(), places.end());
  Changes changes;
  for (const std::size_t at : places) {
    stats::ChangePoint point;
    point.at = point.first = point.last = at;
    changes.points.push_back(point);
  }
  return changes;
}

Changes none(Values /*values*/, Values /*spread*/) {
  return {};
}

// Perfherder's alerts: a t-test of the 12 values from a place on against up to 24 before it, the near ones
// weighing more; a place is a change where t is above 7 and above both neighbours'.
struct Weighted {
  double mean = 0;
  double variance = 0;
  double count = 0;
};

// values[from], values[from + step], …: the first weighs most.
Weighted weigh(Values values, std::size_t from, std::size_t count, bool backwards) {
  Weighted all;
  double weights = 0;
  const auto value = [&](std::size_t i) { return values[backwards ? from - i : from + i]; };
  for (std::size_t i = 0; i < count; ++i) {
    const double weight = 1 - static_cast<double>(i) / static_cast<double>(count);
    all.mean += weight * value(i);
    weights += weight;
  }
  all.mean /= weights;
  for (std::size_t i = 0; i < count; ++i) all.variance += std::pow(value(i) - all.mean, 2);
  all.variance /= static_cast<double>(count - 1);
  all.count = static_cast<double>(count);
  return all;
}

Changes perfherder(Values values, Values /*spread*/) {
  constexpr std::size_t kBackMin = 12;
  constexpr std::size_t kBackMax = 24;
  constexpr std::size_t kFore = 12;
  constexpr double kThreshold = 7;
  std::vector<double> t(values.size(), 0);
  for (std::size_t i = kBackMin; i + kFore <= values.size(); ++i) {
    const Weighted before = weigh(values, i - 1, std::min(i, kBackMax), true);
    const Weighted after = weigh(values, i, kFore, false);
    const double change = std::abs(after.mean - before.mean);
    const double error = std::sqrt(before.variance / before.count + after.variance / after.count);
    t[i] = change > 0 ? change / error : 0;
  }
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i + 1 < values.size(); ++i)
    if (t[i] > kThreshold && t[i] >= t[i - 1] && t[i] > t[i + 1]) places.push_back(i);
  return changes_at(places);
}

// E-divisive (Matteson and James 2014), with the second part always up to the stretch's end, as MongoDB does:
// split where the energy distance between both parts is largest, while fewer than one in twenty shuffles
// reach as much.
struct Split {
  std::size_t at = 0;
  double energy = 0;
};

Split best_split(Values values) {
  constexpr std::size_t kPartMin = 5;
  const std::size_t n = values.size();
  Split best;
  if (n < 2 * kPartMin) return best;
  std::vector<double> to_before(n, 0);  // of value i: the sum of distances to those before it
  std::vector<double> to_after(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = std::abs(values[i] - values[j]);
      to_before[i] += distance;
      to_after[j] += distance;
    }
  double within_before = 0;
  double within_after = 0;
  for (const double sum : to_after) within_after += sum;
  double between = 0;
  for (std::size_t at = 1; at + kPartMin <= n; ++at) {  // value at − 1 joins the first part
    within_before += to_before[at - 1];
    within_after -= to_after[at - 1];
    between += to_after[at - 1] - to_before[at - 1];
    if (at < kPartMin) continue;
    const auto a = static_cast<double>(at);
    const auto b = static_cast<double>(n - at);
    const double energy =
        a * b / (a + b) *
        (2 * between / (a * b) - 2 * within_before / (a * (a - 1)) - 2 * within_after / (b * (b - 1)));
    if (energy > best.energy) best = {at, energy};
  }
  return best;
}

void divide(std::vector<double> values, std::size_t offset, std::mt19937_64& engine,
            std::vector<std::size_t>& places) {
  constexpr int kShuffles = 99;
  constexpr double kLevel = 0.05;
  const Split best = best_split(values);
  if (best.at == 0) return;
  std::vector<double> shuffled = values;
  int as_large = 0;
  for (int i = 0; i < kShuffles && as_large <= kLevel * (kShuffles + 1); ++i) {
    std::shuffle(shuffled.begin(), shuffled.end(), engine);
    if (best_split(shuffled).energy >= best.energy) ++as_large;
  }
  if (as_large + 1 > kLevel * (kShuffles + 1)) return;
  places.push_back(offset + best.at);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(best.at);
  divide({values.begin(), middle}, offset, engine, places);
  divide({middle, values.end()}, offset + best.at, engine, places);
}

Changes e_divisive(Values values, Values /*spread*/) {
  std::mt19937_64 engine(1);
  std::vector<std::size_t> places;
  divide({values.begin(), values.end()}, 0, engine, places);
  return changes_at(places);
}

// Binary segmentation for the mean (Scott and Knott 1974), on values of variance one, with the modified BIC
// (Zhang and Siegmund 2007) and at most five points: the default of the R package changepoint.
Changes binary_segmentation(Values values, Values /*spread*/) {
  constexpr std::size_t kPointsMax = 5;
  const auto n = static_cast<double>(values.size());
  const double deviation = std::sqrt(stats::variance(values));
  std::vector<double> sums{0};
  const double center = stats::mean(values);
  for (const double value : values) sums.push_back(sums.back() + (value - center) / deviation);
  const auto explained = [&](std::size_t from, std::size_t to) {
    return std::pow(sums[to] - sums[from], 2) / static_cast<double>(to - from) -
           std::log(static_cast<double>(to - from));
  };
  std::vector<std::size_t> ends{0, values.size()};
  while (deviation > 0 && ends.size() < kPointsMax + 2) {
    std::size_t at = 0;
    double gain = 3 * std::log(n);
    for (std::size_t s = 0; s + 1 < ends.size(); ++s)
      for (std::size_t i = ends[s] + 1; i < ends[s + 1]; ++i) {
        const double now =
            explained(ends[s], i) + explained(i, ends[s + 1]) - explained(ends[s], ends[s + 1]);
        if (now > gain) {
          gain = now;
          at = i;
        }
      }
    if (at == 0) break;
    ends.insert(std::upper_bound(ends.begin(), ends.end(), at), at);
  }
  return changes_at({ends.begin() + 1, ends.end() - 1});
}

}  // namespace

std::vector<stats::Detector> scored_detectors() {
  std::vector<stats::Detector> all{{"says nothing", "no point, ever", none}};
  all.insert(all.end(), stats::detectors().begin(), stats::detectors().end());
  all.push_back({"Perfherder-like t",
                 "t of 12 values against the 12 to 24 before, the near ones weighing more, above 7",
                 perfherder});
  all.push_back({"E-divisive",
                 "energy distance, 99 shuffles, p ≤ .05, parts of 5 and more (Matteson, James 2014)",
                 e_divisive});
  all.push_back(
      {"binary segmentation", "for the mean, MBIC, at most 5 points (R's changepoint)", binary_segmentation});
  return all;
}

std::size_t length_max(const stats::Detector& detector) {
  constexpr std::size_t kSquareMax = 1000;
  return detector.find == e_divisive ? kSquareMax : std::numeric_limits<std::size_t>::max();
}

}  // namespace tracker::changepoints
