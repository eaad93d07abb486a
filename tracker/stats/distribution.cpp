#include "tracker/stats/distribution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

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
