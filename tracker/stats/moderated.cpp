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

// The logarithms of variances, with what chance alone makes of them.
struct LogVariances {
  std::vector<double> logs;  // without the bias that their degrees give them
  double by_chance = 0;      // their variance where all have one true value
};

LogVariances log_variances(std::span<const Variance> observed) {
  LogVariances all;
  for (const auto& one : observed) {
    if (!(one.value > 0) || !(one.degrees > 0)) continue;
    const double half = one.degrees / 2;
    all.logs.push_back(std::log(one.value) - digamma(half) + std::log(half));
    all.by_chance += trigamma(half);
  }
  if (!all.logs.empty()) all.by_chance /= static_cast<double>(all.logs.size());
  return all;
}

}  // namespace

// If s² ~ s0² F(d, d0), then log s² has mean log s0² + ψ(d/2) − log(d/2) − ψ(d0/2) + log(d0/2) and variance
// ψ'(d/2) + ψ'(d0/2): both moments are matched.
Variance fit_usual_variance(std::span<const Variance> observed) {
  const LogVariances all = log_variances(observed);
  if (all.logs.size() < kBenchmarksMin) return {};
  const double excess = variance(all.logs) - all.by_chance;
  double value = std::exp(mean(all.logs));  // where they differ by no more than chance
  double degrees = kUsualDegreesMax;
  if (excess > 0) {
    const double half = trigamma_inverse(excess);
    value *= std::exp(digamma(half) - std::log(half));
    degrees = std::min(2 * half, kUsualDegreesMax);
  }
  return {value, degrees};
}

Variance fit_usual_share(std::span<const Variance> shares, double degrees_max) {
  const LogVariances all = log_variances(shares);
  if (all.logs.size() < kBenchmarksMin) return {};
  const double scatter = variance(all.logs);
  const double of_mean = scatter / static_cast<double>(all.logs.size());
  const double excess = std::max(scatter - all.by_chance, trigamma(degrees_max / 2)) + of_mean;
  const double half = trigamma_inverse(excess);
  return {std::exp(mean(all.logs) + digamma(half) - std::log(half)), 2 * half};
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
