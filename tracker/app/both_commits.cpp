#include "tracker/app/both_commits.hpp"

#include <algorithm>
#include <chrono>

#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/measure/invoke.hpp"
#include "tracker/measure/listing.hpp"

namespace tracker::app {
namespace {

std::string label_of(const NamedCommit& named) {
  if (named.in_place) return named.label;
  const std::string id = short_id(named.commit.id);
  const bool is_id = named.commit.id.starts_with(named.label);  // as a workflow names commits
  return is_id ? id : named.label + " (" + id + ")";
}

}  // namespace

NamedCommit commit_named(const Workspace& workspace, const std::string& revision) {
  return {revision, workspace.repository().resolve(revision)};
}

NamedCommit working_tree(const Workspace& workspace) {
  return {kWorkingTreeWords, workspace.repository().resolve("HEAD"), true};
}

Side side_of(const NamedCommit& named) {
  Side side;
  side.label = named.label;
  side.commit = named.commit.id;
  side.subject = named.commit.subject;
  return side;
}

std::vector<Run> BothRuns::all() const {
  std::vector<Run> runs = base;
  runs.insert(runs.end(), candidate.begin(), candidate.end());
  return runs;
}

BothCommits::BothCommits(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate,
                         const std::string& option, int build)
    : base_commit_(base.commit.id), candidate_commit_(candidate.commit.id) {
  const Config& config = workspace.config();
  measure::require_build(config.measure, config.binaries, option);
  measure::require_wanted_here(config.binaries, workspace.machine());
  if (!candidate.in_place && candidate.label == "HEAD" && workspace.repository().is_dirty())
    workspace.note("uncommitted changes are not measured: the commit HEAD is");
  catch_interrupts();
  std::vector<const NamedCommit*> commits{&base};
  if (!candidate.in_place) commits.push_back(&candidate);
  std::vector<repo::WantedBuild> wanted;
  for (const auto* named : commits) {
    recipes_.push_back(recipe_at(workspace, named->commit.id, build));
    wanted.push_back({named->commit.id, measure::build_recipe(recipes_.back().measure)});
  }
  if (candidate.in_place) recipes_.push_back({{}, config.measure, config.binaries, config.measure.build});
  const auto names = repo::worktree_names(workspace.repository(), wanted, config.measure.worktrees);
  // What a build left in CI may be a stranger's, whose pull request was measured before: nothing of it stays.
  const repo::Kept kept = workspace.in_ci() ? repo::Kept::kNo : repo::Kept::kYes;
  for (std::size_t side = 0; side < commits.size(); ++side)
    trees_.push_back(std::make_unique<repo::Worktree>(workspace.repository(), names[side],
                                                      commits[side]->commit.id, kept));
  if (build <= 1) note_recipes(workspace, base, candidate);
  const auto shared = shared_places(workspace);
  for (std::size_t side = 0; side < commits.size(); ++side) {
    const std::string label = label_of(*commits[side]);
    workspace.note("building " + label + (build > 0 ? ", build " + std::to_string(build) : ""));
    build_in(workspace, *trees_[side], recipes_[side], label);
    targets_.push_back(target_at(workspace, recipes_[side], label, trees_[side]->root(), shared));
    if (side == 0) measure::require_startable(targets_.front(), workspace.note_function());
  }
  if (candidate.in_place) {
    workspace.note("building " + candidate.label);
    build_in_place(workspace, option);
    targets_.push_back(target_at(workspace, recipes_.back(), candidate.label, workspace.root(), shared));
  }
  require_own_files(targets_);
  for (auto& target : targets_) target.shared.ended = std::chrono::system_clock::now();
  run_makers_.emplace_back(workspace, targets_[0], base_commit_);
  run_makers_.emplace_back(workspace, targets_[1], candidate_commit_, candidate.in_place);
  if (!workspace.machine().has_gpu())
    workspace.note("no NVIDIA GPU here (" + workspace.machine().why_no_gpu() + "): measuring on the CPU");
}

void BothCommits::note_recipes(const Workspace& workspace, const NamedCommit& base,
                               const NamedCommit& candidate) const {
  const std::string sides = label_of(base) + " and " + label_of(candidate);
  const std::string hidden = hidden_difference(recipes_[0], recipes_[1]);
  const std::string change =
      measure::commands_difference(recipes_[0].measure.build, recipes_[1].measure.build);
  if (!hidden.empty())
    workspace.note("measure.build differs between " + sides + " (" + hidden +
                   "), and both are built by the configuration in use: what that changes is not measured");
  else if (!change.empty())
    workspace.note("measure.build differs between " + sides + " (" + change +
                   "): each is built as its own tracker.toml says");
  const bool is_head = !candidate.in_place && workspace.repository().resolve("HEAD").id == candidate_commit_;
  if (is_head && !workspace.has_named_config() &&
      recipes_[1].measure.build != workspace.config().measure.build)
    workspace.note(
        "tracker.toml of the working tree names other build commands than HEAD's: not used "
        "(--config tracker.toml builds both sides by them)");
}

BothRuns BothCommits::runs_of(const measure::Measured& measured, const std::string& job,
                              const MeasureRequest& measuring) const {
  // What one side has is not lost because the other has nothing.
  const bool has_candidate = !measured.files[1].empty();
  BothRuns runs;
  if (!measured.files[0].empty() || !has_candidate)
    runs.base = run_makers_[0].runs_of(measured, 0, job, measuring);
  if (has_candidate) runs.candidate = run_makers_[1].runs_of(measured, 1, job, measuring);
  return runs;
}

void require_results(const std::vector<measure::Target>& targets, const measure::Measured& measured) {
  for (std::size_t side = 0; side < targets.size(); ++side)
    if (measured.files[side].empty())
      throw Error(ExitCode::kEnvironment, "no benchmark binary delivered results at " + targets[side].label +
                                              "; what was measured at " + targets[1 - side].label +
                                              " is recorded");
}

namespace {

// Of binaries whose bytes do not differ from build to build, the layout is the same as well.
std::string content_of(const measure::Target& target) {
  constexpr std::size_t kBytesMax = std::size_t{1} << 31U;
  std::string content;
  for (const auto& binary : target.binaries)
    content += std::to_string(std::hash<std::string>{}(
                   read_file(measure::binary_path(target.root, binary), kBytesMax))) +
               " ";
  return content;
}

// The binaries of a plan, in a later build.
std::vector<measure::Target> targets_as_planned(std::vector<measure::Target> targets,
                                                const MeasuringPlan& plan) {
  for (std::size_t side = 0; side < targets.size(); ++side)
    std::erase_if(targets[side].binaries, [&](const Binary& binary) {
      const auto& planned = plan.targets[side].binaries;
      return std::ranges::none_of(planned,
                                  [&](const Binary& other) { return is_same_binary(other, binary); });
    });
  return targets;
}

// Whether the file that the policy names as a benchmark's source differs between both commits.
std::function<bool(const std::string&)> source_changed(const Workspace& workspace, const BothCommits& both,
                                                       const Policy& policy) {
  const auto changed =
      repo::changed_files(workspace.repository(), both.base_commit(), both.candidate_commit());
  if (!changed) return {};
  return [policy, files = std::set<std::string>(changed->begin(), changed->end())](const std::string& name) {
    return files.contains(gate_for(policy, {.name = renamed(name, policy.renames)}).source);
  };
}

std::vector<std::string> names_in(const measure::Measured& measured) {
  std::set<std::string> names;
  for (const auto& files : measured.files)
    for (const auto& file : files)
      for (const auto& benchmark : file.benchmarks) names.insert(benchmark.name);
  return {names.begin(), names.end()};
}

}  // namespace

void record_same_programs(const Workspace& workspace, const MeasuringPlan& plan, const BothCommits& both) {
  BothRuns noted;
  note_same_programs(plan, both, new_job_id(), noted);
  store_runs(workspace, noted.all(), nullptr);
}

MeasuredBoth measure_both(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate,
                          const Policy& policy, const MeasureRequest& measuring, int builds) {
  constexpr int kRoundsOfABuild = 2;
  const std::string option = candidate.in_place ? "--worktree" : builds > 0 ? "--rebuild" : "--measure";
  MeasureRequest left = measuring;
  if (builds > 0 && left.invocations == 0) left.invocations = kRoundsOfABuild;
  const int rounds = left.invocations > 0 ? left.invocations : workspace.config().measure.invocations;
  MeasuringPlan plan;
  std::optional<Spool> spool;
  measure::Measured measured;
  BothRuns runs;
  std::set<std::string> contents;
  const int last = std::max(builds, 1);
  for (int build = 1; build <= last && !measured.interrupted; ++build) {
    const BothCommits both(workspace, base, candidate, option, builds > 0 ? build : 0);
    if (candidate.in_place) {
      plan.targets = both.targets();  // which files have changed since what was built is not known
    } else if (build == 1) {
      plan = plan_measuring(workspace, both, policy, measuring, {}, last * rounds);
      if (plan.measures_nothing()) {
        record_same_programs(workspace, plan, both);
        return {plan, {}};
      }
      left.only = plan.only;
      left.is_likely_changed = source_changed(workspace, both, policy);
      if (left.budget) left.budget->seconds /= last;
    }
    if (!spool) spool.emplace(workspace);
    if (builds > 0) {
      contents.insert(content_of(both.targets()[0]));
      left.build = build;
    }
    left.first_round = measured.next_round;
    measure::append(measure_targets(workspace, targets_as_planned(both.targets(), plan), left, *spool),
                    measured);
    if (build < last && !measured.out_of_time.empty()) left.only = names_in(measured);
    runs = both.runs_of(measured, spool->job(), left);
    if (build == last || measured.interrupted) note_same_programs(plan, both, spool->job(), runs);
  }
  if (contents.size() == 1)
    workspace.note("all builds of " + base.label +
                   " are the same files: the build commands make nothing of " + measure::kBuildSeedVariable +
                   ", so that only the size of the environment differs (docs/measuring.md)");
  plan.out_of_time = measured.out_of_time;
  store_runs(workspace, runs.all(), &*spool);
  throw_if_interrupted(measured);
  require_results(plan.targets, measured);
  return {plan, runs};
}

}  // namespace tracker::app
