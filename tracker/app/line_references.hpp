// The commits that drifts are measured from.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// On the line of `from`: the newest release tag before it, the baseline of each device that these series are
// of, and 30 and 90 days before the newest value; those that there are.
std::vector<LineReference> line_references(const Workspace& workspace, const std::string& from,
                                           const std::vector<Series>& series);

}  // namespace tracker
