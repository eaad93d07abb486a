#include "tracker/commands/recording.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>
#include <set>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/old_spools.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker {
namespace {

bool is_program(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure) && ::access(path.c_str(), X_OK) == 0;
}

// Binaries with the arguments that follow them.
std::vector<Binary> split_binaries(const std::vector<std::string>& words) {
  std::vector<Binary> binaries;
  for (const auto& word : words) {
    const bool has_arguments = !binaries.empty() && !binaries.back().arguments.empty();
    const bool is_argument = word.starts_with('-') || (has_arguments && !is_program(word));
    if (!is_argument) {
      binaries.emplace_back().path = word;
    } else if (binaries.empty()) {
      throw Error(ExitCode::kUsage, "'" + printable(word) + "' stands before any benchmark binary",
                  "tracker's own options go before --, a binary's behind it: tracker run -- ./bench " +
                      printable(word));
    } else {
      binaries.back().arguments.push_back(word);
    }
  }
  return binaries;
}

// What a run of these benchmarks alone is recorded with: an expression that matches them.
std::string filter_of(const std::vector<BenchmarkFile>& files) {
  std::set<std::string> names;
  for (const auto& file : files)
    for (const auto& benchmark : file.benchmarks) names.insert(benchmark.name);
  return exact_filter({names.begin(), names.end()}).value_or(count_of(names.size(), "benchmark"));
}

void print_failures(const std::vector<Failure>& failures) {
  for (const auto& failure : failures) {
    print_note("'" + printable(describe(failure.binary)) + "'" +
               (failure.target.empty() ? "" : " at " + failure.target) + " " + printable(failure.what) +
               " in invocation " + std::to_string(failure.invocation) + "; it was not started again");
    if (failure.last_output.empty()) continue;
    std::cerr << "  the last it printed:\n";
    for (const auto& line : split(failure.last_output, '\n')) std::cerr << "  | " << printable(line) << "\n";
  }
}

void print_left_out(const Measured& measured) {
  for (const auto& note : measured.notes) print_note(note);
  for (const auto& warning : measured.warnings) print_note(warning.cause + "; " + warning.remedy);
  if (measured.left_out == 0) return;
  const bool all_retaken = measured.retakes == measured.left_out;
  print_note(std::to_string(measured.left_out) + (measured.left_out == 1 ? " invocation" : " invocations") +
             " left out" + (all_retaken ? " and" : ", " + std::to_string(measured.retakes)) +
             " retaken: " + measured.left_out_reasons);
}

}  // namespace

void declare_measure_options(CLI::App& app, MeasureWishes& wishes) {
  app.add_option("-n,--invocations", wishes.invocations, "executions of each binary")
      ->check(CLI::Range(1, 1000));
  app.add_option("-r,--repetitions", wishes.repetitions, "repetitions in each execution")
      ->check(CLI::Range(1, 1000));
  app.add_option("--filter", wishes.filter,
                 "only benchmarks that match this expression (--benchmark_filter)");
  app.add_flag("--isolate", wishes.isolate, "a process of its own for every benchmark");
}

Spool::Spool(const Repository& repository, const std::string& job) {
  std::error_code failure;
  path_ = repository.common_dir() / "tracker" / "spool" / job;
  std::filesystem::create_directories(path_, failure);
  if (!failure) {
    lock_ = lock_spool(path_);
    const std::string left = look_after_old_spools(path_.parent_path());
    if (!left.empty()) print_note(left);
    return;
  }
  // Measuring does not need a writable repository; only recording does.
  failure.clear();
  path_ = std::filesystem::temp_directory_path() / ("tracker-spool-" + job);
  std::filesystem::create_directories(path_, failure);
  if (failure)
    throw Error(ExitCode::kEnvironment, "cannot make a folder for results: " + failure.message(),
                "set TMPDIR to a folder that can be written to");
}

Spool::~Spool() {
  std::error_code ignored;
  if (!kept_) std::filesystem::remove_all(path_, ignored);
  unlock_spool(lock_);
}

