// Levels that creep: a line where a row of steps would be said otherwise. Inner parts of change_points.hpp.
#pragma once

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
  std::optional<double> bend_chance;  // where it begins with a bend: that noise makes it (bends.hpp)
};

// Where a line explains a row of stretches better than their levels do (with a penalty for each step, as BIC
// has it), they become one stretch with that line.
void join_drifts(std::span<const double> values, double noise, std::vector<Stretch>& stretches);

// Where a slope is more than noise explains, or a line explains most of how the values vary, a stretch
// between two bends gets its line, however short.
void add_slope_between_bends(std::span<const double> values, double noise, Stretch& stretch);

// Levels that have a slope which noise does not explain get their line.
void add_slopes(std::span<const double> values, double noise, std::vector<Stretch>& stretches);

}  // namespace tracker::stats
