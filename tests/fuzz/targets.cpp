#include "tests/fuzz/targets.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/source_tree.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/google_benchmark.hpp"
#include "tracker/formats/injection_lines.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/number_series.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/github/event.hpp"
#include "tracker/machine_code/machine_code.hpp"
#include "tracker/machine_code/sass.hpp"
#include "tracker/profile/counters.hpp"
#include "tracker/profile/ncu.hpp"
#include "tracker/protocol/code_label.hpp"

namespace tracker {
namespace {

// An assertion that is there in every build.
void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

std::size_t taken = 0;

// What is refused is refused in words that fit a terminal.
template <typename Read>
void read_or_refuse(Read read) {
  try {
    read();
    ++taken;
  } catch (const Error& error) {
    require(printable(error.what()) == error.what(), "messages are fit for a terminal");
  }
}

// What was read can be stored, read again and exported.
void use(formats::BenchmarkFile file) {
  if (!file.device) file.device = Device{};
  if (file.device->model.empty()) file.device->model = "some device";
  std::vector<formats::BenchmarkFile> files;
  files.push_back(std::move(file));
  for (const auto& run : formats::assemble_runs(std::move(files), {.id = "a", .job = "a"})) {
    const std::string text = formats::write_run_strictly(run);
    require(formats::write_run(formats::read_run_strictly(text, "run.json")) == text,
            "a run that is recorded can be imported");
    for (const auto& invocation : run.invocations) formats::write_google_benchmark(run, invocation);
  }
}

// nvbench keeps samples in files beside its own.
std::string beside_samples() {
  return std::string(TRACKER_SOURCE_DIR) + "/tests/data/imports/nvbench/results.json";
}

void fuzz_results(std::string_view input) {
  read_or_refuse([&] {
    for (auto& file : formats::parse_results(std::string(input), beside_samples())) use(std::move(file));
  });
}

void fuzz_google_benchmark(std::string_view input) {
  read_or_refuse([&] { use(formats::parse_google_benchmark(std::string(input), "results.json")); });
}

void fuzz_nvbench(std::string_view input) {
  read_or_refuse([&] { use(formats::parse_nvbench(std::string(input), beside_samples()).front()); });
}

void fuzz_pytest_benchmark(std::string_view input) {
  read_or_refuse([&] { use(formats::parse_pytest_benchmark(std::string(input), "results.json")); });
}

void fuzz_nanobench(std::string_view input) {
  read_or_refuse([&] { use(formats::parse_nanobench(std::string(input), "results.json")); });
}

void fuzz_hyperfine(std::string_view input) {
  read_or_refuse([&] { use(formats::parse_hyperfine(std::string(input), "results.json")); });
}

// Its two files, one after the other: the second starts with a brace at the start of a line.
void fuzz_criterion(std::string_view input) {
  const std::size_t cut = std::min(input.find("\n{"), input.size());
  read_or_refuse([&] { use(formats::parse_criterion(input.substr(0, cut), input.substr(cut), "new")); });
}

// What a document says, or why it is refused, has nothing to do with which library parsed it.
void fuzz_run_document(std::string_view input) {
  const auto outcome = [](auto&& read) {
    try {
      return formats::write_run(read());
    } catch (const Error& error) {
      return "refused: " + std::string(error.what());
    }
  };
  const std::string text = outcome([&] { return formats::read_run(input, "run.json"); });
  require(outcome([&] {
            return formats::run_from_json(formats::parse_json(input, "run.json"), "run.json");
          }) == text,
          "both parsers' runs say the same");
  read_or_refuse([&] {
    require(formats::write_run(formats::read_run(formats::write_run(formats::read_run(input, "run.json")),
                                                 "run.json")) == text,
            "a run that is read again is the same");
  });
}

void fuzz_import(std::string_view input) {
  read_or_refuse([&] { formats::write_run(formats::read_run_strictly(input, "run.json")); });
  read_or_refuse(
      [&] { formats::write_profile_strictly(formats::read_profile_strictly(input, "profile.json")); });
}

void fuzz_baseline(std::string_view input) {
  read_or_refuse([&] {
    const std::string text = formats::write_baseline(formats::read_baseline(input, "baseline.json"));
    require(formats::write_baseline(formats::read_baseline(text, "baseline.json")) == text,
            "a baseline that is read again is the same");
  });
}

void fuzz_config(std::string_view input) {
  read_or_refuse([&] { formats::parse_config(input, "tracker.toml"); });
}

void fuzz_ncu_csv(std::string_view input) {
  read_or_refuse([&] {
    const auto launches = profile::parse_ncu_csv(input, "ncu.csv");
    if (launches.empty()) throw Error(ExitCode::kUsage, "no table");
    Profile profile;
    profile.id = "a";
    profile.commit = std::string(40, '0');
    profile.device.kind = DeviceKind::kGpu;
    profile.device.model = "some device";
    for (const auto& launch : launches) {
      profile::short_kernel_name(launch.kernel);
      profile::bare_kernel_name(launch.kernel);
      profile.benchmarks.push_back(
          {"x" + std::to_string(profile.benchmarks.size()), launch.kernel, 1, launch.metrics});
      for (const auto& counter : profile::counters())
        if (const auto value = profile::counter_value(counter, profile.benchmarks.back()))
          profile::format_counter(*value, counter.unit);
    }
    const std::string text = formats::print_json(formats::profile_to_json(profile));
    require(
        formats::print_json(formats::profile_to_json(formats::read_profile(text, "profile.json"))) == text,
        "a profile that is read again is the same");
  });
  profile::available_kernels(input);
  profile::ncu_errors(input, 10);
}

void fuzz_machine_code(std::string_view input) {
  const machine_code::MachineCode code{std::string(input)};
  const auto functions = code.functions();
  if (!functions.empty()) ++taken;
  code.code_of(functions);
  for (const auto& function : functions) code.code_of({function});
}

void fuzz_code_label(std::string_view input) {
  const auto code = read_code_label(input);
  if (code) ++taken;
  if (code) require(read_code_label(code_label(*code)) == code, "a label that is read again is the same");
}

// Of tracker store import.
void fuzz_history_lines(std::string_view input) {
  read_or_refuse([&] {
    formats::HistoryLines reader("history");
    formats::HistoryLines again("history");
    again.read(formats::history_head());
    std::size_t lines = 0;
    if (input.ends_with('\n')) input.remove_suffix(1);
    for (const auto& line : split(input, '\n'))
      if (const auto read = reader.read(line)) {
        const auto same = again.read(formats::history_line(*read));
        require(same && same->path == read->path && same->text == read->text,
                "a line that is read again is the same");
        ++lines;
      }
    reader.require_end();
    again.read(formats::history_end(lines));
    again.require_end();
  });
}

void fuzz_number_series(std::string_view input) {
  read_or_refuse([&] {
    for (const auto& series : formats::read_number_series(input, "series", ""))
      require(series.labels.empty() || series.labels.size() == series.values.size(),
              "a label for each value");
  });
}

// The name of a kernel, then what cuobjdump prints of it and of another build.
void fuzz_sass(std::string_view input) {
  const std::size_t cut = std::min(input.find('\n'), input.size());
  const std::string name(input.substr(0, cut));
  const auto listing = input.substr(cut);
  const auto base = machine_code::sass_of(listing, name, 90);
  const auto candidate = machine_code::sass_of(listing.substr(listing.size() / 2), name, 90);
  if (base) ++taken;
  machine_code::diff_sass(base.value_or(std::vector<std::string>{}),
                          candidate.value_or(std::vector<std::string>{}), 40);
}

// What the injected library wrote in a process of anybody's.
void fuzz_injection_lines(std::string_view input) {
  read_or_refuse([&] {
    const auto calls = formats::parse_injection_lines(std::string(input), "calls.ndjson");
    std::vector<std::string> benchmarks = {"none"};
    for (const auto& range : calls.ranges)
      benchmarks.insert(benchmarks.end(), range.names.begin(), range.names.end());
    for (const auto& benchmark : benchmarks)
      for (const auto at : formats::ops_of_iteration(calls, benchmark, 4)) {
        require(at < calls.ops.size(), "an iteration is made of ops");
        const auto& kernel = calls.ops[at].kernel;
        require(!kernel || *kernel < calls.kernels.size(), "a launch is of a kernel");
      }
    for (const auto& kernel : calls.kernels)
      require(kernel.cubin.find_first_of("/.") == std::string::npos, "a module names no other folder");
  });
}

// The event's name, then its file.
void fuzz_event(std::string_view input) {
  const std::size_t cut = std::min(input.find('\n'), input.size());
  read_or_refuse(
      [&] { github::parse_event(std::string(input.substr(0, cut)), input.substr(cut), "event.json"); });
}

}  // namespace

const std::vector<FuzzTarget>& fuzz_targets() {
  static const std::vector<FuzzTarget> targets{
      {"google_benchmark", fuzz_google_benchmark, {"fuzz/corpus/google_benchmark", "data/h200_code.json"}},
      {"nvbench", fuzz_nvbench, {"data/imports/nvbench"}},
      {"pytest_benchmark", fuzz_pytest_benchmark, {"data/imports/pytest"}},
      {"nanobench", fuzz_nanobench, {"data/imports/nanobench"}},
      {"hyperfine", fuzz_hyperfine, {"data/imports/hyperfine"}},
      {"criterion", fuzz_criterion, {"fuzz/corpus/criterion"}},
      {"results", fuzz_results, {"data/imports/nvbench", "data/imports/hyperfine"}},
      {"run_document", fuzz_run_document, {"fuzz/corpus/run_document"}},
      {"import", fuzz_import, {"fuzz/corpus/run_document", "fuzz/corpus/profile"}},
      {"baseline", fuzz_baseline, {"fuzz/corpus/baseline"}},
      {"config", fuzz_config, {"fuzz/corpus/config"}},
      {"ncu_csv", fuzz_ncu_csv, {"fuzz/corpus/ncu_csv", "data/ncu"}},
      {"machine_code", fuzz_machine_code, {"data/machine_code.elf"}},
      {"code_label", fuzz_code_label, {"fuzz/corpus/code_label"}},
      {"history_lines", fuzz_history_lines, {"fuzz/corpus/history_lines"}},
      {"number_series", fuzz_number_series, {"fuzz/corpus/number_series"}},
      {"sass", fuzz_sass, {"fuzz/corpus/sass"}},
      {"injection_lines",
       fuzz_injection_lines,
       {"data/injection/triton.ndjson", "data/injection/graph_saxpy.ndjson",
        "data/injection/block_sum.ndjson", "fuzz/corpus/injection_lines"}},
      {"event", fuzz_event, {"fuzz/corpus/event"}}};
  return targets;
}

std::size_t inputs_taken() {
  return taken;
}

const FuzzTarget* find_fuzz_target(std::string_view name) {
  for (const auto& target : fuzz_targets())
    if (target.name == name) return &target;
  return nullptr;
}

}  // namespace tracker
