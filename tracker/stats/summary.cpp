#include "tracker/stats/summary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

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
  if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) return kNone;
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
  std::ranges::sort(nearest_first, [&](std::size_t a, std::size_t b) {
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
    std::ranges::sort(outliers);
    return outliers;
  }
  return {};
}

double variance_factor_without(std::span<const double> values, std::span<const std::size_t> outliers) {
  if (outliers.empty()) return 1;
  std::vector<double> rest;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::ranges::find(outliers, i) == outliers.end()) rest.push_back(values[i]);
  const auto [least, most] = std::ranges::minmax_element(rest);
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

namespace tracker::stats {
namespace {

// Long doubles are five times as slow, and a verdict needs no more than ten digits. A fraction of a degree of
// freedom has tails beyond every double: infinity is the answer then.
using Policy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

double student_t_quantile(double confidence, double degrees) {
  const double tail = (1 - confidence) / 2;
  if (std::isinf(degrees) || degrees > 1e6)
    return boost::math::quantile(boost::math::complement(boost::math::normal(), tail));
  const boost::math::students_t_distribution<double, Policy> student(degrees);
  return boost::math::quantile(boost::math::complement(student, tail));
}

}  // namespace

// A history asks for the same few again and again, and each takes a microsecond.
double student_t_within(double confidence, double degrees) {
  struct Known {
    double confidence = 0;
    double degrees = 0;
    double value = 0;
  };
  thread_local std::array<Known, 64> known;
  const auto bits = std::bit_cast<std::uint64_t>(degrees) ^ std::bit_cast<std::uint64_t>(confidence);
  Known& one = known[(bits * 0x9E3779B97F4A7C15ULL) >> 58U];
  if (one.confidence != confidence || one.degrees != degrees)
    one = {confidence, degrees, student_t_quantile(confidence, degrees)};
  return one.value;
}

double fisher_f_above(double ratio, double numerator_degrees, double denominator_degrees) {
  const boost::math::fisher_f_distribution<double, Policy> distribution(numerator_degrees,
                                                                        denominator_degrees);
  return boost::math::cdf(boost::math::complement(distribution, ratio));
}

// The tail is the incomplete beta function I_p(k, n − k + 1), and so is that of an F.
double binomial_at_least(int successes, int trials, double chance) {
  if (!(chance > 0) || chance >= 1) return chance >= 1 ? 1 : 0;
  const double above = successes;
  const double below = trials - successes + 1;
  return fisher_f_above((1 - chance) * above / (chance * below), 2 * below, 2 * above);
}

double log_gamma(double x) {
  return boost::math::lgamma(x, Policy());
}

double digamma(double x) {
  return boost::math::digamma(x, Policy());
}
double trigamma(double x) {
  return boost::math::trigamma(x, Policy());
}

// Newton's method on 1/trigamma, which is nearly linear: Smyth (2004), appendix; converges from below.
double trigamma_inverse(double value) {
  if (value > 1e7) return 1 / std::sqrt(value);
  if (value < 1e-6) return 1 / value;
  double x = 0.5 + 1 / value;
  for (int step = 0; step < 50; ++step) {
    const double now = trigamma(x);
    const double change = now * (1 - now / value) / boost::math::polygamma(2, x, Policy());
    x += change;
    if (-change / x < 1e-10) break;
  }
  return x;
}

// p^a (1 − p)^b is largest at p = a / (a + b).
double chance_of_a_mode_each(double first, double second) {
  const double all = first + second;
  return std::exp(first * std::log(first / all) + second * std::log(second / all));
}

double chance_of_unseen_mode(double first, int second, int seen) {
  const auto at = [&](double share) {
    return std::exp(first * std::log1p(-share)) * binomial_at_least(seen, second, share);
  };
  // It rises and then falls with the share.
  double low = 0;
  double high = 1;
  constexpr double kPrecision = 1e-3;
  while (high - low > kPrecision * high) {
    const double third = (high - low) / 3;
    if (at(low + third) < at(high - third))
      low += third;
    else
      high -= third;
  }
  return at((low + high) / 2);
}

Shares share_of_mode(int seen, int all, double confidence) {
  const double error = (1 - confidence) / 2;
  const auto share_at = [&](int at_least, double chance) {
    double low = 0;
    double high = 1;
    constexpr int kSteps = 50;
    for (int step = 0; step < kSteps; ++step) {
      const double middle = (low + high) / 2;
      (binomial_at_least(at_least, all, middle) < chance ? low : high) = middle;
    }
    return (low + high) / 2;
  };
  return {share_at(seen, error), share_at(seen + 1, 1 - error)};
}

}  // namespace tracker::stats
