#include "tracker/commands/measure_both.hpp"

#include "tracker/commands/compare_sides.hpp"

namespace tracker {
namespace {

BothRuns measure(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate,
                 const MeasureWishes& wishes, const std::string& option) {
  const LocalEnvironment environment;
  const BothCommits both(workspace, base, candidate, environment, option);
  const std::string job = new_job_id();
  Spool spool(workspace.repository(), job);
  const Measured measured =
      measure_targets(both.targets(), workspace.config().measure, wishes, environment, spool);
  BothRuns runs = both.runs_of(measured, job, wishes);
  store_runs(workspace, runs.all(), &spool);
  return runs;
}

}  // namespace

void measure_both(const Workspace& workspace, const std::string& base, const std::string& candidate,
                  const MeasureWishes& wishes) {
  measure(workspace, {base, workspace.repository().resolve(base)},
          {candidate, workspace.repository().resolve(candidate)}, wishes, "--measure");
}

BothRuns measure_working_tree(const Workspace& workspace, const std::string& base,
                              const MeasureWishes& wishes) {
  return measure(workspace, {base, workspace.repository().resolve(base)},
                 {kWorkingTreeWords, workspace.repository().resolve("HEAD"), true}, wishes, "--worktree");
}

}  // namespace tracker
