// Which files the annotations of a report may point at.
#pragma once

#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/model/comparison.hpp"

namespace tracker {

// The policy's template may name what the candidate's commit does not have: no file is then said at all.
void keep_sources_of_candidate(const Workspace& workspace, std::vector<ComparisonReport>& reports);

}  // namespace tracker
