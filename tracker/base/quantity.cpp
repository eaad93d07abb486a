#include "tracker/base/quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

struct Prefix {
  double factor;
  const char* name;
};
constexpr std::array<Prefix, 8> kPrefixes{
    {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}}};
constexpr const Prefix& kNone = kPrefixes[4];

const Prefix& prefix_for(double size, std::string_view unit) {
  if (!(size > 0)) return kNone;
  // 999.95 and more would print as 1000.0: the next prefix has it.
  const auto fits = [&](const Prefix& prefix) { return size >= prefix.factor * 0.99995; };
  const auto found = std::find_if(kPrefixes.begin(), kPrefixes.end(), fits);
  if (found == kPrefixes.end()) return kPrefixes.back();
  return unit == "s" && found->factor > 1 ? kNone : *found;
}

// Four significant digits, but never more than `decimals_max` after the point.
std::string with_prefix(double value, const Prefix& prefix, std::string_view unit, int decimals_max) {
  const double scaled = value / prefix.factor;
  const double shown = std::abs(scaled);
  int decimals = shown >= 999.95 ? 0 : shown >= 99.995 ? 1 : shown >= 9.9995 ? 2 : 3;
  for (double size = shown * 10; decimals >= 3 && decimals < decimals_max && size < 9.9995; size *= 10)
    ++decimals;
  std::array<char, 64> number{};
  std::snprintf(number.data(), number.size(), "%.*f", decimals, scaled);
  return std::string(number.data()) + " " + prefix.name + std::string(unit);
}

}  // namespace

std::string format_quantity(double value, std::string_view unit) {
  if (!std::isfinite(value)) return "–";
  if (!unit.empty()) return with_prefix(value, prefix_for(std::abs(value), unit), unit, 3);
  std::array<char, 64> number{};
  std::snprintf(number.data(), number.size(), "%.*g", 4, value);
  return number.data();
}

std::pair<std::string, std::string> format_quantities(const std::optional<double>& a,
                                                      const std::optional<double>& b, std::string_view unit) {
  constexpr double kLeast = 0.01;
  constexpr int kDecimalsMax = 5;
  const auto size_of = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? std::abs(*value) : 0;
  };
  const Prefix& shared = prefix_for(std::max(size_of(a), size_of(b)), unit);
  const auto text = [&](const std::optional<double>& value) {
    if (!value) return std::string("–");
    const bool shares = !unit.empty() && size_of(value) >= kLeast * shared.factor;
    return shares ? with_prefix(*value, shared, unit, kDecimalsMax) : format_quantity(*value, unit);
  };
  return {text(a), text(b)};
}

}  // namespace tracker
