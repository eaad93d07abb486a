#include "tracker/stats/modes.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/stats/distribution.hpp"

namespace tracker::stats {

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