std::vector<Binary> named_binaries(const std::vector<std::string>& words, const Config& config,
                                   const std::filesystem::path& root) {
  if (words.empty()) return config.binaries;
  std::vector<Binary> named;
  for (const auto& one : split_binaries(words)) {
    const auto asked = std::filesystem::absolute(one.path);
    std::vector<Binary> declared;
    for (const auto& binary : config.binaries)
      if (binary_path(root, binary).lexically_normal() == asked.lexically_normal())
        declared.push_back(binary);
    if (declared.empty()) declared.emplace_back();
    for (auto& binary : declared) {
      binary.path = asked.string();
      binary.when = RunsWhere::kAlways;
      binary.arguments.insert(binary.arguments.end(), one.arguments.begin(), one.arguments.end());
      for (const auto& other : named)
        if (is_same_binary(other, binary))
          throw Error(ExitCode::kUsage, "the binary '" + printable(describe(binary)) +
                                            "' is named twice with the same arguments");
      named.push_back(binary);
    }
  }
  const bool any_declared =
      std::any_of(named.begin(), named.end(), [](const Binary& binary) { return !binary.label.empty(); });
  if (any_declared) return named;
  auto shown = named;  // labels are stored: with paths in the repository, not on this machine
  for (auto& binary : shown)
    binary.path = std::filesystem::path(binary.path).lexically_proximate(root).string();
  label_binaries(shown);
  for (std::size_t i = 0; i < named.size(); ++i) named[i].label = shown[i].label;
  return named;
}

std::string selection_in_words(const std::vector<std::string>& names) {
  return exact_filter(names).value_or(count_of(names.size(), "benchmark"));
}

std::string new_job_id() {
  return make_run_id(std::chrono::system_clock::now(), std::random_device{}());
}

Measured measure_targets(const std::vector<Target>& targets, const MeasureSettings& settings,
                         const MeasureWishes& wishes, const LocalEnvironment& environment,
                         const Spool& spool) {
  MeasureOptions how;
  how.invocations = wishes.invocations > 0 ? wishes.invocations : settings.invocations;
  how.repetitions = wishes.repetitions > 0 ? wishes.repetitions : settings.repetitions;
  how.timeout_s = settings.timeout_s;
  how.filter = wishes.filter;
  how.first_round = wishes.first_round;
  how.only = wishes.only;
  how.isolate = wishes.isolate;
  how.cpus = settings.cpus;
  how.high_priority = settings.high_priority;
  how.tell = print_note;
  std::random_device random;
  how.seed = std::uint64_t{random()} << 32 | random();
  how.spool = spool.path();
  const auto progress = progress_for_terminal();
  Measured measured = measure(targets, how, environment, *progress);
  const bool any = std::any_of(measured.files.begin(), measured.files.end(),
                               [](const auto& files) { return !files.empty(); });
  if (measured.interrupted && !(wishes.keep && any))
    throw Error(ExitCode::kInterrupted, "interrupted; nothing was recorded",
                wishes.keep ? "no invocation was complete" : "--keep records what is complete by then");
  print_failures(measured.failures);
  print_left_out(measured);
  std::vector<const std::vector<BenchmarkFile>*> files;
  for (const auto& of_target : measured.files) files.push_back(&of_target);
  print_left_aside(files);
  return measured;
}

std::vector<Run> runs_of(const Measured& measured, const std::vector<Target>& targets, std::size_t target,
                         const RunFacts& facts) {
  const std::string& label = targets[target].label;
  RunFacts all = facts;
  for (const auto& failure : measured.failures)
    if (failure.target == label)
      all.failures.push_back(
          {label_of(failure.binary), failure.what + " in invocation " + std::to_string(failure.invocation)});
  if (!measured.incomplete.empty() && measured.incomplete[target] && !measured.files[target].empty())
    all.filter = filter_of(measured.files[target]);
  if (measured.files[target].empty())
    throw Error(ExitCode::kEnvironment, "no benchmark binary delivered results" +
                                            (label.empty() ? "" : " at " + label) + "; nothing was recorded");
  return assemble_runs(measured.files[target], all);
}

