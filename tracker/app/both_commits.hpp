// Both sides of a comparison, built and ready to be measured side by side: commits in worktrees of their own,
// or as the candidate the working tree where it stands.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tracker/app/program_hashes.hpp"
#include "tracker/app/recording.hpp"
#include "tracker/app/side_build.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/repo/worktree.hpp"

namespace tracker {

// A commit, and what the user called it.
struct NamedCommit {
  std::string label;
  Commit commit;
  bool in_place = false;  // the working tree with its uncommitted changes, on top of this commit
};

struct BothRuns {
  std::vector<Run> base;  // one a device
  std::vector<Run> candidate;

  void set_interim_analyses(const std::vector<int>& analyses);
  std::vector<Run> all() const;
};

class BothCommits {
 public:
  // Builds them; in CI from nothing. kUsage where tracker.toml names no build commands, with `option`
  // ("--measure") as what needs them; kEnvironment where a build fails. `build`: which of several builds of
  // these commits, counted from 1; 0: there is one.
  BothCommits(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate,
              const LocalEnvironment& environment, const std::string& option, int build = 0);

  const std::string& base_commit() const { return base_commit_; }
  const std::string& candidate_commit() const { return candidate_commit_; }
  // Of the base and of the candidate.
  const std::vector<Target>& targets() const { return targets_; }
  // What measuring the targets as asked gave; nothing of a side that delivered nothing.
  // kEnvironment where neither delivered anything.
  BothRuns runs_of(const Measured& measured, const std::string& job, const MeasureRequest& measuring) const;

  // Of the base and of the candidate, likewise.
  const std::vector<SideRecipe>& recipes() const { return recipes_; }

 private:
  void note_recipes(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate) const;

  std::string base_commit_;
  std::string candidate_commit_;
  bool candidate_dirty_ = false;
  std::vector<std::unique_ptr<Worktree>> trees_;
  std::vector<SideRecipe> recipes_;
  std::vector<Target> targets_;
  std::vector<std::unique_ptr<ProgramHashes>> program_hashes_;  // of each target
};

// For when the runs are stored: kEnvironment where one of the two sides delivered nothing.
void require_results(const std::vector<Target>& targets, const Measured& measured);

}  // namespace tracker
