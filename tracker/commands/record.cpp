#include <CLI/CLI.hpp>

#include "tracker/app/recording.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/line_options.hpp"
#include "tracker/commands/print_recorded.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker {
namespace {

struct RecordOptions {
  RecordRequest request;
  std::string gpu;
  std::string cpu;
  std::string format = "text";
};

ExitCode record(const Globals& globals, const RecordOptions& options) {
  const Workspace workspace(globals);
  RecordRequest request = options.request;
  if (!options.gpu.empty() || !options.cpu.empty()) {
    request.device = Device{};
    request.device->kind = options.gpu.empty() ? DeviceKind::kCpu : DeviceKind::kGpu;
    request.device->model = options.gpu.empty() ? options.cpu : options.gpu;
  }
  const std::vector<Run> runs = runs_to_record(workspace, request);
  store_runs(workspace, runs, nullptr);
  for (const auto& run : runs)
    if (const std::string note = cpu_time_note(run, workspace.config().policy); !note.empty())
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

}  // namespace tracker
