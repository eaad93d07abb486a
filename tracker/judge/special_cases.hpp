// Verdicts that need no noise: of benchmarks that failed, are missing or new, or are no comparison of code;
// and of counters that need other arithmetic than a time's, as they are equal in every invocation, may be
// zero or negative, or say whether the result was right.
#pragma once

#include <optional>

#include "tracker/judge/evidence.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"

namespace tracker::judge {

// Empty where the ratio of noisy values tells, as for any time. `error`: how often an interval may miss.
std::optional<Comparison> decide_without_noise(const BenchmarkEvidence& evidence, const Policy& policy,
                                               Distance distance, double error);

}  // namespace tracker::judge
