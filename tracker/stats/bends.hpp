// Where a creeping level changes its pace, or jumps: a row of lines. Inner part of change_points.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tracker::stats {

// A place where one line ends and the next begins.
struct Bend {
  std::size_t at = 0;  // the first value of the next
  double chance = 1;   // that noise makes it at this place
};

// In order; none where one line, or a level, explains the values as well. By least squares over lines
// (dynamic programming on a grid of places; Bai and Perron 2003), taken back while an F-test does not tell
// two neighbours from one curve of the third degree, as growth bends smoothly by itself. Values that follow
// one another count as fewer, as the residuals of all lines show it, so that a random walk has hardly any.
// `noise`: of one value; `series`: values that were looked through in all.
std::vector<Bend> find_bends(std::span<const double> values, double noise, double series);

}  // namespace tracker::stats
