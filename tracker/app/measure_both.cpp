#include "tracker/app/measure_both.hpp"

#include "tracker/app/compare_sides.hpp"

namespace tracker {

MeasuringPlan measure_both(const Workspace& workspace, const std::string& base, const std::string& candidate,
                           const Policy& policy, const MeasureWishes& wishes) {
  const LocalEnvironment environment;
  const BothCommits both(workspace, {base, workspace.repository().resolve(base)},
                         {candidate, workspace.repository().resolve(candidate)}, environment, "--measure");
  const int rounds = wishes.invocations > 0 ? wishes.invocations : workspace.config().measure.invocations;
  MeasuringPlan plan = plan_measuring(workspace, both, policy, wishes, {}, rounds, environment);
  const std::string job = new_job_id();
  if (plan.measures_nothing()) {
    BothRuns noted;
    note_same_programs(plan, both, job, noted);
    store_runs(workspace, noted.all(), nullptr);
    return plan;
  }
  MeasureWishes left = wishes;
  left.only = plan.only;
  MeasureWishes recorded = left;
  if (!plan.only.empty()) recorded.filter = selection_in_words(plan.only);
  Spool spool(workspace, job);
  const Measured measured = measure_targets(workspace, plan.targets, left, environment, spool);
  BothRuns runs = both.runs_of(measured, job, recorded);
  note_same_programs(plan, both, job, runs);
  store_runs(workspace, runs.all(), &spool);
  throw_if_interrupted(measured);
  return plan;
}

// Everything is measured: which files of a working tree have changed since what was built is not known.
BothRuns measure_working_tree(const Workspace& workspace, const std::string& base,
                              const MeasureWishes& wishes) {
  const LocalEnvironment environment;
  const BothCommits both(workspace, {base, workspace.repository().resolve(base)},
                         {kWorkingTreeWords, workspace.repository().resolve("HEAD"), true}, environment,
                         "--worktree");
  const std::string job = new_job_id();
  Spool spool(workspace, job);
  const Measured measured = measure_targets(workspace, both.targets(), wishes, environment, spool);
  BothRuns runs = both.runs_of(measured, job, wishes);
  store_runs(workspace, runs.all(), &spool);
  throw_if_interrupted(measured);
  return runs;
}

}  // namespace tracker
