#include "tracker/commands/both_commits.hpp"

#include "tracker/base/interrupt.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/measure/build.hpp"

namespace tracker {
namespace {

// Builds a commit in its worktree, and says what to measure there: the binaries of tracker.toml as it
// stands in the working tree. One that the commit does not build is not there.
Target build_target(const Workspace& workspace, const NamedCommit& named, const Worktree& worktree,
                    const LocalEnvironment& environment) {
  const std::string id = short_id(named.commit.id);
  const bool is_id = named.commit.id.starts_with(named.label);  // as a workflow names commits
  const std::string label = is_id ? id : printable(named.label) + " (" + id + ")";
  print_note("building " + label);
  build_at(worktree.root(), workspace.config().measure, label);
  std::vector<Binary> built;
  for (const auto& binary : workspace.config().binaries) {
    if (std::filesystem::is_regular_file(binary_path(worktree.root(), binary)))
      built.push_back(binary);
    else if (environment.wants(binary.when))
      print_note("'" + printable(binary.path) + "' is not built at " + label);
  }
  const auto& wanted = built.empty() ? workspace.config().binaries : built;
  return {label, worktree.root(), binaries_here(wanted, worktree.root(), environment)};
}

}  // namespace

void BothRuns::set_looks(const std::vector<int>& looks) {
  for (auto* side : {&base, &candidate})
    for (auto& run : *side) run.looks = looks;
}

std::vector<Run> BothRuns::all() const {
  std::vector<Run> runs = base;
  runs.insert(runs.end(), candidate.begin(), candidate.end());
  return runs;
}

BothCommits::BothCommits(const Workspace& workspace, const NamedCommit& base, const NamedCommit& candidate,
                         const LocalEnvironment& environment, const std::string& option)
    : base_commit_(base.commit.id), candidate_commit_(candidate.commit.id) {
  if (workspace.config().measure.build.empty())
    throw Error(ExitCode::kUsage, option + " builds both commits, but tracker.toml names no build commands",
                "name them: [measure] build = [[\"cmake\", \"--workflow\", \"--preset\", \"release\"]]");
  if (candidate.label == "HEAD" && workspace.repository().is_dirty())
    print_note("uncommitted changes are not measured: the commit HEAD is");
  catch_interrupts();
  base_tree_.emplace(workspace.repository(), "a", base_commit_);
  candidate_tree_.emplace(workspace.repository(), "b", candidate_commit_);
  targets_.push_back(build_target(workspace, base, *base_tree_, environment));
  targets_.push_back(build_target(workspace, candidate, *candidate_tree_, environment));
  if (!environment.has_gpu())
    print_note("no NVIDIA GPU here (" + environment.why_no_gpu() + "): measuring on the CPU");
}

BothRuns BothCommits::runs_of(const Measured& measured, const std::string& job,
                              const MeasureWishes& wishes) const {
  RunFacts base{.id = job + "-a", .job = job, .commit = base_commit_, .filter = wishes.filter};
  base.isolated = wishes.isolate;
  RunFacts candidate = base;
  candidate.id = job + "-b";
  candidate.commit = candidate_commit_;
  return {tracker::runs_of(measured, targets_, 0, base), tracker::runs_of(measured, targets_, 1, candidate)};
}

}  // namespace tracker
