// The step of the clock that a benchmark's times were read from, where the times show it.
#pragma once

#include <string>

#include "tracker/judge/verdict/evidence.hpp"

namespace tracker {

// How far a step of the clock may put the difference of the two sides off, as a logarithm. A clock shows its
// step when times repeat: continuous ones never do. Where the invocations differ by half a step or more, the
// steps average out, and it is 0. It is also 0 for what is not a time or a rate (counters are exact), and for
// steps past 5 %: values that far apart are taken to be what they say.
double clock_step(Runs base, Runs candidate, const std::string& benchmark, const Metric& metric);

}  // namespace tracker
