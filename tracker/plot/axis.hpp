// Axes: SI units, ranges and round tics. Pure functions on numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracker {

// Values that arithmetic on a chart can hold: finite, and small enough that a difference is finite too.
bool drawable(double value);

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

// A number as gnuplot reads it, whatever the locale; to so many significant digits.
std::string plain_number(double value, int digits = 9);

}  // namespace tracker
