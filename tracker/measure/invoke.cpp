#include "tracker/measure/invoke.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <unordered_map>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker::measure {
namespace {

constexpr std::string_view kMinTime = "benchmark_min_time";
constexpr std::string_view kNvbenchHelp = "`--benchmark <benchmark name/index>`";

constexpr std::array<FlagRow, 6> kFlags{
    {{kInterleaving, "1.5.4", "each repetition gets an execution of its own"},
     {"benchmark_context", "1.5.4", "it is left out"},
     {"benchmark_perf_counters", "1.5.6", "it is left out"},
     {"benchmark_min_warmup_time", "1.6.2", "it is left out: nothing is run before the first repetition"},
     {"benchmark_time_unit", "1.6.2", "it is left out: times are in ns, which tracker reads as well"},
     {"benchmark_dry_run", "1.9.1", "it is left out"}}};

// "--benchmark_min_time=0.5s" → "benchmark_min_time"; empty for another argument.
std::string_view flag_of(std::string_view argument) {
  if (!argument.starts_with("--")) return {};
  argument.remove_prefix(2);
  return argument.substr(0, argument.find('='));
}

}  // namespace

std::span<const FlagRow> library_flag_table() {
  return kFlags;
}

std::optional<LibraryFlags> flags_in_help(std::string_view help) {
  LibraryFlags flags;
  if (help.find(kNvbenchHelp) != std::string_view::npos) {
    flags.harness = Harness::kNvbench;
    return flags;
  }
  if (help.find("--benchmark_filter=") == std::string_view::npos) return {};
  for (const auto& row : kFlags)
    if (help.find("--" + std::string(row.flag) + "=") == std::string_view::npos)
      flags.missing.emplace(row.flag);
  flags.min_time_has_unit = help.find("--benchmark_min_time=<min_time>") == std::string_view::npos;
  flags.has_contexts = help.find("--contexts=N") != std::string_view::npos;
  return flags;
}

LibraryFlags common_flags(const LibraryFlags& a, const LibraryFlags& b) {
  LibraryFlags common = a;
  common.missing.insert(b.missing.begin(), b.missing.end());
  common.min_time_has_unit = a.min_time_has_unit && b.min_time_has_unit;
  common.has_contexts = a.has_contexts && b.has_contexts;
  return common;
}

FittedArguments fit_arguments(const std::vector<std::string>& arguments, const LibraryFlags& flags) {
  if (flags.harness != Harness::kGoogleBenchmark) return {arguments, {}};
  FittedArguments fitted;
  for (const auto& argument : arguments) {
    const std::string_view flag = flag_of(argument);
    const auto row = std::ranges::find_if(kFlags, [&](const FlagRow& r) { return r.flag == flag; });
    if (row != kFlags.end() && !flags.knows(flag)) {
      fitted.notes.push_back("its library does not know --" + std::string(flag) + ", which is there since " +
                             std::string(row->since) + ": " + std::string(row->without));
      continue;
    }
    fitted.arguments.push_back(argument);
    if (flag != kMinTime || flags.min_time_has_unit) continue;
    // Before 1.8 a time is a number of seconds, and a number of iterations cannot be asked for.
    if (argument.ends_with('s')) fitted.arguments.back().pop_back();
    if (!argument.ends_with('x')) continue;
    fitted.arguments.pop_back();
    fitted.notes.push_back("its library does not take " + in_quotes(argument) +
                           ", which is there since 1.8: it is left out, and the library chooses the "
                           "number of iterations");
  }
  return fitted;
}

bool choose_a_part(const std::vector<std::string>& arguments) {
  static constexpr std::string_view kChoosing[] = {"--benchmark_filter", "-a", "--axis", "-b", "--benchmark"};
  const auto chooses = [](const std::string& argument) {
    const auto name = std::string_view(argument).substr(0, argument.find('='));
    return std::ranges::find(kChoosing, name) != std::end(kChoosing);
  };
  const char* variable = std::getenv("BENCHMARK_FILTER");
  return std::ranges::any_of(arguments, chooses) || (variable != nullptr && *variable != 0);
}

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
void complete(formats::BenchmarkFile& file, const InvocationSpec& spec, const LocalEnvironment& environment) {
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
  formats::put_prefix(file, spec.binary.prefix);
}

std::string in_seconds(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " s";
}

// nvbench knows no filter over its states.
void keep_matching(const std::string& filter, formats::BenchmarkFile& file) {
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
  process.output_bytes_max = prints_rows ? formats::kBenchmarkFileBytesMax : 1 << 16;
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
    const std::string rows = formats::rows_in(result.output);
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
    formats::Executions read = formats::parse_results(
        read_file(execution.output, formats::kBenchmarkFileBytesMax), execution.output);
    if (read.size() > 1)
      throw Error(ExitCode::kUsage, "its rows are of " + count_of(read.size(), "execution") +
                                        ", by their invocation, device or commit, and this is one");
    formats::BenchmarkFile file = std::move(read.front());
    formats::require_direction(file, "");
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
  made.length_s = seconds_since(start);
  watch.finish(*outcome.file->device, made.conditions);
  return outcome;
}

namespace {

template <typename T>
void append(std::vector<T>& kept, const std::vector<T>& next) {
  kept.insert(kept.end(), next.begin(), next.end());
}

// A repetition without a counter that others have gets NaN for it.
void append_samples(Samples& kept, const Samples& next) {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  const std::size_t before = kept.real_time_ns.size();
  append(kept.real_time_ns, next.real_time_ns);
  append(kept.cpu_time_ns, next.cpu_time_ns);
  append(kept.iterations, next.iterations);
  for (const auto& [name, values] : next.counters) {
    auto& list = kept.counters[name];
    list.resize(before, kMissing);
    append(list, values);
  }
  for (auto& [name, values] : kept.counters) values.resize(kept.real_time_ns.size(), kMissing);
}

}  // namespace

void append_execution(formats::BenchmarkFile& file, formats::BenchmarkFile next) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < file.benchmarks.size(); ++i) places[file.benchmarks[i].name] = i;
  for (auto& benchmark : next.benchmarks) {
    const auto place = places.find(benchmark.name);
    if (place == places.end()) {
      file.benchmarks.push_back(std::move(benchmark));
      continue;
    }
    Benchmark& known = file.benchmarks[place->second];
    if (!known.error && !benchmark.error) known.code = common_code(known.code, benchmark.code);
    if (!known.error) known.error = benchmark.error;
  }
  for (const auto list :
       {&formats::BenchmarkFile::aggregates_only, &formats::BenchmarkFile::dropped_counters})
    for (const auto& name : next.*list)
      if (std::find((file.*list).begin(), (file.*list).end(), name) == (file.*list).end())
        (file.*list).push_back(name);
  for (const auto& [name, samples] : next.invocation.samples)
    append_samples(file.invocation.samples[name], samples);
  for (const auto& benchmark : file.benchmarks)
    if (benchmark.error) file.invocation.samples.erase(benchmark.name);
  append_conditions(next.invocation.conditions, file.invocation.conditions);
  ++file.invocation.executions;
}

}  // namespace tracker::measure
