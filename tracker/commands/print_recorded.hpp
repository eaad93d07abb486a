// What `run` and `record` print of what they recorded.
#pragma once

#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// Says on standard output what was recorded, and on standard error which benchmarks reported an error.
void print_recorded(const Workspace& workspace, const std::vector<Run>& runs);

}  // namespace tracker
