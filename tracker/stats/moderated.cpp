#include "tracker/stats/moderated.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tracker/stats/distribution.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {
// Below so many benchmarks the spread of their variances cannot be told from chance.
constexpr std::size_t kBenchmarksMin = 5;
}  // namespace

// If s² ~ s0² F(d, d0), then log s² has mean log s0² + ψ(d/2) − log(d/2) − ψ(d0/2) + log(d0/2) and variance
// ψ'(d/2) + ψ'(d0/2): both moments are matched.
Variance fit_usual_variance(std::span<const Variance> observed) {
  std::vector<double> logs;
  double expected = 0;
  for (const auto& one : observed) {
    if (!(one.value > 0) || !(one.degrees > 0)) continue;
    const double half = one.degrees / 2;
    logs.push_back(std::log(one.value) - digamma(half) + std::log(half));
    expected += trigamma(half);
  }
  if (logs.size() < kBenchmarksMin) return {};
  expected /= static_cast<double>(logs.size());
  const double excess = variance(logs) - expected;
  double value = std::exp(mean(logs));  // where they differ by no more than chance
  double degrees = kUsualDegreesMax;
  if (excess > 0) {
    const double half = trigamma_inverse(excess);
    value *= std::exp(digamma(half) - std::log(half));
    degrees = std::min(2 * half, kUsualDegreesMax);
  }
  return {value, degrees};
}

bool is_louder(const Variance& own, const Variance& usual) {
  if (!(own.value > usual.value)) return false;
  if (!(usual.value > 0)) return true;
  return fisher_f_above(own.value / usual.value, own.degrees, usual.degrees) < 0.05;
}

Variance moderate(const Variance& own, const Variance& usual) {
  const double degrees = own.degrees + usual.degrees;
  if (!(degrees > 0)) return own;
  return {(own.degrees * own.value + usual.degrees * usual.value) / degrees, degrees};
}

}  // namespace tracker::stats
