#include "tracker/commands/recording.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/old_spools.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker {
namespace {

void print_failures(const std::vector<Failure>& failures) {
  for (const auto& failure : failures) {
    print_note("'" + printable(failure.binary) + "'" +
               (failure.target.empty() ? "" : " at " + failure.target) + " " + printable(failure.what) +
               " in invocation " + std::to_string(failure.invocation) + "; it was not started again");
    if (failure.last_output.empty()) continue;
    std::cerr << "  the last it printed:\n";
    for (const auto& line : split(failure.last_output, '\n')) std::cerr << "  | " << printable(line) << "\n";
  }
}

void print_left_out(const Measured& measured) {
  for (const auto& note : measured.notes) print_note(note);
  if (measured.left_out == 0) return;
  const bool all_retaken = measured.retakes == measured.left_out;
  print_note(std::to_string(measured.left_out) + (measured.left_out == 1 ? " invocation" : " invocations") +
             " left out" + (all_retaken ? " and" : ", " + std::to_string(measured.retakes)) +
             " retaken: " + measured.left_out_reasons);
}

}  // namespace

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

std::vector<Binary> named_binaries(const std::vector<std::string>& paths, const Config& config,
                                   const std::filesystem::path& root) {
  if (paths.empty()) return config.binaries;
  std::vector<Binary> named;
  for (const auto& path : paths) {
    const auto asked = std::filesystem::absolute(path);
    const auto declared =
        std::find_if(config.binaries.begin(), config.binaries.end(), [&](const Binary& binary) {
          return binary_path(root, binary).lexically_normal() == asked.lexically_normal();
        });
    Binary binary = declared == config.binaries.end() ? Binary{} : *declared;
    binary.path = asked.string();
    binary.when = RunsWhere::kAlways;
    named.push_back(binary);
  }
  return named;
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
  std::random_device random;
  how.seed = std::uint64_t{random()} << 32 | random();
  how.spool = spool.path();
  const auto progress = progress_for_terminal();
  Measured measured = measure(targets, how, environment, *progress);
  if (measured.interrupted) throw Error(ExitCode::kInterrupted, "interrupted; nothing was recorded");
  print_failures(measured.failures);
  print_left_out(measured);
  return measured;
}

std::vector<Run> runs_of(const Measured& measured, const std::vector<Target>& targets, std::size_t target,
                         const RunFacts& facts) {
  const std::string& label = targets[target].label;
  RunFacts all = facts;
  for (const auto& failure : measured.failures)
    if (failure.target == label)
      all.failures.push_back({std::filesystem::path(failure.binary).filename().string(),
                              failure.what + " in invocation " + std::to_string(failure.invocation)});
  if (measured.files[target].empty())
    throw Error(ExitCode::kEnvironment, "no benchmark binary delivered results" +
                                            (label.empty() ? "" : " at " + label) + "; nothing was recorded");
  return assemble_runs(measured.files[target], all);
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

void print_recorded(const Workspace& workspace, const std::vector<Run>& runs) {
  for (const auto& run : runs) {
    for (const auto& benchmark : run.benchmarks)
      if (benchmark.error)
        print_note("benchmark '" + printable(benchmark.name) + "' reported: " + printable(*benchmark.error));
    std::cout << "recorded " << run.benchmarks.size() << " benchmarks × " << invocation_count(run)
              << " invocations for " << describe(workspace.repository().resolve(run.commit)) << "\n"
              << "  device  " << device_key(run.device) << " (" << printable(run.device.model) << ")\n"
              << "  run     " << run.id << " in " << workspace.store().describe() << "\n";
    if (run.dirty)
      std::cout << "  note    the working tree has uncommitted changes: this run is marked dirty, and a "
                   "clean one is "
                   "preferred to it\n";
  }
}

}  // namespace tracker