void print_left_aside(const std::vector<const std::vector<BenchmarkFile>*>& lists) {
  std::set<std::string> counters;
  std::set<std::string> aggregates;
  for (const auto* files : lists)
    for (const auto& file : *files) {
      counters.insert(file.dropped_counters.begin(), file.dropped_counters.end());
      aggregates.insert(file.aggregates_only.begin(), file.aggregates_only.end());
    }
  const auto shown = [](const std::set<std::string>& names) {
    constexpr std::size_t kShown = 10;
    std::vector<std::string> list(names.begin(), names.end());
    if (list.size() > kShown) list.resize(kShown);
    return printable(join(list, ", ")) + (names.size() > kShown ? ", …" : "");
  };
  if (!counters.empty())
    print_note(count_of(counters.size(), "counter") +
               " left out, as a value is no number (NaN or infinite): " + shown(counters));
  if (!aggregates.empty())
    print_note(count_of(aggregates.size(), "benchmark") +
               " not judged, as only aggregates are reported: " + shown(aggregates) +
               " (leave out ReportAggregatesOnly() in the code, or measure with -r 1 and more invocations)");
}

namespace {

// Each side's files for its commit; the first side is of the first run.
std::string how_to_record_raw(const std::filesystem::path& folder, const std::vector<Run>& runs) {
  std::vector<std::string> commits;
  for (const auto& run : runs)
    if (std::find(commits.begin(), commits.end(), run.commit) == commits.end()) commits.push_back(run.commit);
  std::vector<std::string> calls;
  for (std::size_t side = 0; side < commits.size(); ++side)
    calls.push_back("tracker record " + folder.string() + "/side" + std::to_string(side + 1) +
                    "-*.json --commit " + commits[side]);
  return join(calls, "; ");
}

}  // namespace

void store_runs(const Workspace& workspace, const std::vector<Run>& runs, Spool* spool) {
  std::vector<std::pair<StoredKey, std::string>> documents;
  for (const auto& run : runs)
    documents.emplace_back(StoredKey{device_key(run.device), run.commit, run.id}, write_run(run));
  try {
    workspace.store().add(documents);
  } catch (const Error& error) {
    if (spool == nullptr) throw;
    spool->keep();
    // The binaries' own files do not tell which commit and side they belong to; the run documents do.
    try {
      for (const auto& [key, text] : documents) write_file(spool->path() / (key.id + ".run.json"), text);
    } catch (const Error& full) {
      throw Error(error.code(), std::string(error.what()) + "; " + full.what(),
                  "nothing is lost: make room, then " + how_to_record_raw(spool->path(), runs));
    }
    throw Error(error.code(), error.what(),
                error.hint() + (error.hint().empty() ? "" : "; ") +
                    "nothing is lost: when that is mended, tracker record " + spool->path().string() +
                    "/*.run.json");
  }
}

void throw_if_interrupted(const Measured& measured) {
  if (measured.interrupted)
    throw Error(ExitCode::kInterrupted, "interrupted; what was complete by then is recorded");
}

void print_recorded(const Workspace& workspace, const std::vector<Run>& runs) {
  for (const auto& run : runs) {
    for (const auto& benchmark : run.benchmarks)
      if (benchmark.error)
        print_note("benchmark '" + printable(benchmark.name) + "' reported: " + printable(*benchmark.error));
    std::cout << "recorded " << count_of(run.benchmarks.size(), "benchmark") << " × "
              << count_of(static_cast<std::size_t>(invocation_count(run)), "invocation") << " for "
              << describe(workspace.repository().resolve(run.commit)) << "\n"
              << "  device  " << device_key(run.device) << " (" << printable(run.device.model) << ")\n"
              << "  run     " << run.id << " in " << workspace.store().describe() << "\n";
    if (run.dirty)
      std::cout << "  note    the working tree has uncommitted changes: this run is marked dirty, and a "
                   "clean one is "
                   "preferred to it\n";
  }
}

}  // namespace tracker
