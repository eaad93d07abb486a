#include "tracker/plot/axis.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tracker::plot {
namespace {

constexpr int kThousandsMin = -4;  // pico
constexpr std::array<const char*, 11> kPrefixes{"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
constexpr double kSizeMax = 1e290;
constexpr std::size_t kNewestPoints = 30;
constexpr double kNewestShare = 0.36;  // of the width: twelve pixels a commit in a picture

// Whatever the locale.
std::string digits_of(double value, std::chars_format format, int precision) {
  std::array<char, 400> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
  return {buffer.data(), end.ptr};
}

std::string fixed(double value, int decimals) {
  std::string text = digits_of(value, std::chars_format::fixed, decimals);
  const bool zero = text.find_first_not_of("-0.") == std::string::npos;
  if (text[0] == '-') text.replace(0, 1, zero ? "" : "−");
  return text;
}

}  // namespace

bool drawable(double value) {
  return std::isfinite(value) && std::abs(value) < kSizeMax;
}

Scale choose_scale(double size_max, std::string_view unit) {
  if (!drawable(size_max) || std::abs(size_max) < 1 / kSizeMax) return {1, std::string(unit)};
  // 999.95 and more would print as 1000.0: the next prefix has it.
  int thousands = static_cast<int>(std::floor(std::log10(std::abs(size_max) / 0.99995) / 3));
  if (unit == "s") thousands = std::min(thousands, 0);
  if (unit.empty() && thousands >= -1 && thousands <= 1) thousands = 0;
  const double factor = std::pow(10.0, 3 * thousands);
  const int row = thousands - kThousandsMin;
  if (unit.empty() && thousands != 0) return {factor, "×1e" + std::to_string(3 * thousands)};
  if (row < 0 || row >= static_cast<int>(kPrefixes.size()))
    return {factor, "×1e" + std::to_string(3 * thousands) + " " + std::string(unit)};
  return {factor, kPrefixes[static_cast<std::size_t>(row)] + std::string(unit)};
}

std::vector<Tic> make_tics(double low, double high, int count_max) {
  const double rough = (high - low) / std::max(count_max, 1);
  if (!(rough > 0) || !drawable(rough)) return {{low, format_number(low)}};
  const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * magnitude;
  for (const double nice : {5.0, 2.0, 1.0})
    if (nice * magnitude >= rough * 0.999) step = nice * magnitude;
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
  std::vector<Tic> tics;
  const double slack = step * 1e-6;
  for (double at = std::ceil((low - slack) / step); at * step <= high + slack; ++at) {
    tics.push_back({at * step, fixed(at * step, decimals)});
    if (static_cast<int>(tics.size()) > count_max + 1) break;  // a step too small for the size of the values
  }
  return tics;
}

std::string format_number(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size < 0.00095 || size >= 1e7)) return plain_number(value, 4);
  return fixed(value, size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : size >= 0.09995 ? 3 : 5);
}

std::string cell_number(double value) {
  if (value >= 999.5 || value < 0.000995) return plain_number(value, 3);
  const int whole_digits = static_cast<int>(std::floor(std::log10(value / 0.9995))) + 1;
  return fixed(value, std::clamp(3 - whole_digits, 0, 5));
}

std::string unit_after(const Scale& scale) {
  return scale.unit.empty() ? "" : " " + scale.unit;
}

std::string plain_number(double value, int digits) {
  const std::string text = digits_of(value, std::chars_format::general, digits);
  return text == "-0" ? "0" : text;
}

double CommitAxis::place(double position) const {
  if (!is_split()) return position;
  const double width = last - first;
  if (position < knee) return first + (position - first) / (knee - first) * share * width;
  return first + (share + (position - knee) / (last - knee) * (1 - share)) * width;
}

CommitAxis commit_axis(const std::vector<int>& positions) {
  CommitAxis axis;
  const double oldest = positions.front();
  const double newest = positions.back();
  const double room = newest > oldest ? std::max((newest - oldest) * 0.03, 0.5) : 1;
  axis.first = oldest - room;
  axis.last = newest + room;
  axis.knee = axis.first;
  if (positions.size() <= kMarkedPointsMax) return axis;
  const auto behind = positions.end() - static_cast<std::ptrdiff_t>(kNewestPoints);
  const double knee = (*behind + *(behind - 1)) / 2.0;
  const double spacing = (newest - knee) / static_cast<double>(kNewestPoints);
  const double share = (axis.last - knee) / (axis.last - axis.first);
  if (share >= kNewestShare) return axis;
  axis.first = oldest - std::max((newest - oldest) * 0.01, 0.5);
  axis.last = newest + 1.5 * spacing;
  axis.knee = knee;
  axis.share = 1 - kNewestShare;
  axis.newest = kNewestPoints;
  return axis;
}

}  // namespace tracker::plot
