#include <algorithm>

#include <CLI/CLI.hpp>

#include "tracker/app/recording.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/print_recorded.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/file_side.hpp"
#include "tracker/formats/measured_file.hpp"

namespace tracker {
namespace {

struct RecordOptions {
  std::vector<std::string> files;
  std::string commit = "HEAD";
  std::string gpu;
  std::string cpu;
  std::string prefix;
  std::string better;
};

void name_device(BenchmarkFile& file, const RecordOptions& options) {
  if (!options.gpu.empty() || !options.cpu.empty()) {
    if (!file.device) file.device = Device{};
    file.device->kind = options.gpu.empty() ? DeviceKind::kCpu : DeviceKind::kGpu;
    file.device->model = options.gpu.empty() ? options.cpu : options.gpu;
    file.device = named_device(*file.device, file.host);
  }
  if (!file.device)
    throw Error(ExitCode::kUsage,
                "'" + printable(file.source) + "' does not say which device it was measured on",
                "say it: --gpu \"NVIDIA H200\" or --cpu \"AMD EPYC 9654\"");
}

void refuse_mixed_devices(const std::vector<BenchmarkFile>& files) {
  const std::string first = device_key(*files.front().device);
  for (const auto& file : files)
    if (const std::string key = device_key(*file.device); key != first)
      throw Error(ExitCode::kUsage,
                  "the files are of different devices: '" + printable(files.front().source) + "' of " +
                      first + ", '" + printable(file.source) + "' of " + key,
                  "record them one device at a time");
}

ExitCode record(const Globals& globals, const RecordOptions& options) {
  const Workspace workspace(globals);
  const Commit commit = workspace.repository().resolve(options.commit);
  std::vector<BenchmarkFile> files;
  std::vector<Run> runs;
  // The same files give the same run id, so that recording them twice adds nothing.
  std::uint32_t hash = fnv1a(kEmptyHash, options.prefix);
  for (const auto& argument : options.files)
    for (const auto& path : measured_files_at(argument)) {
      MeasuredFile file = read_measured_file(path, &hash);
      // What a run left behind that could not be stored: whole documents, each with its own commit.
      for (auto& run : file.runs) runs.push_back(std::move(run));
      for (auto& invocation : file.invocations) {
        require_direction(invocation, options.better);
        put_prefix(invocation, options.prefix);
        files.push_back(std::move(invocation));
      }
    }
  if (!files.empty()) {
    std::vector<const BenchmarkFile*> all;
    for (const auto& file : files) all.push_back(&file);
    require_repetitions(all);
    for (auto& file : files) name_device(file, options);
    note_left_aside(workspace, {&files});
    refuse_mixed_devices(files);
    std::stable_sort(files.begin(), files.end(), [](const BenchmarkFile& a, const BenchmarkFile& b) {
      return a.invocation.started_at < b.invocation.started_at;
    });
    const auto when = parse_time(files.front().invocation.started_at);
    const std::string id = run_id_of(when.value_or(std::chrono::system_clock::time_point{}), hash);
    for (auto& run : assemble_runs(std::move(files), {.id = id, .job = id, .commit = commit.id}))
      runs.push_back(std::move(run));
  }
  store_runs(workspace, runs, nullptr);
  print_recorded(workspace, runs);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_record(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<RecordOptions>();
  app.add_option(
         "files", options->files,
         "results of Google Benchmark, nvbench, nanobench, pytest-benchmark, hyperfine or Criterion, or rows "
         "(CSV, JSON lines) of any program, one invocation a file; folders of them")
      ->required();
  app.add_option("--commit", options->commit, "the commit they were measured at (default HEAD)");
  auto* gpu = app.add_option("--gpu", options->gpu, "the GPU's model, where the files do not say it");
  app.add_option("--cpu", options->cpu, "the CPU's model, where they ran on no GPU")->excludes(gpu);
  app.add_option("--prefix", options->prefix,
                 "goes before the names of all benchmarks, as a [[binary]]'s prefix does");
  app.add_option("--better", options->better,
                 "whether 'lower' or 'higher' values are better, where a file does not say it")
      ->check(CLI::IsMember({"lower", "higher"}));
  app.footer("Exit codes: 0 recorded, 2 a file or the usage is wrong, 4 the store failed.");
  return [options, &globals] { return record(globals, *options); };
}

}  // namespace tracker
