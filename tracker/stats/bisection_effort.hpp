// What a search will likely take, by making it up a few times.
#pragma once

#include "tracker/stats/bisection.hpp"

namespace tracker::stats {

struct BisectionEffort {
  int measurements = 0;       // in the middle one of the searches
  int measurements_high = 0;  // at most, in nine of ten
  int pairs = 0;              // in the middle one
  int pairs_high = 0;
  int commits = 0;  // that were measured, in the middle one
};

// Of so many commits, with a change of this size (a logarithm) anywhere among them, and pairs with this
// deviation. The same numbers give the same answer.
BisectionEffort expected_effort(int commits, const BisectionOptions& options, double size, double noise);

}  // namespace tracker::stats
