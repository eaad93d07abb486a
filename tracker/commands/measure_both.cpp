#include "tracker/commands/measure_both.hpp"

#include "tracker/base/interrupt.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/repo/worktree.hpp"

namespace tracker {
namespace {

// Builds a commit in its worktree, and says what to measure there: the binaries of tracker.toml as it
// stands in the working tree. One that the commit does not build is not there.
Target build_target(const Workspace& workspace, const std::string& label, const Worktree& worktree,
                    const LocalEnvironment& environment) {
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

void measure_both(const Workspace& workspace, const std::string& base, const std::string& candidate,
                  const MeasureWishes& wishes) {
  const Config& config = workspace.config();
  if (config.measure.build.empty())
    throw Error(ExitCode::kUsage, "--measure builds both commits, but tracker.toml names no build commands",
                "name them: [measure] build = [[\"cmake\", \"--workflow\", \"--preset\", \"release\"]]");
  const Commit was = workspace.repository().resolve(base);
  const Commit is = workspace.repository().resolve(candidate);
  if (candidate == "HEAD" && workspace.repository().is_dirty())
    print_note("uncommitted changes are not measured: the commit HEAD is");
  const LocalEnvironment environment;
  catch_interrupts();
  const Worktree base_tree(workspace.repository(), "a", was.id);
  const Worktree candidate_tree(workspace.repository(), "b", is.id);
  const std::vector<Target> targets{
      build_target(workspace, printable(base) + " (" + short_id(was.id) + ")", base_tree, environment),
      build_target(workspace, printable(candidate) + " (" + short_id(is.id) + ")", candidate_tree,
                   environment)};
  if (!environment.has_gpu())
    print_note("no NVIDIA GPU here (" + environment.why_no_gpu() + "): measuring on the CPU");

  const std::string job = new_job_id();
  Spool spool(workspace.repository(), job);
  const Measured measured = measure_targets(targets, config.measure, wishes, environment, spool);
  RunFacts facts{
      .id = job + "-a", .job = job, .commit = was.id, .filter = wishes.filter, .isolated = wishes.isolate};
  auto runs = runs_of(measured, targets, 0, facts);
  facts.id = job + "-b";
  facts.commit = is.id;
  for (auto& run : runs_of(measured, targets, 1, facts)) runs.push_back(std::move(run));
  store_runs(workspace, runs, &spool);
}

}  // namespace tracker
