#include <algorithm>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "tracker/app/both_commits.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/app/recording.hpp"
#include "tracker/app/side_build.hpp"
#include "tracker/app/store_documents.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/series.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/measure/boards.hpp"
#include "tracker/report/data_table.hpp"

namespace tracker::commands {
namespace {

// Says on standard output what was recorded with its values, and on standard error which benchmarks reported
// an error. `format`: "text", or for programs "json", "csv" or "sql".
void print_recorded(const app::Workspace& workspace, const std::vector<Run>& runs,
                    const std::string& format) {
  constexpr std::size_t kRowsMax = 40;  // more scroll away what was said before
  const Policy& policy = workspace.config().policy;
  report::DataTable all{"benchmarks", {}, {}};
  for (const auto& run : runs) {
    for (const auto& benchmark : run.benchmarks)
      if (benchmark.error)
        print_note("benchmark " + in_quotes(benchmark.name) +
                   (benchmark.skipped ? " was skipped: " : " reported: ") + *benchmark.error);
    if (app::is_dropped_run(workspace.store(), {device_key(run.device), run.commit, run.id}))
      print_note("warning: run '" + run.id +
                 "' was dropped (tracker store drop) and stays left out of all answers; measure again: a new "
                 "run has another id");
    if (format != "text") {
      report::DataTable table = report::measured_table(run, policy);
      all.columns = std::move(table.columns);
      std::move(table.rows.begin(), table.rows.end(), std::back_inserter(all.rows));
      continue;
    }
    std::cout << report::write_measured(run, policy, terminal_columns() > 0 ? kRowsMax : 0);
    const auto measured = std::count_if(run.benchmarks.begin(), run.benchmarks.end(),
                                        [](const Benchmark& benchmark) { return !benchmark.skipped; });
    std::cout << fit_row("recorded " + count_of(static_cast<std::size_t>(measured), "benchmark") + " × " +
                         count_of(static_cast<std::size_t>(invocation_count(run)), "invocation") + " for " +
                         describe(workspace.repository().resolve(run.commit)))
              << "\n"
              << "  device  " << device_key(run.device) << " (" << printable(run.device.model) << ")\n"
              << "  run     " << run.id << " in " << workspace.store().describe() << "\n";
    if (run.dirty)
      std::cout << "  note    the working tree has uncommitted changes: this run is marked dirty, and a "
                   "clean one is "
                   "preferred to it\n";
  }
  if (format != "text") std::cout << report::write_tables(format, "tracker.run-summary/1", {all});
}

struct RunOptions {
  std::vector<std::string> binaries;
  app::MeasureRequest measuring;
  bool build = false;
  std::string format = "text";
  bool sentinel = false;
  std::string against;  // the base of the comparison to come; empty: none is known
};

ExitCode measure_and_record(const app::Workspace& workspace, const app::RunMaker& maker,
                            const app::MeasureRequest& measuring, const std::string& format,
                            const std::function<void(const std::string& job, std::vector<Run>&)>& note) {
  app::Spool spool(workspace);
  const measure::Measured measured = app::measure_targets(workspace, {maker.target()}, measuring, spool);
  auto runs = maker.runs_of(measured, 0, spool.job(), measuring);
  note(spool.job(), runs);
  app::store_runs(workspace, runs, &spool);
  print_recorded(workspace, runs, format);
  app::throw_if_interrupted(measured);
  return measured.failures.empty() ? ExitCode::kOk : ExitCode::kEnvironment;
}

// Measures of the commit HEAD what is another program than at the base, and notes the rest: as compare
// --measure would, so that a comparison with this base has nothing more to find out.
ExitCode run_against(const Globals& globals, const RunOptions& options) {
  if (!options.binaries.empty())
    throw Error(ExitCode::kUsage, "--against builds what tracker.toml names, and binaries are named",
                "leave one of them out");
  const app::Workspace workspace(globals);
  const app::BothCommits both(workspace, app::commit_named(workspace, options.against),
                              app::commit_named(workspace, "HEAD"), "--against");
  app::MeasureRequest measuring = options.measuring;
  const int rounds =
      measuring.invocations > 0 ? measuring.invocations : workspace.config().measure.invocations;
  const Policy policy = app::policy_between(workspace, workspace.config().policy, options.against, "HEAD");
  const app::MeasuringPlan plan = app::plan_measuring(workspace, both, policy, measuring, {}, rounds);
  if (plan.measures_nothing()) {
    app::record_same_programs(workspace, plan, both);
    print_line("measured nothing: the programs of HEAD are those of " + options.against +
               ", which is noted for " + describe(workspace.repository().resolve("HEAD")));
    return ExitCode::kOk;
  }
  measuring.only = plan.only;
  const app::RunMaker maker(workspace, plan.targets[1], both.candidate_commit());
  return measure_and_record(workspace, maker, measuring, options.format,
                            [&](const std::string& job, std::vector<Run>& runs) {
                              app::BothRuns noted{{}, std::move(runs)};
                              app::note_same_programs(plan, both, job, noted);
                              runs = std::move(noted.candidate);
                            });
}

// Measures the commit of [sentinel], built apart from HEAD, as what the machine does with code that stays the
// same.
ExitCode run_sentinel(const Globals& globals, const RunOptions& options) {
  const app::Workspace workspace(globals);
  const SentinelSettings& sentinel = workspace.config().policy.sentinel;
  if (sentinel.commit.empty())
    throw Error(ExitCode::kUsage, "tracker.toml has no [sentinel]",
                "name a commit that stays the same: [sentinel] commit = \"v1.0\"");
  if (const auto why = history::why_no_sentinel(workspace.repository(), workspace.config().policy))
    throw *why;
  const Commit commit = workspace.repository().resolve(sentinel.commit);
  catch_interrupts();
  app::BuildPool pool(workspace, 1, "--sentinel");
  const app::BuiltCommit* built = pool.get(commit);
  if (built == nullptr)
    throw Error(ExitCode::kEnvironment, "the sentinel " + sentinel.commit + ": " + pool.why_not(),
                "name a commit in [sentinel] that builds on this machine");
  app::MeasureRequest measuring = options.measuring;
  measuring.only = app::sentinel_benchmarks(workspace.config().policy, built->target);
  const app::RunMaker maker(workspace, built->target, commit.id);
  return measure_and_record(workspace, maker, measuring, options.format,
                            [](const std::string&, std::vector<Run>& runs) {
                              for (auto& run : runs) run.sentinel = true;
                            });
}

ExitCode run(const Globals& globals, const RunOptions& options) {
  const app::Workspace workspace(globals);
  const Commit commit = workspace.repository().resolve("HEAD");
  const bool dirty = workspace.repository().is_dirty();

  catch_interrupts();
  measure::Target target;
  target.root = workspace.root();
  const auto named = app::named_binaries(options.binaries, workspace.config(), target.root);
  measure::require_wanted_here(named, workspace.machine());
  if (options.build) app::build_in_place(workspace, "--build");
  target.binaries = measure::binaries_here(named, target.root, workspace.machine());
  if (!workspace.machine().has_gpu())
    print_note("no NVIDIA GPU here (" + workspace.machine().why_no_gpu() + "): measuring on the CPU");

  const app::RunMaker maker(workspace, target, commit.id, dirty);
  return measure_and_record(workspace, maker, options.measuring, options.format,
                            [](const std::string&, std::vector<Run>&) {});
}

}  // namespace

std::function<ExitCode()> declare_run(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<RunOptions>();
  auto& measuring = options->measuring;
  app.add_option(
      "binaries", options->binaries,
      "benchmark binaries instead of those in tracker.toml (after --). What starts with '-' behind a "
      "binary is passed to it, and so is what follows that, unless it is the path of a program: "
      "tracker run -- ./a --benchmark_min_time=0.1s ./b");
  declare_measure_options(app, measuring);
  declare_budget(app, measuring);
  app.add_flag("--keep", measuring.keep, "on Ctrl-C record the invocations that are complete");
  app.add_flag("--build", options->build, "run the build commands of tracker.toml first");
  auto* sentinel =
      app.add_flag("--sentinel", options->sentinel,
                   "instead of HEAD build and measure the commit that [sentinel] in tracker.toml "
                   "names: it tells how fast the machine itself is");
  sentinel->excludes("--build");
  auto* against = app.add_option(
      "--against", options->against,
      "build this commit and HEAD, each in a worktree, and measure only those programs of HEAD that "
      "differ; comparing both calls the rest unchanged");
  sentinel->excludes(against);
  add_table_format(app, options->format);
  app.footer("Exit codes: 0 recorded, 2 usage, 4 a binary, the build or the store failed.");
  return [options, &globals] {
    if (options->sentinel) return run_sentinel(globals, *options);
    return options->against.empty() ? run(globals, *options) : run_against(globals, *options);
  };
}

namespace {

struct RecordOptions {
  app::RecordRequest request;
  std::string gpu;
  std::string cpu;
  std::string format = "text";
};

ExitCode record(const Globals& globals, const RecordOptions& options) {
  const app::Workspace workspace(globals);
  app::RecordRequest request = options.request;
  if (!options.gpu.empty() || !options.cpu.empty()) {
    request.device = Device{};
    request.device->kind = options.gpu.empty() ? DeviceKind::kCpu : DeviceKind::kGpu;
    request.device->model = options.gpu.empty() ? options.cpu : options.gpu;
  }
  const std::vector<Run> runs = app::runs_to_record(workspace, request);
  app::store_runs(workspace, runs, nullptr);
  for (const auto& run : runs)
    if (const std::string note = judge::cpu_time_note(run, workspace.config().policy); !note.empty())
      workspace.note("warning: " + note);
  print_recorded(workspace, runs, options.format);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_record(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<RecordOptions>();
  app.add_option(
         "files", options->request.files,
         "results of Google Benchmark, nvbench, nanobench, pytest-benchmark, hyperfine or Criterion, or rows "
         "(CSV, JSON lines) of any program, one invocation a file; folders of them")
      ->required();
  app.add_option("--commit", options->request.commit,
                 "the commit they were measured at (default: the one that each file names, else HEAD)");
  auto* gpu = app.add_option("--gpu", options->gpu, "the GPU's model, where the files do not say it");
  app.add_option("--cpu", options->cpu, "the CPU's model, where they ran on no GPU")->excludes(gpu);
  app.add_option("--prefix", options->request.prefix,
                 "goes before the names of all benchmarks, as a [[binary]]'s prefix does");
  app.add_option("--better", options->request.better,
                 "whether 'lower' or 'higher' values are better, where a file does not say it")
      ->check(CLI::IsMember({"lower", "higher"}));
  add_table_format(app, options->format);
  app.add_option("--job", options->request.job,
                 "the files are of this one job, whatever hosts they name; recorded under one name, the "
                 "invocations of two commits are pairs");
  app.footer("Exit codes: 0 recorded, 2 a file or the usage is wrong, 4 the store failed.");
  return [options, &globals] { return record(globals, *options); };
}

namespace {

struct LeaseOptions {
  app::MeasureRequest measuring;
  bool cpu = false;
  double wait_max_s = 3600;
  std::vector<std::string> command;
};

// Of the leased things, so that what it starts has the same and waits for none of it.
std::map<std::string, std::string> environment_of(const measure::LeasedBoards& leased) {
  auto names = leased.boards.names();
  std::map<std::string, std::string> environment;
  if (!names.empty()) environment["CUDA_VISIBLE_DEVICES"] = join(names, ",");
  const auto host = leased.host.names();
  names.insert(names.end(), host.begin(), host.end());
  environment[kLeasedVariable] = join(names, ",");
  return environment;
}

ExitCode lease(const Globals& globals, const LeaseOptions& options) {
  const measure::LocalEnvironment environment;
  measure::BoardRequest request;
  request.gpus = options.measuring.gpus;
  if (request.gpus.empty() && environment.has_gpu() && !options.cpu) request.gpus = "1";
  if (options.cpu || !environment.has_gpu()) request.binaries.emplace_back().device = RunsOn::kCpu;
  request.wait_max_s = options.wait_max_s;
  request.holder = "tracker lease -- " + printable(options.command.front());
  request.tell = [&](const std::string& text) { globals.observer->note(text); };
  const measure::LeasedBoards leased = measure::lease_boards(request, environment);
  const auto result = run_in_foreground(options.command, environment_of(leased));
  if (!result.start_error.empty())
    throw Error(ExitCode::kEnvironment,
                "cannot start " + in_quotes(options.command.front()) + ": " + result.start_error,
                "name a program behind --: tracker lease -- ./benchmark");
  return static_cast<ExitCode>(result.exit_code);
}

}  // namespace

std::function<ExitCode()> declare_lease(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<LeaseOptions>();
  declare_gpus(app, options->measuring,
               "lease these GPUs: 'all' that are free, a number of them, or their "
               "UUIDs (default: one, or the CPUs where there is no GPU)");
  app.add_flag("--cpu", options->cpu, "lease the CPUs, which benchmarks of the CPU need");
  app.add_option_function<std::string>(
      "--wait",
      [options](const std::string& text) {
        const auto seconds = parse_duration(text);
        if (!seconds)
          throw Error(ExitCode::kUsage, in_quotes(text) + " is no length of time",
                      "write --wait like 90s, 10m or 1h");
        options->wait_max_s = *seconds;
      },
      "give up after this time (90s, 10m, 1h; default 1h)");
  app.add_option("command", options->command, "the program to start, with its arguments (after --)")
      ->required();
  app.footer(
      "Starts a program while no other tracker measures on the same GPUs, and sets its "
      "CUDA_VISIBLE_DEVICES:\n"
      "  tracker lease --gpus 2 -- ./train.sh\n"
      "Exit codes: the program's own; 2 usage; 4 waited too long, or no GPU is fit.");
  return [options, &globals] { return lease(globals, *options); };
}

}  // namespace tracker::commands
