#include "tracker/measure/invoke.hpp"

#include <chrono>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/measure/executions.hpp"
#include "tracker/measure/selection.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker {
namespace {

constexpr int kHighPriority = -10;  // as nice counts; where it is not allowed, it stays as it is

// One execution to be made.
struct Execution {
  std::filesystem::path output;
  int repetitions = 1;
};

// Interleaved they are one execution. Otherwise each repetition is one: a fresh place in memory and another
// time for each, as interleaving gives another time to each.
std::vector<Execution> executions_of(const InvocationSpec& spec) {
  if (spec.flags.knows(kInterleaving) || spec.repetitions == 1) return {{spec.output, spec.repetitions}};
  std::vector<Execution> executions;
  for (int i = 1; i <= spec.repetitions; ++i) {
    auto output = spec.output;
    if (i > 1)
      output.replace_filename(output.stem().string() + ".execution" + std::to_string(i) +
                              output.extension().string());
    executions.push_back({output, 1});
  }
  return executions;
}

std::vector<std::string> arguments_for(const InvocationSpec& spec, const Execution& execution) {
  // nvbench decides by itself how many samples it takes.
  if (spec.flags.harness == Harness::kNvbench) return {"--jsonbin", execution.output.string()};
  if (spec.flags.harness == Harness::kRows) return {};
  std::vector<std::string> arguments{"--benchmark_out=" + execution.output.string(),
                                     "--benchmark_out_format=json",
                                     "--benchmark_report_aggregates_only=false",
                                     "--benchmark_repetitions=" + std::to_string(execution.repetitions)};
  if (spec.flags.knows(kInterleaving)) arguments.push_back("--" + std::string(kInterleaving) + "=true");
  return arguments;
}

// What the file leaves open comes from this machine.
void complete(BenchmarkFile& file, const InvocationSpec& spec, const LocalEnvironment& environment) {
  if (!file.device) file.device = spec.board ? *spec.board : environment.device_for(spec.binary.device);
  if (spec.board && file.device->kind == DeviceKind::kGpu && !file.device->uuid)
    file.device->uuid = spec.board->uuid;
  // A binary that may run on some CPUs alone sees no others; it is the same machine all the same.
  if (!spec.cpus.empty() && file.device->kind == DeviceKind::kCpu && file.device->core_count)
    file.device->core_count = this_host().cpu_count;
  const Software known = environment.software();
  if (!file.software.driver) file.software.driver = known.driver;
  if (!file.software.cuda_driver) file.software.cuda_driver = known.cuda_driver;
  const std::string name = file.host.name;
  file.host = this_host();
  if (!name.empty()) file.host.name = name;
  const std::string label = label_of(spec.binary);
  file.invocation.binary = label;
  const auto method = method_arguments(fit_arguments(spec.binary.arguments, spec.flags).arguments);
  for (auto& benchmark : file.benchmarks) {
    benchmark.binary = label;
    benchmark.attributes.insert(method.begin(), method.end());
  }
  put_prefix(file, spec.binary.prefix);
}

std::string in_seconds(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " s";
}

// nvbench knows no filter over its states.
void keep_matching(const std::string& filter, BenchmarkFile& file) {
  const BenchmarkFilter wanted(filter);
  std::erase_if(file.benchmarks, [&](const Benchmark& benchmark) { return !wanted.passes(benchmark.name); });
  std::erase_if(file.invocation.samples, [&](const auto& one) { return !wanted.passes(one.first); });
}

// Looks at what the process has mapped at its first tick, its second, its fourth, …
struct SharedFileWatch {
  explicit SharedFileWatch(const InvocationSpec& invocation) : spec(invocation) {}
  bool finds_any() {
    if (++ticks == next && process > 0) {
      next *= 2;
      found = shared_mapping(process, spec.root, spec.shared);
    }
    return found.has_value();
  }

