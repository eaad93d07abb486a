#include "tests/quality/two_samples.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tracker/stats/summary.hpp"

namespace tracker::quality {
namespace {

constexpr std::size_t kScipyExactMax = 8;
constexpr std::size_t kAsvExactMax = 20;

double normal_above(double z) {
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

// The sum of t³ − t over all groups of t equal values.
double tie_term(std::span<const double> a, std::span<const double> b) {
  std::map<double, double> counts;
  for (const double value : a) ++counts[value];
  for (const double value : b) ++counts[value];
  double term = 0;
  for (const auto& [value, count] : counts) term += count * count * count - count;
  return term;
}

// The share of orderings with U in [from, to].
double u_share(const std::vector<double>& orderings, double from, double to) {
  double within = 0;
  for (std::size_t u = 0; u < orderings.size(); ++u)
    if (static_cast<double>(u) >= from && static_cast<double>(u) <= to) within += orderings[u];
  return within / std::accumulate(orderings.begin(), orderings.end(), 0.0);
}

}  // namespace

std::vector<double> u_orderings(std::size_t m, std::size_t n) {
  std::vector<double> counts(m * n + 1, 0.0);
  counts[0] = 1;
  // Π (1 − x^(n+i)) / (1 − x^i), i = 1 … m: each factor once, so that every step is a polynomial.
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t u = counts.size(); u-- > n + i;) counts[u] -= counts[u - (n + i)];
    for (std::size_t u = i; u < counts.size(); ++u) counts[u] += counts[u - i];
  }
  return counts;
}

PairCount count_pairs(std::span<const double> a, std::span<const double> b) {
  std::vector<double> sorted(b.begin(), b.end());
  std::sort(sorted.begin(), sorted.end());
  PairCount pairs;
  for (const double value : a) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    pairs.larger += static_cast<double>(first - sorted.begin());
    pairs.equal += static_cast<double>(last - first);
  }
  return pairs;
}

double mann_whitney_as_scipy(std::span<const double> a, std::span<const double> b) {
  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  const PairCount pairs = count_pairs(a, b);
  const double u = pairs.larger + pairs.equal / 2;
  const double outer = std::max(u, m * n - u);
  const double ties = tie_term(a, b);
  if (std::min(a.size(), b.size()) <= kScipyExactMax && ties == 0)
    return std::min(1.0, 2 * u_share(u_orderings(a.size(), b.size()), outer, m * n));
  const double total = m + n;
  const double deviation = std::sqrt(m * n / 12 * (total + 1 - ties / (total * (total - 1))));
  if (!(deviation > 0)) return 1;  // all values are equal
  return std::min(1.0, 2 * normal_above((outer - m * n / 2 - 0.5) / deviation));
}

double mann_whitney_as_asv(std::span<const double> a, std::span<const double> b) {
  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  const PairCount pairs = count_pairs(a, b);
  // Ties may go either way: as near to the middle as they allow.
  const double middle = std::floor(m * n / 2);
  const double u = std::clamp(middle, pairs.larger, pairs.larger + pairs.equal);
  const double outer = std::min(u, m * n - u);
  if (std::max(a.size(), b.size()) > kAsvExactMax)
    return 2 * normal_above((m * n / 2 - outer) / std::sqrt(m * n * (m + n + 1) / 12));
  const std::vector<double> orderings = u_orderings(a.size(), b.size());
  return u_share(orderings, 0, outer) + u_share(orderings, std::max(middle, m * n - outer - 1) + 1, m * n);
}

bool welch_differs(std::span<const double> a, std::span<const double> b, double level) {
  if (a.size() < 2 || b.size() < 2) return false;
  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  const double of_a = stats::variance(a) / m;
  const double of_b = stats::variance(b) / n;
  const double difference = std::abs(stats::mean(a) - stats::mean(b));
  if (!(of_a + of_b > 0)) return difference > 0;
  const double degrees = (of_a + of_b) * (of_a + of_b) / (of_a * of_a / (m - 1) + of_b * of_b / (n - 1));
  return difference > stats::student_t_within(1 - level, degrees) * std::sqrt(of_a + of_b);
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace tracker::quality
