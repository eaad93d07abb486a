// Axes: SI units, ranges and round tics. Pure functions on numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracker::plot {

// Values that arithmetic on a chart can hold: finite, and small enough that a difference is finite too.
bool drawable(double value);

// A stretch of values.
struct Range {
  double low = 0;
  double high = 0;

  double span() const { return high - low; }
  Range with(double value) const { return {std::min(low, value), std::max(high, value)}; }
  Range with(const Range& other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
  // At least so wide, around the same middle.
  Range widened(double span_min) const {
    const double missing = std::max(span_min - span(), 0.0);
    return {low - missing / 2, high + missing / 2};
  }
};

// What the values of a chart are divided by, and the unit they then have: {1e12, "TB/s"}.
struct Scale {
  double factor = 1;
  std::string unit;
};

// For values up to `size_max`. Units get SI prefixes (never kiloseconds), bare numbers powers of 1000.
Scale choose_scale(double size_max, std::string_view unit);

struct Tic {
  double value = 0;
  std::string label;
};

// Round values within [low, high], at most `count_max`, all with the same number of decimals.
std::vector<Tic> make_tics(double low, double high, int count_max);

// Four significant digits, no prefix: "3.480", "153.2". For values that a Scale has made handy.
std::string format_number(double value);

// Three significant digits of a value above 0: "3.94", "153".
std::string cell_number(double value);

// What stands after a scaled value: " TB/s"; empty where it has no unit.
std::string unit_after(const Scale& scale);

// A number as gnuplot reads it, whatever the locale; to so many significant digits.
std::string plain_number(double value, int digits = 9);

// Where a trend has its commits from left to right.

// More points than this are too many for a mark each.
inline constexpr std::size_t kMarkedPointsMax = 80;

// Straight, or in two pieces: where there are many commits, the newest have a fixed share of the width.
struct CommitAxis {
  double first = 0;  // of the line, with some room at both ends
  double last = 1;
  double knee = 0;         // the newest commits begin here; `first` where the axis has one piece
  double share = 0;        // of the width that lies before the knee
  std::size_t newest = 0;  // points behind the knee; 0 where the axis has one piece

  bool is_split() const { return newest > 0; }
  // A commit's place, on an axis from `first` to `last`: its position where the axis has one piece.
  double place(double position) const;
};

// For points at these positions, ascending and not empty.
CommitAxis commit_axis(const std::vector<int>& positions);

}  // namespace tracker::plot
