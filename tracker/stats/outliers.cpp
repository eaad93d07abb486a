#include "tracker/stats/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tracker/stats/distribution.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr double kOutlierError = 0.001;  // of all lists without outliers
constexpr double kSame = 1e-12;          // of values that are equal but for errors of arithmetic
constexpr std::size_t kRestMin = 4;
constexpr std::size_t kOutlierShare = 3;  // one in so many at most

}  // namespace

std::vector<std::size_t> find_outliers(std::span<const double> values, double rounding) {
  const std::size_t outliers_max =
      std::min(values.size() / kOutlierShare, values.size() - std::min(values.size(), kRestMin));
  if (outliers_max == 0) return {};
  const double middle = median(values);
  if (!std::isfinite(middle)) return {};
  std::vector<std::size_t> nearest_first(values.size());
  std::iota(nearest_first.begin(), nearest_first.end(), std::size_t{0});
  std::sort(nearest_first.begin(), nearest_first.end(), [&](std::size_t a, std::size_t b) {
    const double of_a = std::abs(values[a] - middle);
    const double of_b = std::abs(values[b] - middle);
    return of_a < of_b || (of_a == of_b && a < b);
  });
  std::vector<double> sorted;
  sorted.reserve(values.size());
  for (const std::size_t place : nearest_first) sorted.push_back(values[place]);
  for (std::size_t count = outliers_max; count > 0; --count) {
    const std::size_t rest = values.size() - count;
    const auto kept = std::span(sorted).first(rest);
    const auto n = static_cast<double>(rest);
    const double scale = std::sqrt(std::max(variance(kept), rounding) * (1 + 1 / n));
    const double t = std::abs(sorted[rest] - mean(kept)) / scale;
    if (!(scale > kSame * std::abs(middle)) || !(t > student_t_within(1 - kOutlierError / (n + 1), n - 1)))
      continue;
    std::vector<std::size_t> outliers(nearest_first.begin() + static_cast<std::ptrdiff_t>(rest),
                                      nearest_first.end());
    std::sort(outliers.begin(), outliers.end());
    return outliers;
  }
  return {};
}

double variance_factor_without(std::span<const double> values, std::span<const std::size_t> outliers) {
  if (outliers.empty()) return 1;
  std::vector<double> rest;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::find(outliers.begin(), outliers.end(), i) == outliers.end()) rest.push_back(values[i]);
  const auto [least, most] = std::minmax_element(rest.begin(), rest.end());
  std::vector<double> winsorized(values.begin(), values.end());
  for (double& value : winsorized) value = std::clamp(value, *least, *most);
  const double squares = variance(winsorized) * static_cast<double>(values.size() - 1);
  const double own = variance(rest) * static_cast<double>(rest.size() - 1);
  return own > 0 ? std::max(1.0, squares / own) : 1;
}

}  // namespace tracker::stats
