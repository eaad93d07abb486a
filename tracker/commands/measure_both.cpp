#include "tracker/commands/measure_both.hpp"

#include "tracker/commands/both_commits.hpp"

namespace tracker {

MeasuringPlan measure_both(const Workspace& workspace, const std::string& base, const std::string& candidate,
                           const Policy& policy, const MeasureWishes& wishes) {
  const NamedCommit was{base, workspace.repository().resolve(base)};
  const NamedCommit is{candidate, workspace.repository().resolve(candidate)};
  const LocalEnvironment environment;
  const BothCommits both(workspace, was, is, environment, "--measure");
  const int rounds = wishes.invocations > 0 ? wishes.invocations : workspace.config().measure.invocations;
  MeasuringPlan plan = plan_measuring(workspace, both, policy, wishes, {}, rounds, environment);
  if (plan.measures_nothing()) return plan;
  MeasureWishes left = wishes;
  left.only = plan.only;
  MeasureWishes recorded = left;
  if (!plan.only.empty()) recorded.filter = selection_in_words(plan.only);
  const std::string job = new_job_id();
  Spool spool(workspace.repository(), job);
  const Measured measured =
      measure_targets(plan.targets, workspace.config().measure, left, environment, spool);
  store_runs(workspace, both.runs_of(measured, job, recorded).all(), &spool);
  return plan;
}

}  // namespace tracker
