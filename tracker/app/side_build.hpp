// Building what is measured: a commit in a worktree, or the working tree where it stands.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/measure/measure.hpp"
#include "tracker/repo/worktree.hpp"

namespace tracker {

// How a commit is built: by the commands that tracker.toml names at that commit. Where the commit names none,
// and where --config names another file, by those of the configuration in use.
struct SideRecipe {
  std::string commit;  // empty: of a working tree
  MeasureSettings measure;
  std::vector<Binary> binaries;  // of the configuration in use, each where this commit's build makes it
  BuildCommands own;             // what the commit's own tracker.toml names; empty: nothing
};
// Notes a tracker.toml of the commit that cannot be read. `build_seed`: what TRACKER_BUILD_SEED is for the
// build commands; 0: it is not set.
SideRecipe recipe_at(const Workspace& workspace, const std::string& commit, int build_seed = 0);

// What of the recipes differs that two commits name, where both were built by one all the same: then they are
// not what their commits say.
std::string hidden_difference(const SideRecipe& base, const SideRecipe& candidate);

// How it was built, for the runs: the commands, and with a hash each the files at the commit that say how.
std::string describe_build(const Workspace& workspace, const SideRecipe& recipe);

// Builds the worktree's commit. What a build of another commit left there
// is removed before, as measure.clean says (docs/measuring.md), and in each case the binaries. Notes
// which of the binaries for this machine the build did not make. kEnvironment where it fails or makes none.
void build_in(const Workspace& workspace, Worktree& worktree, const SideRecipe& recipe,
              const LocalEnvironment& environment, const std::string& label);

// Builds the working tree; nothing is removed there. kUsage where tracker.toml names no build commands, with
// `option` as what needs them; kEnvironment where the build fails.
void build_in_place(const Workspace& workspace, const std::string& option);

// The places whose files no side may load, of builds that begin now.
SharedPlaces shared_places(const Workspace& workspace);

// kEnvironment where a binary is, loads or names a file outside of its side's worktree that lies in a
// checkout or that a build made: both sides would measure that one file.
void require_own_files(const std::vector<Target>& targets);

}  // namespace tracker
