// Counters that need other arithmetic than a time's: those that are equal in every invocation, those that may
// be zero or negative, and those that say whether the result was right.
#pragma once

#include <optional>

#include "tracker/judge/verdict/cases.hpp"

namespace tracker {

// Whether every sample that these runs have of the counter is the same, two at least. False for times and
// rates.
bool is_exact(Runs runs, const std::string& benchmark, const Metric& metric);

// The verdict on a counter that is exact on both sides, or that has values of zero and below: by the
// difference, as a share of the base. Empty where the ratio tells, as for any time. `error`: how often its
// interval may miss.
std::optional<Comparison> judge_count(const Case& c, Runs base, Runs candidate, Distance distance,
                                      double error);

// Fails a candidate whose counter breaks the policy's requirement, or says under a usual name that the result
// is wrong
// ("Passed": 0). Empty where none does.
std::optional<Comparison> find_wrong_result(const Case& c, Runs base, Runs candidate);

}  // namespace tracker
