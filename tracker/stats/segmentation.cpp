#include "tracker/stats/segmentation.hpp"

#include <algorithm>
#include <array>

#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr double kGridStep = 0.25;  // of a deviation: finer levels change no partition
constexpr std::size_t kLevelsMax = 256;
constexpr std::size_t kReach = 2;  // values on each side of one, whose median is a level that may be meant

// Medians of neighbours: where the series dwells. Levels a spike reaches alone are not among them.
std::vector<float> levels_of(std::span<const double> values, double deviation) {
  std::vector<double> medians;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t from = i > kReach ? i - kReach : 0;
    const std::size_t to = std::min(values.size(), i + kReach + 1);
    std::array<double, 2 * kReach + 1> near{};
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(from),
              values.begin() + static_cast<std::ptrdiff_t>(to), near.begin());
    const auto middle = near.begin() + static_cast<std::ptrdiff_t>((to - from) / 2);
    std::nth_element(near.begin(), middle, near.begin() + static_cast<std::ptrdiff_t>(to - from));
    medians.push_back(*middle);
  }
  std::sort(medians.begin(), medians.end());
  std::vector<float> levels;
  double last = 0;
  for (const double value : medians) {
    if (!levels.empty() && value - last < kGridStep * deviation) continue;
    last = value;
    levels.push_back(static_cast<float>(value / deviation));
  }
  if (levels.size() <= kLevelsMax) return levels;
  std::vector<float> thinned;
  for (std::size_t i = 0; i < kLevelsMax; ++i)
    thinned.push_back(levels[i * (levels.size() - 1) / (kLevelsMax - 1)]);
  return thinned;
}

}  // namespace

std::vector<std::size_t> partition(std::span<const double> values, const PartitionCost& cost) {
  if (values.empty()) return {};
  const double center = median(values);  // keeps the numbers small
  std::vector<double> centered;
  for (const double value : values) centered.push_back(value - center);
  const std::vector<float> levels = levels_of(centered, cost.deviation);
  const std::size_t count = levels.size();
  std::vector<float> costs(count, 0);  // of the best segmentation up to here whose newest level is this one
  std::vector<int> starts(count, 0);   // where that level began
  std::vector<int> start_at(values.size());
  const auto bound = static_cast<float>(cost.bound * cost.bound);
  const auto penalty = static_cast<float>(cost.penalty);
  float least = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(centered[i] / cost.deviation);
    const float change = least + penalty;
    const int now = static_cast<int>(i);
    for (std::size_t l = 0; l < count; ++l) {
      const bool other = costs[l] > change;
      const float distance = value - levels[l];
      starts[l] = other ? now : starts[l];
      costs[l] = (other ? change : costs[l]) + std::min(distance * distance, bound);
    }
    const auto best = std::min_element(costs.begin(), costs.end());
    start_at[i] = starts[static_cast<std::size_t>(best - costs.begin())];
    least = *best;
    for (auto& one : costs) one -= least;  // only differences count, and floats stay exact enough
    least = 0;
  }
  std::vector<std::size_t> places;
  for (auto start = static_cast<std::size_t>(start_at.back()); start > 0;
       start = static_cast<std::size_t>(start_at[start - 1]))
    places.push_back(start);
  std::reverse(places.begin(), places.end());
  return places;
}

}  // namespace tracker::stats
