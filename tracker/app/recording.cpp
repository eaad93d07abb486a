#include "tracker/app/recording.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>

#include <unistd.h>

#include "tracker/app/old_spools.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/file_side.hpp"
#include "tracker/formats/measured_file.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/stated_environment.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/measure/library_flags.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker {
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
      throw Error(ExitCode::kUsage, "'" + printable(word) + "' stands before any benchmark binary",
                  "tracker's own options go before --, a binary's behind it: tracker run -- ./bench " +
                      printable(word));
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
  return printable(join(names, ", ")) + (is_long ? ", …" : "");
}

RunSelection selection_of_files(const std::vector<BenchmarkFile>& files) {
  std::set<std::string> names;
  for (const auto& file : files)
    for (const auto& benchmark : file.benchmarks) names.insert(benchmark.name);
  return selection_of(std::vector<std::string>(names.begin(), names.end()));
}

// Many benchmarks open their data relative to the folder that they are built in.
std::string hint_of_folder(const Failure& failure) {
  const auto folder = std::filesystem::path(failure.binary.path).parent_path();
  const bool may_want_another = failure.ended_badly && failure.invocation == 1 &&
                                failure.binary.directory.empty() && !folder.empty() && !folder.is_absolute();
  if (!may_want_another) return "";
  return "\n  it ran at the root; where it reads files of another folder, name it in its [[binary]]: "
         "directory = \"" +
         printable(folder.generic_string()) + "\"";
}

void note_failures(const Workspace& workspace, const std::vector<Failure>& failures) {
  for (const auto& failure : failures) {
    std::string text = "'" + printable(describe(failure.binary)) + "'" +
                       (failure.target.empty() ? "" : " at " + failure.target) + " " +
                       printable(failure.what) + " in invocation " + std::to_string(failure.invocation) +
                       "; it was not started again";
    if (!failure.last_output.empty()) {
      text += "\n  the last it printed:";
      for (const auto& line : split(failure.last_output, '\n')) text += "\n  | " + printable(line);
    }
    text += hint_of_folder(failure);
    workspace.note(text);
  }
}

