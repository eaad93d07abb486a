#include "tracker/app/recording.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/measure/invoke.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/measure/selection.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::app {
namespace {

bool is_program(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure) && ::access(path.c_str(), X_OK) == 0;
}

// "python3": a program that is on PATH and not in this folder.
bool is_command(const std::string& word) {
  std::error_code ignored;
  return !std::filesystem::exists(word, ignored) && !find_on_path(word).empty();
}

// Binaries with the arguments that follow them. Behind a command ("python3 bench.py") all are its own.
std::vector<Binary> split_binaries(const std::vector<std::string>& words) {
  std::vector<Binary> binaries;
  for (const auto& word : words) {
    const bool has_arguments = !binaries.empty() && !binaries.back().arguments.empty();
    const bool is_argument = word.starts_with('-') || (has_arguments && !is_program(word)) ||
                             (!binaries.empty() && is_command(binaries.back().path));
    if (!is_argument) {
      binaries.emplace_back().path = word;
    } else if (binaries.empty()) {
      throw Error(ExitCode::kUsage, in_quotes(word) + " stands before any benchmark binary",
                  "tracker's own options go before --, a binary's behind it: tracker run -- ./bench " + word);
    } else {
      binaries.back().arguments.push_back(word);
    }
  }
  return binaries;
}

std::string some_of(std::vector<std::string> names) {
  constexpr std::size_t kShown = 10;
  const bool is_long = names.size() > kShown;
  if (is_long) names.resize(kShown);
  return join(names, ", ") + (is_long ? ", …" : "");
}

// Many benchmarks open their data relative to the folder that they are built in.
std::string hint_of_folder(const measure::Failure& failure) {
  const auto folder = std::filesystem::path(failure.binary.path).parent_path();
  const bool may_want_another = failure.ended_badly && failure.invocation == 1 &&
                                failure.binary.directory.empty() && !folder.empty() && !folder.is_absolute();
  if (!may_want_another) return "";
  return "  it ran at the root; where it reads files of another folder, name it in its [[binary]]: "
         "directory = \"" +
         folder.generic_string() + "\"";
}

void note_failures(const Workspace& workspace, const std::vector<measure::Failure>& failures) {
  for (const auto& failure : failures) {
    const std::string text =
        in_quotes(describe(failure.binary)) + (failure.target.empty() ? "" : " at " + failure.target) + " " +
        failure.what + " in invocation " + std::to_string(failure.invocation) + "; it was not started again";
    std::vector<std::string> lines;
    if (!failure.last_output.empty()) {
      lines.emplace_back("  the last it printed:");
      for (const auto& line : split(failure.last_output, '\n')) lines.push_back("  | " + line);
    }
    if (const std::string hint = hint_of_folder(failure); !hint.empty()) lines.push_back(hint);
    workspace.note(text, lines);
  }
}

void note_excluded(const Workspace& workspace, const measure::Measured& measured) {
  for (const auto& note : measured.notes) workspace.note(note);
  for (const auto& warning : measured.warnings) workspace.note(warning.cause + "; " + warning.remedy);
  if (measured.excluded == 0) return;
  const bool all_retaken = measured.retakes == measured.excluded;
  workspace.note(std::to_string(measured.excluded) +
                 (measured.excluded == 1 ? " invocation" : " invocations") + " excluded" +
                 (all_retaken ? " and" : ", " + std::to_string(measured.retakes)) +
                 " measured again: " + measured.excluded_for);
}

}  // namespace

Spool::Spool(const Workspace& workspace, bool was_told) : job_(new_job_id()) {
  workspace.store().require_writable();
  std::error_code failure;
  path_ = workspace.repository().common_dir() / "tracker" / "spool" / job_;
  std::filesystem::create_directories(path_, failure);
  if (!failure) {
    // Whoever looks after old ones holds it for a moment.
    lock_.emplace(path_ / kSpoolLockName, std::chrono::minutes(1));
    const std::string left = look_after_old_spools(path_.parent_path());
    if (!left.empty() && !was_told) workspace.note(left);
    return;
  }
  // Measuring does not need a writable repository; only recording does.
  failure.clear();
  path_ = std::filesystem::temp_directory_path() / ("tracker-spool-" + job_);
  std::filesystem::create_directories(path_, failure);
  if (failure)
    throw Error(ExitCode::kEnvironment, "cannot make a folder for results: " + failure.message(),
                "set TMPDIR to a folder that can be written to");
}

