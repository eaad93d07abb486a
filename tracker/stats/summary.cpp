#include "tracker/stats/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "tracker/stats/distribution.hpp"

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

double slope_between(std::span<const double> x, std::span<const double> y, double slope_min,
                     double slope_max) {
  const double mean_x = mean(x);
  const double mean_y = mean(y);
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    squares += (x[i] - mean_x) * (x[i] - mean_x);
    products += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return squares > 0 ? std::clamp(products / squares, slope_min, slope_max) : 0;
}

}  // namespace tracker::stats
