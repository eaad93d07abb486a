// Both sides of a comparison, built and ready to be measured side by side: commits in worktrees of their own,
// or as the candidate the working tree where it stands.
#pragma once

#include <set>

#include "tracker/app/side_build.hpp"
#include "tracker/judge/confirm.hpp"

namespace tracker::app {

// What the side of --worktree is called.
inline constexpr char kWorkingTreeWords[] = "the working tree";

// A commit, and what the user called it.
struct NamedCommit {
  std::string label;
  Commit commit;
  bool in_place = false;  // the working tree with its uncommitted changes, on top of this commit
};

// A revision as the user called it; and the working tree, on top of HEAD.
NamedCommit commit_named(const Workspace& workspace, const std::string& revision);
NamedCommit working_tree(const Workspace& workspace);
// As reports show it.
Side side_of(const NamedCommit& named);

struct BothRuns {
  std::vector<Run> base;  // one a device
  std::vector<Run> candidate;

  // The base's runs, then the candidate's.
  std::vector<Run> all() const;
};

class BothCommits {
 public:
  // Builds them; in CI from nothing. kUsage where tracker.toml names no build commands, with `option`
  // ("--measure") as what needs them; kEnvironment where a build fails. `build`: which of several builds of
  // these commits, counted from 1; 0: there is one.
  BothCommits(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate,
              const std::string& option, int build = 0);

  const std::string& base_commit() const { return base_commit_; }
  const std::string& candidate_commit() const { return candidate_commit_; }
  // Of the base and of the candidate.
  const std::vector<measure::Target>& targets() const { return targets_; }
  // What measuring the targets as asked gave; nothing of a side that delivered nothing.
  // kEnvironment where neither delivered anything.
  BothRuns runs_of(const measure::Measured& measured, const std::string& job,
                   const MeasureRequest& measuring) const;

  // Of the base and of the candidate, likewise.
  const std::vector<SideRecipe>& recipes() const { return recipes_; }

 private:
  void note_recipes(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate) const;

  std::string base_commit_;
  std::string candidate_commit_;
  std::vector<std::unique_ptr<repo::Worktree>> trees_;
  std::vector<SideRecipe> recipes_;
  std::vector<measure::Target> targets_;
  std::vector<RunMaker> run_makers_;  // of each target
};

// For when the runs are stored: kEnvironment where one of the two sides delivered nothing.
void require_results(const std::vector<measure::Target>& targets, const measure::Measured& measured);

// What a job that measures both commits has to measure: all but the benchmarks of programs that are the same
// on both sides.

struct MeasuringPlan {
  std::vector<measure::Target> targets;  // without the binaries that need not be started
  std::vector<std::string> only;         // what is to be measured of them; empty: all that was asked for
  judge::SamePrograms same;              // empty: nothing is left out
  std::string out_of_time;               // of what was measured by it: Measured::out_of_time

  bool measures_nothing() const { return !same.empty() && only.empty(); }
};

// Of the only GPU here, as same_program.hpp has it; none where there is none, or more than one.
std::optional<int> architecture_here(const Workspace& workspace);

// Compares what was built, and notes what it finds. What is in `measured` is measured all
// the same. `rounds`: as many would be measured, for the time that is saved. Nothing is left out where the
// candidate has no longer all that the base has: whether a benchmark is missing is seen where all are asked
// for.
MeasuringPlan plan_measuring(const Workspace& workspace, const BothCommits& both, const Policy& policy,
                             const MeasureRequest& measuring, const std::set<std::string>& measured,
                             int rounds);

// Which benchmarks of [sentinel]'s commit are measured: those that it names or, where it names none, a few:
// first the bounds of other benchmarks, which are references, then one of each family. Empty, which is all,
// where a binary cannot list its benchmarks. kUsage where it has none of those that are named.
std::vector<std::string> sentinel_benchmarks(const Policy& policy, const measure::Target& target);

// Those on devices that match this pattern, as in CompareRequest; an empty one matches all.
judge::SamePrograms on_devices_like(const std::string& device, judge::SamePrograms same);

// Notes what was not measured in the candidate's runs of this job: record_same_programs().
void note_same_programs(const MeasuringPlan& plan, const BothCommits& both, const std::string& job,
                        BothRuns& runs);

// Records alone that there was nothing to measure, as the plan has it.
void record_same_programs(const Workspace& workspace, const MeasuringPlan& plan, const BothCommits& both);

// compare --measure and --worktree: both sides built, measured side by side in one job, and recorded.

struct MeasuredBoth {
  MeasuringPlan plan;  // what was left out, and why
  BothRuns runs;
};

// A working tree is recorded for HEAD, as dirty. Says what was left out, as both sides are the same program;
// where that is everything, nothing else is recorded. With `builds` above 0 both are built so many times, one
// after the other: rounds of all builds are of one job, and its runs say which build an invocation is of;
// where no number of rounds is asked for, each build has two. kUsage where tracker.toml names no build
// commands; kEnvironment where a build fails, or a side delivers nothing.
MeasuredBoth measure_both(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate,
                          const Policy& policy, const MeasureRequest& measuring, int builds = 0);

}  // namespace tracker::app
