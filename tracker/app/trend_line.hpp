// The history that a comparison's trends show.
#pragma once

#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/history/history.hpp"
#include "tracker/judge/verdict/judge.hpp"

namespace tracker {

// The commits with runs on the device that led to the candidate, oldest first: its first-parent line where
// the base is on it, otherwise the base's with the candidate at its end. Both sides are there also where the
// store has no runs of them, as with a promoted baseline, but not a base that this clone does not have. Empty
// where a side is no commit, or there is no repository.
std::vector<CommitRuns> trend_line(const Workspace& workspace, const std::string& device,
                                   const SideRuns& base, const SideRuns& candidate);

}  // namespace tracker
