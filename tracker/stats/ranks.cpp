#include "tracker/stats/ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "tracker/stats/level.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr std::size_t kPartMin = 12;  // values
constexpr double kRankError = 0.003;  // that noise makes such a step anywhere in a series
constexpr double kWeakest = 3;        // standard errors of independent values: less is none
constexpr double kErrorsMin = 4;      // of the mean of a part, as far as its noise is known
constexpr std::size_t kTableSize = 2048;

// The normal quantiles of (i + ½) / kTableSize, by Tukey's lambda distribution: within 0.01 of them.
std::array<double, kTableSize> make_quantiles() {
  constexpr double kScale = 4.91;
  constexpr double kPower = 0.14;
  std::array<double, kTableSize> table{};
  for (std::size_t i = 0; i < kTableSize; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(kTableSize);
    table[i] = kScale * (std::pow(share, kPower) - std::pow(1 - share, kPower));
  }
  return table;
}

// Equal values share the middle of their ranks.
std::vector<double> normal_scores(std::span<const double> values) {
  static const std::array<double, kTableSize> quantiles = make_quantiles();
  std::vector<std::pair<double, std::size_t>> sorted;
  sorted.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted.emplace_back(values[i], i);
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> scores(values.size());
  for (std::size_t from = 0; from < sorted.size();) {
    std::size_t to = from;
    while (to < sorted.size() && sorted[to].first == sorted[from].first) ++to;
    const std::size_t place = (from + to) * kTableSize / (2 * sorted.size());
    for (; from < to; ++from) scores[sorted[from].second] = quantiles[std::min(place, kTableSize - 1)];
  }
  return scores;
}

}  // namespace

std::size_t rank_step(std::span<const double> level, double least_noise, double series) {
  if (level.size() < 2 * kPartMin) return 0;
  const std::vector<double> scores = normal_scores(level);
  const auto count = static_cast<double>(scores.size());
  double whole = 0;
  for (const double score : scores) whole += score;
  std::size_t at = 0;
  double largest = kWeakest;
  double sum = 0;
  for (std::size_t i = 0; i + kPartMin < scores.size(); ++i) {
    sum += scores[i];
    const auto before = static_cast<double>(i + 1);
    const double errors =
        std::abs(sum - whole * before / count) * std::sqrt(count / (before * (count - before)));
    if (i + 1 < kPartMin || errors <= largest) continue;
    largest = errors;
    at = i + 1;
  }
  // Where the shortest part allowed is the best one, the true place is farther out, and not for the ranks to
  // find.
  if (at <= kPartMin || at + kPartMin >= scores.size()) return 0;
  const double step = median(level.subspan(at)) - median(level.first(at));
  if (std::abs(step) < kErrorsMin * least_noise / std::sqrt(static_cast<double>(kPartMin))) return 0;
  const double chance =
      compare_levels(level_of(scores, 0, at, 1), level_of(scores, at, scores.size(), 1), 1).chance;
  return chance * series > kRankError ? 0 : at;
}

}  // namespace tracker::stats
