// Reports of some benchmarks alone, as they were judged with all others. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker {

// Leaves only the benchmarks whose name the POSIX extended expression matches anywhere, as
// --benchmark_filter does (a leading '-' means all others), with a note that says how many. Verdicts stay as
// they are. kUsage where it is no expression or matches nothing.
void keep_matching(std::vector<ComparisonReport>& reports, const std::string& filter);

// The same for patterns (globs) of whole names.
void keep_matching(std::vector<ComparisonReport>& reports, const std::vector<std::string>& globs);

}  // namespace tracker
