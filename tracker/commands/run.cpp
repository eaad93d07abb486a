#include <CLI/CLI.hpp>

#include "tracker/app/recording.hpp"
#include "tracker/app/side_build.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/interrupt.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/commands/print_recorded.hpp"
#include "tracker/commands/terminal.hpp"

namespace tracker {
namespace {

struct RunOptions {
  std::vector<std::string> binaries;
  MeasureWishes wishes;
  bool build = false;
};

ExitCode run(const Globals& globals, const RunOptions& options) {
  const Workspace workspace(globals);
  const Commit commit = workspace.repository().resolve("HEAD");
  const bool dirty = workspace.repository().is_dirty();
  const LocalEnvironment environment;

  catch_interrupts();
  if (options.build) build_in_place(workspace, "--build");
  Target target;
  target.root = workspace.root();
  target.binaries = binaries_here(named_binaries(options.binaries, workspace.config(), target.root),
                                  target.root, environment);
  if (!environment.has_gpu())
    print_note("no NVIDIA GPU here (" + environment.why_no_gpu() + "): measuring on the CPU");

  const std::string job = new_job_id();
  Spool spool(workspace, job);
  const Measured measured = measure_targets(workspace, {target}, options.wishes, environment, spool);
  const auto runs = runs_of(measured, {target}, 0,
                            {.id = job,
                             .job = job,
                             .commit = commit.id,
                             .dirty = dirty,
                             .filter = options.wishes.filter,
                             .isolated = options.wishes.isolate});
  store_runs(workspace, runs, &spool);
  print_recorded(workspace, runs);
  throw_if_interrupted(measured);
  return measured.failures.empty() ? ExitCode::kOk : ExitCode::kEnvironment;
}

}  // namespace

std::function<ExitCode()> declare_run(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<RunOptions>();
  auto& wishes = options->wishes;
  app.add_option(
      "binaries", options->binaries,
      "benchmark binaries instead of those in tracker.toml (after --). What starts with '-' behind a "
      "binary is passed to it, and so is what follows that, unless it is the path of a program: "
      "tracker run -- ./a --benchmark_min_time=0.1s ./b");
  declare_measure_options(app, wishes);
  app.add_flag("--keep", wishes.keep, "on Ctrl-C record the invocations that are complete");
  app.add_flag("--build", options->build, "run the build commands of tracker.toml first");
  app.footer("Exit codes: 0 recorded, 2 usage, 4 a binary, the build or the store failed.");
  return [options, &globals] { return run(globals, *options); };
}

}  // namespace tracker
