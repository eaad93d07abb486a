// Which invocations do not count, because something disturbed them. Pure.
#pragma once

#include <vector>

#include "tracker/model/run.hpp"

namespace tracker {

// Clocks this far below the usual ones are not the benchmark's own doing.
inline constexpr double kLowClockShare = 0.1;

// Why each of these invocations does not count; none where nothing was seen. They measured the
// same benchmarks on the same target: code may move the clocks, so that the two sides are not compared with
// one another. Besides what its conditions say: its lowest clock lies more than kLowClockShare below the
// median of the others'.
std::vector<Exclusion> disturbances(const std::vector<const Invocation*>& invocations);

}  // namespace tracker