void note_excluded(const Workspace& workspace, const Measured& measured) {
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

Spool::Spool(const Workspace& workspace, const std::string& job, bool was_told) {
  workspace.store().require_writable();
  std::error_code failure;
  path_ = workspace.repository().common_dir() / "tracker" / "spool" / job;
  std::filesystem::create_directories(path_, failure);
  if (!failure) {
    lock_ = lock_spool(path_);
    const std::string left = look_after_old_spools(path_.parent_path());
    if (!left.empty() && !was_told) workspace.note(left);
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
  if (words.empty()) {
    auto binaries = config.binaries;
    for (auto& binary : binaries) binary.is_part = choose_a_part({});
    return binaries;
  }
  std::vector<Binary> named;
  for (const auto& one : split_binaries(words)) {
    const auto asked = is_command(one.path) ? find_on_path(one.path) : std::filesystem::absolute(one.path);
    std::vector<Binary> declared;
    for (const auto& binary : config.binaries)
      if (binary_path(root, binary).lexically_normal() == asked.lexically_normal())
        declared.push_back(binary);
    if (declared.empty()) declared.emplace_back();
    for (auto& binary : declared) {
      binary.path = asked.string();
      binary.when = RunsWhere::kAlways;
      binary.is_part = choose_a_part(one.arguments);
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

RunSelection selection_of(const std::vector<std::string>& names) {
  return {exact_filter(names).value_or(""), static_cast<int>(names.size())};
}

RunSelection selection_of(const MeasureRequest& measuring) {
  return measuring.only.empty() ? RunSelection{measuring.filter} : selection_of(measuring.only);
}

std::string new_job_id() {
  return new_run_id(std::chrono::system_clock::now(), static_cast<std::uint16_t>(std::random_device{}()));
}

Measured measure_targets(const Workspace& workspace, const std::vector<Target>& targets,
                         const MeasureRequest& measuring, const LocalEnvironment& environment,
                         const Spool& spool) {
  const LeasedBoards boards = lease_for(workspace, targets, measuring, environment);
  const auto progress = workspace.observer().progress();
  return measure_targets(workspace, targets, measuring, environment, boards, spool, *progress);
}

LeasedBoards lease_for(const Workspace& workspace, const std::vector<Target>& targets,
                       const MeasureRequest& measuring, const LocalEnvironment& environment) {
  const MeasureSettings& settings = workspace.config().measure;
  BoardRequest request;
  request.gpus = measuring.gpus.empty() ? settings.gpus : measuring.gpus;
  request.wait_max_s = settings.lease_wait_s;
  request.holder = "tracker in '" + printable(workspace.root().filename().string()) + "'";
  request.tell = workspace.note_function();
  for (const auto& target : targets)
    request.binaries.insert(request.binaries.end(), target.binaries.begin(), target.binaries.end());
  return lease_boards(request, environment);
}

namespace {

// Each model's boards in turn; what runs on the CPU is measured with the first.
Measured measure_groups(std::vector<Target> targets, MeasureOptions how, const LeasedBoards& boards,
                        const LocalEnvironment& environment, Progress& progress) {
  Measured all;
  how.visible_gpus = boards.visible_gpus;
  for (const auto& group : boards.groups) {
    how.boards = group;
    append(measure(targets, how, environment, progress), all);
    if (all.interrupted) break;
    how.tell = nullptr;
    for (auto& target : targets)
      std::erase_if(target.binaries,
                    [&](const Binary& binary) { return !environment.uses_gpu(binary.device); });
  }
  return all;
}

// The benchmarks that are asked for, by the binaries' lists; none where one cannot list.
std::vector<std::string> asked_names(const std::vector<Target>& targets, const MeasureOptions& how) {
  if (!how.only.empty()) return how.only;
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (std::size_t target = 0; target < targets.size(); ++target)
    for (const auto& binary : targets[target].binaries) {
      InvocationSpec spec;
      spec.root = targets[target].root;
      spec.binary = binary;
      spec.filter = how.filter;
      const auto listed = list_benchmarks(spec);
      if (!listed.names) return {};
      for (const auto& name : *listed.names)
        if (seen.insert(name).second) names.push_back(name);
    }
  return names;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// All rounds of what tells most, then of the next, as long as the budget lasts. The first stage is measured
// in any case: two rounds of it, where there is no time for more.
Measured measure_within(const MeasureRequest& measuring, const std::vector<Target>& targets,
                        MeasureOptions how, const LeasedBoards& boards, const LocalEnvironment& environment,
                        Progress& progress) {
  const TimeBudget& budget = *measuring.budget;
  const auto start = std::chrono::steady_clock::now();
  how.deadline = start + std::chrono::milliseconds(static_cast<std::int64_t>(1000 * budget.seconds));
  const auto names = asked_names(targets, how);
  if (names.empty()) return measure_groups(targets, how, boards, environment, progress);
  std::set<std::string> likely_changed;
  for (const auto& name : names)
    if (measuring.is_likely_changed && measuring.is_likely_changed(name)) likely_changed.insert(name);
  Measured all;
  std::size_t measured = 0;
  std::vector<std::string> left;
  for (auto& stage : in_stages(names, likely_changed)) {
    if (measured > 0) {
      const double one_s = seconds_since(start) / static_cast<double>(measured);
      const double room = std::max(budget.seconds - seconds_since(start), 0.0) / one_s;
      const std::size_t fits = left.empty() ? std::min(stage.size(), static_cast<std::size_t>(room)) : 0;
      left.insert(left.end(), stage.begin() + static_cast<std::ptrdiff_t>(fits), stage.end());
      stage.resize(fits);
    }
    if (stage.empty() || all.interrupted) continue;
    how.only = stage;
    append(measure_groups(targets, how, boards, environment, progress), all);
    measured += stage.size();
    how.tell = nullptr;
  }
  if (left.empty()) return all;
  all.out_of_time = "not looked at, as the time budget of " + printable(budget.text) +
                    " is used: " + std::to_string(left.size()) + " of " +
                    count_of(names.size(), "benchmark") + " (" + some_of(left) +
                    "); without --time-budget they are measured";
  all.notes.push_back(all.out_of_time);
  all.incomplete.assign(targets.size(), true);
  return all;
}

}  // namespace

Measured measure_targets(const Workspace& workspace, const std::vector<Target>& targets,
                         const MeasureRequest& measuring, const LocalEnvironment& environment,
                         const LeasedBoards& boards, const Spool& spool, Progress& progress) {
  const MeasureSettings& settings = workspace.config().measure;
  MeasureOptions how;
  how.invocations = measuring.invocations > 0 ? measuring.invocations : settings.invocations;
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
  Measured measured = measuring.budget
                          ? measure_within(measuring, targets, how, boards, environment, progress)
                          : measure_groups(targets, how, boards, environment, progress);
  for (auto& files : measured.files)
    for (auto& file : files) file.invocation.build = measuring.build;
  const bool any = std::any_of(measured.files.begin(), measured.files.end(),
                               [](const auto& files) { return !files.empty(); });
  if (measured.interrupted && !(measuring.keep && any))
    throw Error(ExitCode::kInterrupted, "interrupted; nothing was recorded",
                measuring.keep ? "no invocation was complete" : "--keep records what is complete by then");
  note_failures(workspace, measured.failures);
  note_excluded(workspace, measured);
  std::vector<const std::vector<BenchmarkFile>*> files;
  for (const auto& of_target : measured.files) files.push_back(&of_target);
  note_left_aside(workspace, files);
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
  const bool is_incomplete = !measured.incomplete.empty() && measured.incomplete[target];
  const bool is_part = std::any_of(targets[target].binaries.begin(), targets[target].binaries.end(),
                                   [](const Binary& binary) { return binary.is_part; });
  if ((is_incomplete || is_part) && !measured.files[target].empty())
    all.selection = selection_of_files(measured.files[target]);
  if (measured.files[target].empty())
    throw Error(ExitCode::kEnvironment, "no benchmark binary delivered results" +
                                            (label.empty() ? "" : " at " + label) + "; nothing was recorded");
  auto runs = assemble_runs(measured.files[target], all);
  if (!targets[target].build.empty())
    for (auto& run : runs) run.software.build = targets[target].build;
  return runs;
}

void note_left_aside(const Workspace& workspace,
                     const std::vector<const std::vector<BenchmarkFile>*>& lists) {
  std::set<std::string> counters;
  std::set<std::string> aggregates;
  std::vector<const BenchmarkFile*> all;
  for (const auto* files : lists)
    for (const auto& file : *files) {
      all.push_back(&file);
      counters.insert(file.dropped_counters.begin(), file.dropped_counters.end());
      aggregates.insert(file.aggregates_only.begin(), file.aggregates_only.end());
    }
  const auto shown = [](const std::set<std::string>& names) { return some_of({names.begin(), names.end()}); };
  for (const auto& note : notes_about_reading(all)) workspace.note(note);
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

void name_device(BenchmarkFile& file, const std::optional<Device>& stated) {
  if (stated) {
    if (!file.device) file.device = Device{};
    file.device->kind = stated->kind;
    file.device->model = stated->model;
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

std::optional<std::string> commit_of_name(const Workspace& workspace, const BenchmarkFile& file) {
  const std::string digits = commit_in_name(std::filesystem::path(file.source).filename().string());
  if (digits.empty()) return {};
  try {
    return workspace.repository().resolve(digits).id;
  } catch (const Error&) {
    return {};  // those digits mean something else
  }
}

// The commit that a file says it was measured at; empty where it says none.
std::optional<std::string> own_commit(const Workspace& workspace, const BenchmarkFile& file) {
  if (file.commit.empty()) return commit_of_name(workspace, file);
  try {
    return workspace.repository().resolve(file.commit).id;
  } catch (const Error&) {
    throw Error(ExitCode::kUsage,
                "'" + printable(file.source) + "' says that it was measured at " + file.commit +
                    ", which is no commit of this repository",
                "fetch it, or say which commit it was: --commit COMMIT");
  }
}

// By file. Where the request names a commit, it holds, and what contradicts it is told.
std::vector<std::string> commits_of(const Workspace& workspace, const RecordRequest& request,
                                    const std::vector<BenchmarkFile>& files) {
  const Commit stated = workspace.repository().resolve(request.commit.empty() ? "HEAD" : request.commit);
  std::vector<std::string> commits;
  std::vector<const BenchmarkFile*> silent;
  std::vector<std::string> others;
  for (const auto& file : files) {
    if (!request.commit.empty()) {
      const std::string own =
          file.commit.empty() ? commit_of_name(workspace, file).value_or("") : file.commit;
      if (!own.empty() && !stated.id.starts_with(own))
        others.push_back("'" + printable(file.source) + "' of " + short_id(own));
      commits.push_back(stated.id);
      continue;
    }
    const auto own = own_commit(workspace, file);
    if (!own) silent.push_back(&file);
    commits.push_back(own.value_or(stated.id));
  }
  if (!silent.empty() && silent.size() < files.size())
    throw Error(ExitCode::kUsage,
                "'" + printable(silent.front()->source) +
                    "' does not say at which commit it was measured, and others of these files do",
                "record it apart, with --commit COMMIT");
  if (!others.empty())
    workspace.note("recorded for " + short_id(stated.id) +
                   " as --commit says, though the file names another commit: " + others.front() +
                   (others.size() > 1 ? " and " + std::to_string(others.size() - 1) + " more" : ""));
  return commits;
}

// What tells the machines of files apart.
std::string machine_of(const BenchmarkFile& file) {
  const Host& host = file.host;
  if (file.device->uuid) return *file.device->uuid;
  return host.name + "/" + host.cpu.value_or("") + "/" + std::to_string(host.cpu_count.value_or(0)) + "/" +
         host.caches.value_or("");
}

// Places of the files of each job, in the order of their dates.
std::vector<std::vector<std::size_t>> jobs_of(const std::vector<BenchmarkFile>& files,
                                              const std::vector<std::string>& commits, bool one_job) {
  constexpr std::chrono::hours kApartMax{12};
  std::vector<std::size_t> order(files.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto start = [&](std::size_t i) { return files[i].invocation.started_at; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return start(a) < start(b); });
  std::vector<std::vector<std::size_t>> jobs;
  std::map<std::pair<std::string, std::string>, std::size_t> open;  // by commit and machine
  for (const std::size_t i : order) {
    const auto [known, is_new] =
        open.try_emplace({commits[i], one_job ? "" : machine_of(files[i])}, jobs.size());
    bool is_later = false;
    if (!is_new && !one_job) {
      const auto then = parse_time(start(jobs[known->second].back()));
      const auto now = parse_time(start(i));
      is_later = then && now && *now - *then > kApartMax;
    }
    if (is_later) known->second = jobs.size();
    if (is_new || is_later) jobs.emplace_back();
    jobs[known->second].push_back(i);
  }
  return jobs;
}

}  // namespace

std::vector<Run> runs_to_record(const Workspace& workspace, const RecordRequest& request) {
  std::vector<BenchmarkFile> files;
  std::vector<std::filesystem::path> paths;
  std::vector<std::uint32_t> hashes;  // of the files, which may hold several invocations
  std::vector<Run> runs;
  for (const auto& argument : request.files)
    for (const auto& path : measured_files_at(argument)) {
      std::uint32_t hash = kEmptyHash;
      MeasuredFile file = read_measured_file(path, &hash);
      // What a run left behind that could not be stored: whole documents, each with its own commit.
      for (auto& run : file.runs) runs.push_back(std::move(run));
      for (auto& invocation : file.invocations) {
        require_direction(invocation, request.better);
        put_prefix(invocation, request.prefix);
        files.push_back(std::move(invocation));
        paths.push_back(path);
        hashes.push_back(hash);
      }
    }
  const auto commits = commits_of(workspace, request, files);
  if (files.empty()) return runs;
  std::vector<const BenchmarkFile*> all;
  for (const auto& file : files) all.push_back(&file);
  require_repetitions(all);
  for (auto& file : files) name_device(file, request.device);
  note_left_aside(workspace, {&files});
  refuse_mixed_devices(files);
  for (const auto& job : jobs_of(files, commits, !request.job.empty())) {
    // In the order of the files as they were named, so that the id does not depend on what else is recorded.
    auto named = job;
    std::sort(named.begin(), named.end());
    std::uint32_t hash = fnv1a(kEmptyHash, request.prefix);
    for (std::size_t k = 0; k < named.size(); ++k)
      if (k == 0 || paths[named[k]] != paths[named[k - 1]])
        hash = fnv1a(hash, std::to_string(hashes[named[k]]));
    const auto when = parse_time(files[job.front()].invocation.started_at);
    const std::string id = run_id_of(when.value_or(std::chrono::system_clock::time_point{}), hash);
    std::vector<BenchmarkFile> of_job;
    std::map<std::string, int> rounds;
    for (const std::size_t i : job) {
      if (!request.job.empty()) files[i].invocation.round = ++rounds[files[i].invocation.binary];
      of_job.push_back(std::move(files[i]));
    }
    const std::string name = request.job.empty() ? id : request.job;
    for (auto& run :
         assemble_runs(std::move(of_job), {.id = id, .job = name, .commit = commits[job.front()]}))
      runs.push_back(std::move(run));
  }
  return runs;
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
  for (const auto& run : runs) {
    const StoredKey key{device_key(run.device), run.commit, run.id};
    try {
      documents.emplace_back(key, write_run_strictly(run));
    } catch (const Error& error) {
      if (spool == nullptr) throw;
      spool->keep();
      throw Error(error.code(), error.what(),
                  std::string(error.hint()) + "; the results stay in " + spool->path().string());
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

}  // namespace tracker