  const InvocationSpec& spec;
  int process = 0;
  int ticks = 0;
  int next = 1;
  std::optional<SharedFile> found;
};

// One execution; fills in the outcome where it is the first, or adds to it.
void execute(const InvocationSpec& spec, const Execution& execution, const LocalEnvironment& environment,
             ConditionWatch& watch, InvocationOutcome& outcome) {
  ProcessSpec process = process_for(spec, arguments_for(spec, execution));
  const bool prints_rows = spec.flags.harness == Harness::kRows;
  process.output_bytes_max = prints_rows ? kBenchmarkFileBytesMax : 1 << 16;
  process.on_output = spec.on_output;
  SharedFileWatch files(spec);
  process.on_start = [&](int started) { files.process = started; };
  process.keep_going = [&] {
    watch.read();
    if (spec.tick) spec.tick();
    return !interrupted() && !files.finds_any();
  };
  const auto result = run_process(process);
  outcome.stopped = interrupted();
  outcome.ended_badly = !result.ok() && !result.timed_out && !result.stopped && result.start_error.empty();
  outcome.last_output = last_lines(result, 10);
  if (files.found) {
    outcome.failure =
        describe(*files.found) + ", so that both sides would measure that file, and was stopped";
    return;
  }
  if (!result.ok()) {
    outcome.failure = describe_end(result);
    if (result.timed_out)
      outcome.failure = "did not end within " + in_seconds(spec.timeout_s) +
                        " and was stopped (the limit is timeout_s in [measure] of tracker.toml)";
    return;
  }
  if (prints_rows) {
    const std::string rows = rows_in(result.output);
    if (rows.empty()) {
      outcome.failure =
          "ended well, but printed no rows of a name and a value (CSV with a head, or JSON lines)";
      return;
    }
    write_file(execution.output, rows);
  }
  if (std::error_code ignored; !std::filesystem::exists(execution.output, ignored)) {
    outcome.failure = "ended well, but wrote no results";
    if (spec.flags.harness == Harness::kGoogleBenchmark)
      outcome.failure +=
          " to --benchmark_out: it must pass its arguments to benchmark::Initialize, and set no "
          "--benchmark_out itself";
    return;
  }
  try {
    Executions read = parse_results(read_file(execution.output, kBenchmarkFileBytesMax), execution.output);
    if (read.size() > 1)
      throw Error(ExitCode::kUsage, "its rows are of " + count_of(read.size(), "execution") +
                                        ", by their invocation, device or commit, and this is one");
    BenchmarkFile file = std::move(read.front());
    require_direction(file, "");
    complete(file, spec, environment);
    if (spec.flags.harness != Harness::kGoogleBenchmark && !spec.filter.empty())
      keep_matching(spec.filter, file);
    outcome.none_match = file.benchmarks.empty() && file.aggregates_only.empty();
    if (outcome.none_match) return;
    if (!outcome.file)
      outcome.file = std::move(file);
    else
      append_execution(*outcome.file, std::move(file));
  } catch (const Error& error) {
    outcome.failure = "ended well, but its results cannot be used: " + std::string(error.what());
  }
}

}  // namespace

std::filesystem::path binary_path(const std::filesystem::path& root, const Binary& binary) {
  const auto path = root / (binary.built_as.empty() ? binary.path : binary.built_as);  // absolute: itself
  if (std::error_code ignored; !std::filesystem::exists(path, ignored))
    if (const auto command = find_on_path(binary.path); !command.empty()) return command;
  return path;
}

ProcessSpec process_for(const InvocationSpec& spec, const std::vector<std::string>& arguments) {
  ProcessSpec process;
  process.argv = {binary_path(spec.root, spec.binary).string()};
  auto& argv = process.argv;
  const auto own = fit_arguments(spec.binary.arguments, spec.flags).arguments;
  argv.insert(argv.end(), own.begin(), own.end());
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  if (!spec.filter.empty() && spec.flags.harness == Harness::kGoogleBenchmark)
    argv.push_back("--benchmark_filter=" + spec.filter);
  process.directory = spec.root / spec.binary.directory;  // an absolute one stands for itself
  process.cpus = spec.cpus;
  if (spec.board && spec.board->uuid)
    process.environment["CUDA_VISIBLE_DEVICES"] = *spec.board->uuid;
  else if (!spec.visible_gpus.empty())
    process.environment["CUDA_VISIBLE_DEVICES"] = spec.visible_gpus;
  if (spec.padding_bytes > 0) process.environment["TRACKER_PADDING"] = std::string(spec.padding_bytes, 'x');
  process.environment.insert(spec.environment.begin(), spec.environment.end());
  process.nice = spec.high_priority ? kHighPriority : 0;
  process.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(spec.timeout_s * 1000));
  return process;
}

InvocationOutcome invoke(const InvocationSpec& spec, const LocalEnvironment& environment) {
  InvocationOutcome outcome;
  std::optional<Device> watched = spec.board;
  if (!watched && spec.binary.device != RunsOn::kCpu)
    if (const auto gpus = environment.devices(DeviceKind::kGpu); gpus.size() == 1) watched = gpus.front();
  ConditionWatch watch(environment, watched);

  const auto wall = std::chrono::system_clock::now();
  const auto start = std::chrono::steady_clock::now();
  for (const auto& execution : executions_of(spec)) {
    execute(spec, execution, environment, watch, outcome);
    if (!outcome.stopped && outcome.failure.empty() && !outcome.none_match) continue;
    outcome.file.reset();
    return outcome;
  }
  Invocation& made = outcome.file->invocation;
  made.started_at = format_utc(wall);
  made.length_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  watch.finish(*outcome.file->device, made.conditions);
  return outcome;
}

}  // namespace tracker