Spool::~Spool() {
  std::error_code ignored;
  if (!kept_) std::filesystem::remove_all(path_, ignored);
}

std::vector<Binary> named_binaries(const std::vector<std::string>& words, const Config& config,
                                   const std::filesystem::path& root) {
  if (words.empty()) {
    auto binaries = config.binaries;
    for (auto& binary : binaries) binary.is_part = measure::choose_a_part({});
    return binaries;
  }
  std::vector<Binary> named;
  for (const auto& one : split_binaries(words)) {
    const auto asked = is_command(one.path) ? find_on_path(one.path) : std::filesystem::absolute(one.path);
    std::vector<Binary> declared;
    for (const auto& binary : config.binaries)
      if (measure::binary_path(root, binary).lexically_normal() == asked.lexically_normal())
        declared.push_back(binary);
    if (declared.empty()) declared.emplace_back();
    for (auto& binary : declared) {
      binary.path = asked.string();
      binary.when = RunsWhere::kAlways;
      binary.is_part = measure::choose_a_part(one.arguments);
      binary.arguments.insert(binary.arguments.end(), one.arguments.begin(), one.arguments.end());
      for (const auto& other : named)
        if (is_same_binary(other, binary))
          throw Error(ExitCode::kUsage, "the binary " + in_quotes(describe(binary)) +
                                            " is named twice with the same arguments");
      named.push_back(binary);
    }
  }
  const bool any_declared =
      std::ranges::any_of(named, [](const Binary& binary) { return !binary.label.empty(); });
  if (any_declared) return named;
  auto shown = named;  // labels are stored: with paths in the repository, not on this machine
  for (auto& binary : shown)
    binary.path = std::filesystem::path(binary.path).lexically_proximate(root).string();
  label_binaries(shown);
  for (std::size_t i = 0; i < named.size(); ++i) named[i].label = shown[i].label;
  return named;
}

std::string new_job_id() {
  return new_run_id(std::chrono::system_clock::now(), static_cast<std::uint16_t>(std::random_device{}()));
}

measure::Measured measure_targets(const Workspace& workspace, const std::vector<measure::Target>& targets,
                                  const MeasureRequest& measuring, const Spool& spool) {
  const measure::LeasedBoards boards = lease_for(workspace, targets, measuring);
  const auto progress = workspace.observer().progress();
  return measure_targets(workspace, targets, measuring, boards, spool, *progress);
}

measure::LeasedBoards lease_for(const Workspace& workspace, const std::vector<measure::Target>& targets,
                                const MeasureRequest& measuring) {
  const MeasureSettings& settings = workspace.config().measure;
  measure::BoardRequest request;
  request.gpus = measuring.gpus.empty() ? settings.gpus : measuring.gpus;
  request.together = measuring.boards_together;
  request.wait_max_s = settings.lease_wait_s;
  request.holder = "tracker in " + in_quotes(workspace.root().filename().string());
  request.tell = workspace.note_function();
  for (const auto& target : targets)
    request.binaries.insert(request.binaries.end(), target.binaries.begin(), target.binaries.end());
  return measure::lease_boards(request, workspace.machine());
}

namespace {

// Each model's boards in turn; what runs on the CPU is measured with the first.
measure::Measured measure_groups(std::vector<measure::Target> targets, measure::Options how,
                                 const measure::LeasedBoards& boards,
                                 const measure::LocalEnvironment& environment, measure::Progress& progress) {
  measure::Measured all;
  how.visible_gpus = boards.visible_gpus;
  for (const auto& group : boards.groups) {
    how.boards = group;
    measure::append(measure::measure(targets, how, environment, progress), all);
    if (all.interrupted) break;
    how.tell = nullptr;
    for (auto& target : targets)
      std::erase_if(target.binaries,
                    [&](const Binary& binary) { return !environment.uses_gpu(binary.device); });
  }
  return all;
}

// The benchmarks that are asked for, by the binaries' lists; none where one cannot list.
std::vector<std::string> asked_names(const std::vector<measure::Target>& targets,
                                     const measure::Options& how) {
  if (!how.only.empty()) return how.only;
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const auto& target : targets)
    for (const auto& binary : target.binaries) {
      const auto listed = measure::list_benchmarks(target, binary, how.filter);
      if (!listed.names) return {};
      for (const auto& name : *listed.names)
        if (seen.insert(name).second) names.push_back(name);
    }
  return names;
}

