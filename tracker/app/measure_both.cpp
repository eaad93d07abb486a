#include "tracker/app/measure_both.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "tracker/app/compare_sides.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/model/rename.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

namespace {

// Of binaries whose bytes do not differ from build to build, the layout is the same as well.
std::string content_of(const Target& target) {
  constexpr std::size_t kBytesMax = std::size_t{1} << 31U;
  std::string content;
  for (const auto& binary : target.binaries)
    content +=
        std::to_string(std::hash<std::string>{}(read_file(binary_path(target.root, binary), kBytesMax))) +
        " ";
  return content;
}

// The binaries of a plan, in a later build.
std::vector<Target> targets_as_planned(std::vector<Target> targets, const MeasuringPlan& plan) {
  for (std::size_t side = 0; side < targets.size(); ++side)
    std::erase_if(targets[side].binaries, [&](const Binary& binary) {
      const auto& planned = plan.targets[side].binaries;
      return std::none_of(planned.begin(), planned.end(),
                          [&](const Binary& other) { return is_same_binary(other, binary); });
    });
  return targets;
}

// Whether the file that the policy names as a benchmark's source differs between both commits.
std::function<bool(const std::string&)> source_changed(const Workspace& workspace, const BothCommits& both,
                                                       const Policy& policy) {
  const auto changed = changed_files(workspace.repository(), both.base_commit(), both.candidate_commit());
  if (!changed) return {};
  return [policy, files = std::set<std::string>(changed->begin(), changed->end())](const std::string& name) {
    Benchmark benchmark;
    benchmark.name = renamed(name, policy.renames);
    return files.count(gate_for(policy, benchmark).source) != 0;
  };
}

std::vector<std::string> names_in(const Measured& measured) {
  std::set<std::string> names;
  for (const auto& files : measured.files)
    for (const auto& file : files)
      for (const auto& benchmark : file.benchmarks) names.insert(benchmark.name);
  return {names.begin(), names.end()};
}

}  // namespace

MeasuringPlan measure_builds(const Workspace& workspace, const std::string& base,
                             const std::string& candidate, const Policy& policy,
                             const MeasureRequest& measuring, int builds) {
  constexpr int kRoundsOfABuild = 2;
  const LocalEnvironment environment;
  const NamedCommit of_base{base, workspace.repository().resolve(base)};
  const NamedCommit of_candidate{candidate, workspace.repository().resolve(candidate)};
  const std::string job = new_job_id();
  MeasureRequest left = measuring;
  left.invocations = measuring.invocations > 0 ? measuring.invocations : kRoundsOfABuild;
  MeasuringPlan plan;
  Spool spool(workspace, job);
  Measured measured;
  BothRuns runs;
  std::set<std::string> contents;
  for (int build = 1; build <= builds && !measured.interrupted; ++build) {
    const BothCommits both(workspace, of_base, of_candidate, environment, "--rebuild", build);
    if (build == 1) {
      plan = plan_measuring(workspace, both, policy, measuring, {}, builds * left.invocations, environment);
      if (plan.measures_nothing()) {
        note_same_programs(plan, both, job, runs);
        store_runs(workspace, runs.all(), nullptr);
        return plan;
      }
      left.only = plan.only;
      left.is_likely_changed = source_changed(workspace, both, policy);
      if (left.budget) left.budget->seconds /= builds;
    }
    contents.insert(content_of(both.targets()[0]));
    left.build = build;
    left.first_round = measured.next_round;
    append(measure_targets(workspace, targets_as_planned(both.targets(), plan), left, environment, spool),
           measured);
    if (build == 1 && !measured.out_of_time.empty()) left.only = names_in(measured);
    runs = both.runs_of(measured, job, left);
    if (build == builds || measured.interrupted) note_same_programs(plan, both, job, runs);
  }
  if (contents.size() == 1 && builds > 1)
    workspace.note("all builds of " + printable(base) +
                   " are the same files: the build commands make nothing of " + kBuildSeedVariable +
                   ", so that only the size of the environment differs (docs/measuring.md)");
  plan.out_of_time = measured.out_of_time;
  store_runs(workspace, runs.all(), &spool);
  throw_if_interrupted(measured);
  require_results(plan.targets, measured);
  return plan;
}

MeasuringPlan measure_both(const Workspace& workspace, const std::string& base, const std::string& candidate,
                           const Policy& policy, const MeasureRequest& measuring) {
  const LocalEnvironment environment;
  const BothCommits both(workspace, {base, workspace.repository().resolve(base)},
                         {candidate, workspace.repository().resolve(candidate)}, environment, "--measure");
  const int rounds =
      measuring.invocations > 0 ? measuring.invocations : workspace.config().measure.invocations;
  MeasuringPlan plan = plan_measuring(workspace, both, policy, measuring, {}, rounds, environment);
  const std::string job = new_job_id();
  if (plan.measures_nothing()) {
    BothRuns noted;
    note_same_programs(plan, both, job, noted);
    store_runs(workspace, noted.all(), nullptr);
    return plan;
  }
  MeasureRequest left = measuring;
  left.only = plan.only;
  left.is_likely_changed = source_changed(workspace, both, policy);
  Spool spool(workspace, job);
  const Measured measured = measure_targets(workspace, plan.targets, left, environment, spool);
  plan.out_of_time = measured.out_of_time;
  BothRuns runs = both.runs_of(measured, job, left);
  note_same_programs(plan, both, job, runs);
  store_runs(workspace, runs.all(), &spool);
  throw_if_interrupted(measured);
  require_results(plan.targets, measured);
  return plan;
}

// Everything is measured: which files of a working tree have changed since what was built is not known.
BothRuns measure_working_tree(const Workspace& workspace, const std::string& base,
                              const MeasureRequest& measuring) {
  const LocalEnvironment environment;
  const BothCommits both(workspace, {base, workspace.repository().resolve(base)},
                         {kWorkingTreeWords, workspace.repository().resolve("HEAD"), true}, environment,
                         "--worktree");
  const std::string job = new_job_id();
  Spool spool(workspace, job);
  const Measured measured = measure_targets(workspace, both.targets(), measuring, environment, spool);
  BothRuns runs = both.runs_of(measured, job, measuring);
  store_runs(workspace, runs.all(), &spool);
  throw_if_interrupted(measured);
  require_results(both.targets(), measured);
  return runs;
}

}  // namespace tracker
