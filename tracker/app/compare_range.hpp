// What `tracker compare` takes A...B and branches without a run for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/app/compare_request.hpp"
#include "tracker/app/workspace.hpp"

namespace tracker {

// The request with the commits that they mean, and what differs from their words is said. A...B compares B
// (HEAD where it is empty) with where its history left A's, as git diff has it: kUsage where either is no
// commit, or a candidate is named beside it. A branch whose newest commit has no run is its newest commit
// that has one on a device of the candidate's, unless something will be measured.
CompareRequest with_meant_commits(const Workspace& workspace, CompareRequest request);

// The newest commit at or before this one, on its first-parent line, with a run on any of the devices (all
// where there are none).
std::optional<Commit> newest_with_run(const Workspace& workspace, const std::string& revision,
                                      const std::vector<std::string>& devices);

}  // namespace tracker
