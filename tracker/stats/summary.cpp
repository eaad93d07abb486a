#include "tracker/stats/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace tracker::stats {
namespace {
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
}

double mean(std::span<const double> values) {
  if (values.empty()) return kNone;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::span<const double> values) {
  if (values.empty()) return kNone;
  // NaN has no place in an order: sorting it would be undefined.
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) return kNone;
  // Most lists are those of some repetitions or invocations: they need no memory of their own.
  constexpr std::size_t kFew = 16;
  std::array<double, kFew> few;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  std::vector<double> many;
  if (values.size() > kFew) many.resize(values.size());
  const auto sorted = many.empty() ? std::span(few).first(values.size()) : std::span(many);
  std::copy(values.begin(), values.end(), sorted.begin());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  if (sorted.size() % 2 == 1) return *middle;
  return *middle / 2 + *std::max_element(sorted.begin(), middle) / 2;
}

double variance(std::span<const double> values) {
  if (values.size() < 2) return kNone;
  const double center = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - center) * (value - center);
  return sum / static_cast<double>(values.size() - 1);
}

double robust_deviation(std::span<const double> values) {
  const double center = median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - center));
  return 1.4826 * median(distances);
}

std::vector<double> shortened(std::span<const double> values, std::size_t count) {
  if (values.size() <= count) return {values.begin(), values.end()};
  if (count == 0) return {};
  std::vector<double> kept;
  const std::size_t older = values.size() - 1;
  const std::size_t stretches = count - 1;
  for (std::size_t i = 0; i < stretches; ++i) {
    const std::size_t from = i * older / stretches;
    kept.push_back(median(values.subspan(from, (i + 1) * older / stretches - from)));
  }
  kept.push_back(values.back());
  return kept;
}

}  // namespace tracker::stats
