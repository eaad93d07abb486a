// Both commits of a comparison, built in worktrees of their own, ready to be measured in turn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/commands/recording.hpp"
#include "tracker/commands/workspace.hpp"
#include "tracker/repo/worktree.hpp"

namespace tracker {

// A commit, and what the user called it.
struct NamedCommit {
  std::string label;
  Commit commit;
};

struct BothRuns {
  std::vector<Run> base;  // one a device
  std::vector<Run> candidate;

  void set_looks(const std::vector<int>& looks);
  std::vector<Run> all() const;
};

class BothCommits {
 public:
  // Builds them. kUsage where tracker.toml names no build commands, with `option` ("--measure") as what
  // needs them; kEnvironment where a build fails.
  BothCommits(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate,
              const LocalEnvironment& environment, const std::string& option);

  const std::string& base_commit() const { return base_commit_; }
  const std::string& candidate_commit() const { return candidate_commit_; }
  // Of the base and of the candidate.
  const std::vector<Target>& targets() const { return targets_; }
  // What measuring the targets by these wishes gave. kEnvironment where a side delivered nothing.
  BothRuns runs_of(const Measured& measured, const std::string& job, const MeasureWishes& wishes) const;

 private:
  std::string base_commit_;
  std::string candidate_commit_;
  std::optional<Worktree> base_tree_;
  std::optional<Worktree> candidate_tree_;
  std::vector<Target> targets_;
};

}  // namespace tracker
