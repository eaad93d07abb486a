#include "tracker/commands/measure_both.hpp"

#include "tracker/commands/both_commits.hpp"

namespace tracker {

void measure_both(const Workspace& workspace, const std::string& base, const std::string& candidate,
                  const MeasureWishes& wishes) {
  const NamedCommit was{base, workspace.repository().resolve(base)};
  const NamedCommit is{candidate, workspace.repository().resolve(candidate)};
  const LocalEnvironment environment;
  const BothCommits both(workspace, was, is, environment, "--measure");
  const std::string job = new_job_id();
  Spool spool(workspace.repository(), job);
  const Measured measured =
      measure_targets(both.targets(), workspace.config().measure, wishes, environment, spool);
  store_runs(workspace, both.runs_of(measured, job, wishes).all(), &spool);
  throw_if_interrupted(measured);
}

}  // namespace tracker
