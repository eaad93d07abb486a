// What comes back every so many values: days of the week, months of the year, machines that take turns. Inner
// part of change_points.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tracker::stats {

// Added to a level, at the places with this remainder: offsets[place % period].
struct Season {
  std::size_t period = 0;       // 0: there is none
  std::vector<double> offsets;  // their median is 0
};

// The season of these values, which stand at these places (ascending; gaps have none). It is there where the
// differences of neighbours depend on the phase more than chance explains (an F-test), and where neighbours
// differ less without it. Assumption: a shape that stays the same, seen four times at least; a step, a trend
// or a walk has no say, as only differences of neighbours tell the period, and the shape is taken from
// medians about a moving mean.
Season find_season(std::span<const double> values, std::span<const std::size_t> places);

}  // namespace tracker::stats
