// Which benchmarks ran beside one another: those of one process move each other by per cents.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/judge/evidence.hpp"
#include "tracker/stats/moderated.hpp"

namespace tracker {

struct ChangedNeighbours {
  std::string words;    // what differed: "'a', 'b' and 3 more ran beside it only in the candidate"
  bool copies = false;  // another benchmark of the same name is among that ("a#2" beside "a")
};

// For the benchmarks that did not have the same others beside them on the two sides. A run that measured each
// benchmark in a process of its own has none beside any. Invocations that are left out count: what ran before
// them is what ran.
std::map<std::string, ChangedNeighbours> changed_neighbours(Runs base, Runs candidate);

// How far a benchmark may have moved because of that, as a variance of logarithms: a stated default.
stats::Variance neighbour_variance(DeviceKind kind);

// Likewise, because the same side ran first in every pair: what one execution leaves behind for the next one.
stats::Variance order_variance(DeviceKind kind);

}  // namespace tracker
