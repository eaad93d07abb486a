// Runs of both sides → the samples behind a verdict. Pure.
#pragma once

#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// The samples that this comparison of the report rests on, out of all runs of the two sides on its device: of
// what was measured side by side the job's two runs, otherwise the runs that the report names. The policy's
// renames hold for all of them.
BenchmarkSamples make_samples(const ComparisonReport& report, const Comparison& comparison,
                              const std::vector<Run>& base, const std::vector<Run>& candidate,
                              const Policy& policy);

}  // namespace tracker
