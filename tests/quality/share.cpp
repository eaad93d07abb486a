#include "tests/quality/share.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tracker::quality {

std::string percent_number(double share) {
  const double value = share * 100;
  // Two significant digits where they matter: near 0 and near 100.
  const double edge = std::min(value, 100 - value);
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", edge <= 0 || edge >= 9.95 ? 0 : edge < 0.995 ? 2 : 1, value);
  return text;
}

Interval wilson(const Share& share) {
  if (share.of == 0) return {0, 1};
  constexpr double kZ = 1.959963984540054;
  const double n = share.of;
  const double p = share.value();
  const double middle = (p + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
  const double half = kZ / (1 + kZ * kZ / n) * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  // At the ends the formula gives 0 and 1 exactly, but for rounding.
  return {share.hits == 0 ? 0 : middle - half, share.hits == share.of ? 1 : middle + half};
}

std::string percent_number(const Share& share) {
  return share.of == 0 ? "–" : percent_number(share.value());
}

std::string with_interval(const Share& share) {
  if (share.of == 0) return "–";
  const Interval interval = wilson(share);
  return percent_number(share.value()) + " (" + percent_number(interval.low) + "–" +
         percent_number(interval.high) + ")";
}

}  // namespace tracker::quality
