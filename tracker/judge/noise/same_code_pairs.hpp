// Pairs of invocations of the same code: all that their two values differ by is noise.
#pragma once

#include <string>

#include "tracker/judge/verdict/same_clock.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// Of two runs that one job measured side by side, by round.
ClockedPairs pairs_of_job(const Run& base, const Run& candidate, const std::string& benchmark,
                          const Metric& metric);

// Of one run: each invocation with the next one, where their rounds follow one another.
ClockedPairs pairs_in_turn(const Run& run, const std::string& benchmark, const Metric& metric);

}  // namespace tracker