// Families of which a benchmark's pairs show a change that may be none: worth a look, and no verdict.
std::set<std::string> suspicious_families(const measure::Measured& measured) {
  constexpr double kChangeMin = 0.002;
  constexpr double kErrors = 2;
  if (measured.files.size() != 2) return {};
  std::map<std::string, std::map<int, std::array<double, 2>>> logs;  // by benchmark and round, of both sides
  for (std::size_t side = 0; side < 2; ++side)
    for (const auto& file : measured.files[side])
      for (const auto& [name, samples] : file.invocation.samples)
        if (const double time = samples.real_time_ns.empty() ? 0 : stats::median(samples.real_time_ns);
            time > 0 && !file.invocation.excluded)
          logs[name][file.invocation.round][side] = std::log(time);
  std::set<std::string> families;
  for (const auto& [name, rounds] : logs) {
    std::vector<double> changes;
    for (const auto& [round, both] : rounds)
      if (both[0] != 0 && both[1] != 0) changes.push_back(both[1] - both[0]);
    if (changes.size() < 2) continue;
    const double error = std::sqrt(stats::variance(changes) / static_cast<double>(changes.size()));
    if (std::abs(stats::mean(changes)) > std::max(kChangeMin, kErrors * error))
      families.insert(measure::family_in_stages(name));
  }
  return families;
}

// When what is left out will be looked at: by the stored runs of all benchmarks.
std::string next_look_in_words(const std::vector<Run>& runs) {
  std::vector<std::chrono::system_clock::time_point> times;
  for (const auto& run : runs)
    if (const auto time = parse_time(run.started_at); time && run.selection.is_all()) times.push_back(*time);
  if (times.empty()) return "no run of all benchmarks is recorded: tracker nightly makes one";
  std::ranges::sort(times);
  std::string words = "a run of all benchmarks measures them, the last was on " + utc_date(times.back());
  std::vector<double> gaps_s;
  for (std::size_t i = 1; i < times.size(); ++i)
    gaps_s.push_back(std::chrono::duration<double>(times[i] - times[i - 1]).count());
  constexpr double kDayS = 86400;
  const double gap_s = gaps_s.empty() ? 0 : stats::median(gaps_s);
  if (gap_s < kDayS / 2) return words;
  return words + ", the next is due about " +
         utc_date(times.back() + std::chrono::seconds(static_cast<std::int64_t>(gap_s)));
}

// The newest runs on the devices of these targets, in the order of time.
std::vector<Run> recent_runs_here(const Workspace& workspace, const std::vector<measure::Target>& targets) {
  std::vector<Run> runs;
  if (targets.empty()) return runs;
  for (const auto& device : measure::own_devices(targets.back().binaries, workspace.machine())) {
    auto more = history::recent_runs(workspace.history(), device, "", history::kRunsMax);
    std::ranges::move(more, std::back_inserter(runs));
  }
  std::ranges::sort(runs, [](const Run& a, const Run& b) { return a.id < b.id; });
  return runs;
}

