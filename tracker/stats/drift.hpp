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
};

// By least squares, values cut at kBound deviations from it.
Line line_of(std::span<const double> values, double noise);

// A stretch of a series: a level, or a line.
struct Stretch {
  Level level;
  std::optional<Line> line;
};

// The levels as stretches; a row of them that a line explains better (with a penalty for each step, as BIC
// has it) is one stretch with that line.
std::vector<Stretch> with_drifts(std::span<const double> values, double noise,
                                 const std::vector<Level>& levels);

// Levels that have a slope which noise does not explain get their line.
void add_slopes(std::span<const double> values, double noise, std::vector<Stretch>& stretches);

}  // namespace tracker::stats
