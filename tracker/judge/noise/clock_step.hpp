// The step of the clock that a benchmark's times were read from, where the times show it.
#pragma once

#include <string>

#include "tracker/judge/verdict/evidence.hpp"

namespace tracker {

// What all times of a report are whole multiples of, in nanoseconds: readings of one clock. 0 where they
// share nothing, as continuous times do, or where too few differ to say.
struct ClockTicks {
  double real_ns = 0;
  double cpu_ns = 0;
};
ClockTicks clock_ticks(Runs base, Runs candidate);

// The step of the clock that a benchmark's times were read from, as a logarithm.
struct ClockStep {
  double step = 0;   // 0: none that is seen
  double hides = 0;  // how far it may put the difference of the two sides off
};

// A clock shows its step when times repeat: continuous ones never do. It is the least distance of two times,
// or the tick that all benchmarks share, where that is less. None for what is not a time or a rate (counters
// are exact), and none past 5 %: values that far apart are taken to be what they say. Where the invocations
// differ by half a step or more, the steps average out, and hide nothing.
ClockStep clock_step(Runs base, Runs candidate, const std::string& benchmark, const Metric& metric,
                     const ClockTicks& ticks);

}  // namespace tracker