// All rounds of what tells most, then of the next, as long as the budget lasts. The first stage is measured
// in any case: two rounds of it, where there is no time for more.
measure::Measured measure_within(const Workspace& workspace, const MeasureRequest& measuring,
                                 const std::vector<measure::Target>& targets, measure::Options how,
                                 const measure::LeasedBoards& boards, measure::Progress& progress) {
  const TimeBudget& budget = *measuring.budget;
  const auto start = std::chrono::steady_clock::now();
  how.deadline = start + std::chrono::milliseconds(static_cast<std::int64_t>(1000 * budget.seconds));
  const auto names = asked_names(targets, how);
  if (names.empty()) return measure_groups(targets, how, boards, workspace.machine(), progress);
  const auto recent = recent_runs_here(workspace, targets);
  measure::StageHints hints{.telling = measure::how_telling(recent)};
  for (const auto& name : names)
    if (measuring.is_likely_changed && measuring.is_likely_changed(name)) hints.likely_changed.insert(name);
  measure::Measured all;
  std::set<std::string> measured;
  while (measured.size() < names.size() && !all.interrupted) {
    hints.suspicious = suspicious_families(all);
    auto stage = measure::next_stage(names, measured, hints);
    if (!measured.empty()) {
      const double one_s = seconds_since(start) / static_cast<double>(measured.size());
      const double room = std::max(budget.seconds - seconds_since(start), 0.0) / one_s;
      stage.resize(std::min(stage.size(), static_cast<std::size_t>(room)));
    }
    if (stage.empty()) break;
    how.only = stage;
    measure::append(measure_groups(targets, how, boards, workspace.machine(), progress), all);
    measured.insert(stage.begin(), stage.end());
    how.tell = nullptr;
  }
  std::vector<std::string> left = names;
  std::erase_if(left, [&](const std::string& name) { return measured.contains(name); });
  if (left.empty()) return all;
  all.out_of_time = "not looked at, as the time budget of " + budget.text +
                    " is used: " + std::to_string(left.size()) + " of " +
                    count_of(names.size(), "benchmark") + " (" + some_of(left) + "); " +
                    next_look_in_words(recent);
  all.notes.push_back(all.out_of_time);
  all.incomplete.assign(targets.size(), true);
  return all;
}

}  // namespace

measure::Measured measure_targets(const Workspace& workspace, const std::vector<measure::Target>& targets,
                                  const MeasureRequest& measuring, const measure::LeasedBoards& boards,
                                  const Spool& spool, measure::Progress& progress) {
  const MeasureSettings& settings = workspace.config().measure;
  measure::Options how;
  how.invocations = measuring.invocations > 0 ? measuring.invocations : settings.invocations;
  if (measuring.invocations == 0 && !settings.says_invocations) how.shorten_above_s = measure::kLongJobS;
  how.repetitions = measuring.repetitions > 0 ? measuring.repetitions : settings.repetitions;
  how.timeout_s = settings.timeout_s;
  how.filter = measuring.filter;
  how.first_round = measuring.first_round;
  how.only = measuring.only;
  how.isolate = measuring.isolate;
  how.cpus = settings.cpus;
  how.high_priority = settings.high_priority;
  // Steps that are no multiple of a page or of the stack's alignment alone.
  constexpr std::size_t kPaddingStepBytes = 336;
  if (measuring.build > 1)
    how.padding_bytes = kPaddingStepBytes * static_cast<std::size_t>(measuring.build - 1);
  if (!measuring.was_told) how.tell = workspace.note_function();
  std::random_device random;
  how.seed = std::uint64_t{random()} << 32 | random();
  how.spool = spool.path();
  measure::Measured measured = measuring.budget
                                   ? measure_within(workspace, measuring, targets, how, boards, progress)
                                   : measure_groups(targets, how, boards, workspace.machine(), progress);
  for (auto& files : measured.files)
    for (auto& file : files) file.invocation.build = measuring.build;
  const bool any = std::ranges::any_of(measured.files, [](const auto& files) { return !files.empty(); });
  if (measured.interrupted && !(measuring.keep && any))
    throw Error(ExitCode::kInterrupted, "interrupted; nothing was recorded",
                measuring.keep ? "no invocation was complete" : "--keep records what is complete by then");
  note_failures(workspace, measured.failures);
  note_excluded(workspace, measured);
  if (!measured.interrupted)
    for (std::size_t i = 0; i < targets.size(); ++i)
      add_injected_code(workspace, targets[i], measured.files[i]);
  std::vector<const formats::BenchmarkFile*> files;
  for (const auto& of_target : measured.files)
    for (const auto& file : of_target) files.push_back(&file);
  note_left_aside(workspace, files);
  return measured;
}

