// Levels that creep: a line where a row of steps would be said otherwise. Inner parts of change_points.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tracker/stats/level.hpp"

namespace tracker::stats {

struct Line {
  double start = 0;            // at the stretch's first value
  double slope = 0;            // a value
  double slope_deviation = 0;  // the slope's standard error
  double cost = 0;             // as Level's
  double degrees = 0;          // of freedom, behind the error

  double at(double place) const { return start + slope * place; }
};

// By least squares, values cut at kBound deviations from it.
Line line_of(std::span<const double> values, double noise);

// A stretch of a series: a level, or a line.
struct Stretch {
  Level level;
  std::optional<Line> line;
  std::optional<double> bend_chance;  // where it begins with a bend: that noise makes it (drift.hpp)
};

// Where a line explains a row of stretches better than their levels do (with a penalty for each step, as BIC
// has it), they become one stretch with that line.
void join_drifts(std::span<const double> values, double noise, std::vector<Stretch>& stretches);

// Where a slope is more than noise explains, or a line explains most of how the values vary, a stretch
// between two bends gets its line, however short.
void add_slope_between_bends(std::span<const double> values, double noise, Stretch& stretch);

// Levels that have a slope which noise does not explain get their line.
void add_slopes(std::span<const double> values, double noise, std::vector<Stretch>& stretches);

// Where a creeping level changes its pace, or jumps: a row of lines. Inner part of change_points.hpp.

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
