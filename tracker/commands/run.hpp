// What `run` and `record` print of what they recorded.
#pragma once

#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// Says on standard output what was recorded with its values, and on standard error which benchmarks reported
// an error. `format`: "text", or for programs "json" or "csv".
void print_recorded(const Workspace& workspace, const std::vector<Run>& runs, const std::string& format);

}  // namespace tracker