void note_left_aside(const Workspace& workspace, const std::vector<const formats::BenchmarkFile*>& files) {
  std::set<std::string> counters;
  std::set<std::string> aggregates;
  for (const auto* file : files) {
    counters.insert(file->dropped_counters.begin(), file->dropped_counters.end());
    aggregates.insert(file->aggregates_only.begin(), file->aggregates_only.end());
  }
  const auto shown = [](const std::set<std::string>& names) { return some_of({names.begin(), names.end()}); };
  for (const auto& note : formats::notes_about_reading(files)) workspace.note(note);
  if (!counters.empty())
    workspace.note(count_of(counters.size(), "counter") +
                   " left out, as a value is no number (NaN or infinite): " + shown(counters));
  if (!aggregates.empty())
    workspace.note(
        count_of(aggregates.size(), "benchmark") +
        " not judged, as only aggregates are reported: " + shown(aggregates) +
        " (leave out ReportAggregatesOnly() in the code; where it has no Repetitions(), -r 1 does, too)");
}

namespace {

// Each side's files for its commit; the first side is of the first run.
std::string how_to_record_raw(const std::filesystem::path& folder, const std::vector<Run>& runs) {
  std::vector<std::string> commits;
  for (const auto& run : runs)
    if (std::ranges::find(commits, run.commit) == commits.end()) commits.push_back(run.commit);
  std::vector<std::string> calls;
  for (std::size_t side = 0; side < commits.size(); ++side)
    calls.push_back("tracker record " + folder.string() + "/side" + std::to_string(side + 1) +
                    "-*.json --commit " + commits[side]);
  return join(calls, "; ");
}

}  // namespace

void store_runs(const Workspace& workspace, const std::vector<Run>& runs, Spool* spool) {
  std::vector<std::pair<store::Key, std::string>> documents;
  for (const auto& run : runs) {
    const store::Key key{device_key(run.device), run.commit, run.id};
    try {
      documents.emplace_back(key, formats::write_run_strictly(run));
    } catch (const Error& error) {
      if (spool == nullptr) throw;
      spool->keep();
      throw error.with_hint(error.hint() + "; the results stay in " + spool->path().string());
    }
  }
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
    throw error.with_hint(error.hint() + (error.hint().empty() ? "" : "; ") +
                          "nothing is lost: when that is mended, tracker record " + spool->path().string() +
                          "/*.run.json");
  }
}

void throw_if_interrupted(const measure::Measured& measured) {
  if (measured.interrupted)
    throw Error(ExitCode::kInterrupted, "interrupted; what was complete by then is recorded");
}

namespace {

namespace fs = std::filesystem;

bool is_in_use(const fs::path& folder) {
  const int lock = ::open((folder / kSpoolLockName).c_str(), O_RDONLY | O_CLOEXEC);
  if (lock < 0) return errno != ENOENT;
  const bool in_use = ::flock(lock, LOCK_EX | LOCK_NB) != 0;
  ::close(lock);
  return in_use;
}

bool is_result(const fs::directory_entry& entry) {
  std::error_code gone;
  return entry.path().extension() == ".json" && entry.file_size(gone) > 0 && !gone;
}

bool holds_results(const fs::path& folder) {
  std::error_code failure;
  const fs::directory_iterator files(folder, failure);
  return failure || std::any_of(begin(files), end(files), is_result);
}

// A folder is made before it is locked: one that has no lock yet is left alone while it is as young as that.
bool is_young(const fs::path& folder) {
  std::error_code gone;
  const auto changed = fs::last_write_time(folder, gone);
  return gone || fs::file_time_type::clock::now() - changed < std::chrono::minutes(1);
}

}  // namespace

std::string look_after_old_spools(const fs::path& spools) {
  std::vector<std::string> left;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(spools, failure)) {
    const auto& folder = entry.path();
    if (!entry.is_directory(failure) || is_in_use(folder)) continue;
    if (holds_results(folder)) {
      left.push_back(folder.string());
      continue;
    }
    const bool is_new = !fs::exists(folder / kSpoolLockName, failure) && is_young(folder);
    if (!is_new) fs::remove_all(folder, failure);
  }
  if (left.empty()) return {};
  std::ranges::sort(left);
  return "results of " + count_of(left.size(), "job") + " that ended before they were recorded lie in " +
         in_quotes(spools.string()) + ": tracker record " + left.back() +
         "/*.json --commit COMMIT records the newest; rm -r removes what is not wanted";
}

}  // namespace tracker::app
