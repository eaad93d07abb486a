// Building what is measured: a commit in a worktree, or the working tree where it stands.
#pragma once

#include <string>

#include "tracker/app/workspace.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/repo/worktree.hpp"

namespace tracker {

// Builds the worktree's commit with the commands of tracker.toml. What a build of another commit left there
// is removed before, as measure.clean says (docs/measuring.md), and in each case the binaries. Notes
// which of the binaries for this machine the build did not make. `build_seed`: what TRACKER_BUILD_SEED is for
// the build commands; 0: it is not set. kEnvironment where it fails or makes none.
void build_in(const Workspace& workspace, Worktree& worktree, const LocalEnvironment& environment,
              const std::string& label, int build_seed = 0);

// Builds the working tree; nothing is removed there. kUsage where tracker.toml names no build commands, with
// `option` as what needs them; kEnvironment where the build fails.
void build_in_place(const Workspace& workspace, const std::string& option);

}  // namespace tracker
