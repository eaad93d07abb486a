#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/sides.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/history/series.hpp"

namespace tracker {
namespace {

struct Options {
  std::string revision = "HEAD";
  std::string device;
};

// Why a run may not become what others are held against; empty where it may.
std::string why_unfit(const Run& run) {
  if (run.dirty) return "it was measured from a working tree with uncommitted changes";
  if (!run.filter.empty()) return "it measured only what matches '" + printable(run.filter) + "'";
  for (const auto& failure : run.failures) return printable(failure.binary) + " " + printable(failure.what);
  for (const auto& benchmark : run.benchmarks)
    if (benchmark.error) return "benchmark '" + printable(benchmark.name) + "' reported an error";
  for (const auto& invocation : run.invocations) {
    if (invocation.conditions.other_processes.value_or(0) > 0) return "another process was on the GPU";
    if (invocation.conditions.disturbed())
      return "the clocks were held down (" + join(invocation.conditions.throttle_reasons, ", ") + ")";
  }
  return {};
}

void promote_device(const Workspace& workspace, const std::string& device, const SideRuns& side) {
  Baseline baseline{device, side.side.commit, format_utc(std::chrono::system_clock::now()), {}};
  std::string unfit;
  for (const auto& run : side.runs) {
    const std::string why = why_unfit(run);
    if (why.empty())
      baseline.runs.push_back(run);
    else
      unfit = "run " + run.id + ": " + why;
  }
  const std::string commit = short_id(side.side.commit);
  if (baseline.runs.empty())
    throw Error(ExitCode::kCannotJudge,
                "no run of " + commit + " on " + device + " is fit to be a baseline; " + unfit,
                "measure it again: tracker doctor, then tracker run");
  const auto path = workspace.baseline_path(device);
  write_file(path, write_baseline(baseline));
  std::cout << "promoted " << baseline.runs.size() << (baseline.runs.size() == 1 ? " run of " : " runs of ")
            << commit << " to " << std::filesystem::relative(path, workspace.root()).string() << "\n";
}

ExitCode promote(const Globals& globals, const Options& options) {
  const Workspace workspace(globals);
  const Commit commit = workspace.repository().resolve(options.revision);
  const auto devices = matching_devices(devices_of(workspace, options.revision), options.device);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge,
                "no run is stored for " + printable(options.revision) + " (" + short_id(commit.id) + ")",
                "measure it first: tracker run");
  for (const auto& device : devices)
    promote_device(workspace, device, *load_side(workspace, options.revision, device));
  std::cout << "commit it, so that the change of what is expected is reviewed\n";
  return ExitCode::kOk;
}

ExitCode show(const Globals& globals, const Options& options) {
  const Workspace workspace(globals);
  const auto devices = matching_devices(devices_of(workspace, kBaselineWord), options.device);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge, "no baseline in '" + workspace.config().baselines_directory + "'",
                "promote one from a commit that is measured: tracker baseline promote");
  for (const auto& device : devices) {
    const auto side = load_side(workspace, kBaselineWord, device);
    CommitRuns commit;
    commit.runs = side->runs;
    std::cout << device << ": " << short_id(side->side.commit) << ", " << side->side.subject << ", "
              << side->runs.size() << (side->runs.size() == 1 ? " run\n" : " runs\n");
    for (const auto& series : make_series({commit}, device, {}, workspace.config().policy, "")) {
      const auto& point = series.points.front();
      std::cout << "  " << left_aligned(printable(series.benchmark), 44) << "  "
                << right_aligned(format_quantity(point.median, series.metric.unit), 14) << ", median of "
                << point.invocations << "\n";
    }
  }
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_baseline(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<Options>();
  auto* promoting = app.add_subcommand("promote", "make a commit's clean runs the baseline of their device");
  promoting->add_option("revision", options->revision, "the commit (default HEAD)");
  auto* showing = app.add_subcommand("show", "print the promoted baselines");
  for (auto* sub : {promoting, showing})
    sub->add_option("--device", options->device, "only devices that match this pattern");
  app.require_subcommand(1);
  return [options, promoting, &globals] {
    return promoting->parsed() ? promote(globals, *options) : show(globals, *options);
  };
}

}  // namespace tracker
