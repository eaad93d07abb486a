// The levels of commits between which a benchmark may have changed: an inner part of bisection.hpp.
#pragma once

#include <vector>

namespace tracker::stats {

// A commit with values.
struct SeenLevel {
  double mean = 0;
  double variance = 0;
  double weight = 0;  // the room that a change has since the commit before it, of 1 in all
};

struct LevelPosterior {
  double none = 0;             // the probability that there is no slow-down
  double offset_variance = 0;  // of a commit's own offset
  std::vector<double> slower;  // by place: the probability of a slow-down between it and the one before
  std::vector<double> size;    // of that slow-down, given that there is one
};

// `smallest`: a slow-down is at least so large. `expected`: so many slow-downs are expected before anything
// is seen. `rest`: the weight behind the last place. `degrees` stand behind the variances.
LevelPosterior infer_levels(const std::vector<SeenLevel>& seen, double rest, double smallest, double expected,
                            double degrees);

}  // namespace tracker::stats
