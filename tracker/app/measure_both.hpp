// compare --measure and --worktree: both sides built, measured side by side in one job, and recorded.
#pragma once

#include <string>

#include "tracker/app/measuring_plan.hpp"
#include "tracker/app/recording.hpp"
#include "tracker/app/workspace.hpp"

namespace tracker {

// The revisions as the user wrote them. Says what was left out, as both sides are the same program; where
// that is everything, nothing is recorded. kUsage where tracker.toml names no build commands; kEnvironment
// where a build fails, or a side delivers nothing.
MeasuringPlan measure_both(const Workspace& workspace, const std::string& base, const std::string& candidate,
                           const Policy& policy, const MeasureRequest& measuring);

// Likewise of so many builds of both, one after the other: rounds of all builds are of one job, and its runs
// say which build an invocation is of. Where no number of rounds is asked for, each build has two rounds.
MeasuringPlan measure_builds(const Workspace& workspace, const std::string& base,
                             const std::string& candidate, const Policy& policy,
                             const MeasureRequest& measuring, int builds);

// Likewise of the base and the working tree as it is; what that gave is recorded for HEAD as of a dirty tree.
BothRuns measure_working_tree(const Workspace& workspace, const std::string& base,
                              const MeasureRequest& measuring);

}  // namespace tracker
