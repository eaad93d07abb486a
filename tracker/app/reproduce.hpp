// The commands that a report names: to judge the same again, and to see why the worst got slower.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/compare_request.hpp"
#include "tracker/app/compare_sides.hpp"
#include "tracker/app/workspace.hpp"

namespace tracker {

// The command that judges the same commits again: measured side by side where they were, and as much of
// them.
std::string reproducing(const Workspace& workspace, const CompareRequest& request, bool strict,
                        const CompareSides& sides, const std::vector<ComparisonReport>& reports);

// The same from the request alone, where nothing was judged.
std::string reproducing_as_typed(const CompareRequest& request, bool strict);

// The command that puts the facts of the worst that failed side by side; empty where nothing got slower.
std::string explaining(const CompareSides& sides, const std::vector<ComparisonReport>& reports);

}  // namespace tracker
