// From files of results to runs: of which commit, which machine and which job each file is.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "tracker/app/recording.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/google_benchmark.hpp"
#include "tracker/formats/stated_environment.hpp"

namespace tracker::app {

namespace {

void name_device(formats::BenchmarkFile& file, const std::optional<Device>& stated) {
  if (stated) {
    if (!file.device) file.device = Device{};
    file.device->kind = stated->kind;
    file.device->model = stated->model;
    file.device = formats::named_device(*file.device, file.host);
  }
  if (!file.device)
    throw Error(ExitCode::kUsage, in_quotes(file.source) + " does not say which device it was measured on",
                "say it: --gpu \"NVIDIA H200\" or --cpu \"AMD EPYC 9654\"");
}

// One invocation out of a file, and what is found out of it.
struct Recorded {
  formats::BenchmarkFile results;
  std::filesystem::path path;
  std::uint32_t hash = formats::kEmptyHash;  // of the file, which may hold several invocations
  std::string commit = {};
};

// None where the digits of the name mean something else.
std::optional<Commit> commit_of_name(const Workspace& workspace, const formats::BenchmarkFile& file) {
  const std::string digits = formats::commit_in_name(std::filesystem::path(file.source).filename().string());
  return digits.empty() ? std::nullopt : find_commit(workspace.repository(), digits);
}

// The commit that a file says it was measured at; empty where it says none.
std::optional<Commit> own_commit(const Workspace& workspace, const formats::BenchmarkFile& file) {
  if (file.commit.empty()) return commit_of_name(workspace, file);
  const auto commit = find_commit(workspace.repository(), file.commit);
  if (!commit)
    throw Error(ExitCode::kUsage,
                in_quotes(file.source) + " says that it was measured at " + file.commit +
                    ", which is no commit of this repository",
                "fetch it, or say which commit it was: --commit COMMIT");
  return commit;
}

// Of files that name their commits, those whose commit is not here are left out and named, as long as any is
// left: a rebase or a branch that is gone makes a few of very many such.
void leave_out_unknown_commits(const Workspace& workspace, std::vector<Recorded>& files) {
  std::map<std::string, bool> known;
  const auto is_unknown = [&](const Recorded& one) {
    const auto [found, is_new] = known.try_emplace(one.results.commit, true);
    if (is_new && !one.results.commit.empty())
      found->second = find_commit(workspace.repository(), one.results.commit).has_value();
    return !found->second;
  };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(files, is_unknown));
  if (count == 0 || count == files.size()) return;
  const formats::BenchmarkFile& first = std::ranges::find_if(files, is_unknown)->results;
  workspace.note(
      std::to_string(count) + " of " + std::to_string(files.size()) +
      " files are not recorded: they were measured at commits that this repository does not have, the "
      "first is " +
      in_quotes(first.source) + " at " + first.commit);
  std::erase_if(files, is_unknown);
}

// Where the request names a commit, it holds, and what contradicts it is told.
void set_commits(const Workspace& workspace, const RecordRequest& request, std::vector<Recorded>& files) {
  const Commit stated = workspace.repository().resolve(request.commit.empty() ? "HEAD" : request.commit);
  std::vector<const formats::BenchmarkFile*> silent;
  std::vector<std::string> others;
  for (auto& [file, path, hash, commit] : files) {
    commit = stated.id;
    if (!request.commit.empty()) {
      const std::string own =
          file.commit.empty() ? commit_of_name(workspace, file).value_or(Commit{}).id : file.commit;
      if (!own.empty() && !stated.id.starts_with(own))
        others.push_back(in_quotes(file.source) + " of " + short_id(own));
    } else if (const auto own = own_commit(workspace, file)) {
      commit = own->id;
    } else {
      silent.push_back(&file);
    }
  }
  if (!silent.empty() && silent.size() < files.size())
    throw Error(ExitCode::kUsage,
                in_quotes(silent.front()->source) +
                    " does not say at which commit it was measured, and others of these files do",
                "record it apart, with --commit COMMIT");
  if (!others.empty())
    workspace.note("recorded for " + short_id(stated.id) +
                   " as --commit says, though the file names another commit: " + others.front() +
                   and_more(others.size() - 1));
}

void refuse_mixed_devices(const std::vector<Recorded>& files) {
  const formats::BenchmarkFile& first = files.front().results;
  for (const auto& one : files)
    if (const std::string key = device_key(*one.results.device); key != device_key(*first.device))
      throw Error(ExitCode::kUsage,
                  "the files are of different devices: " + in_quotes(first.source) + " of " +
                      device_key(*first.device) + ", " + in_quotes(one.results.source) + " of " + key,
                  "record them one device at a time, or without --job");
}

// What tells the machines of files apart.
std::string machine_of(const formats::BenchmarkFile& file) {
  const Host& host = file.host;
  if (file.device->uuid) return *file.device->uuid;
  return host.name + "/" + host.cpu.value_or("") + "/" + std::to_string(host.cpu_count.value_or(0)) + "/" +
         host.caches.value_or("");
}

// Places of the files of each job, in the order of their dates.
std::vector<std::vector<std::size_t>> jobs_of(const std::vector<Recorded>& files, bool one_job) {
  constexpr std::chrono::hours kApartMax{12};
  std::vector<std::size_t> order(files.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto start = [&](std::size_t i) { return files[i].results.invocation.started_at; };
  std::ranges::stable_sort(order, {}, start);
  std::vector<std::vector<std::size_t>> jobs;
  std::map<std::pair<std::string, std::string>, std::size_t> open;  // by commit and machine
  for (const std::size_t i : order) {
    const auto [known, is_new] =
        open.try_emplace({files[i].commit, one_job ? "" : machine_of(files[i].results)}, jobs.size());
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
  std::vector<Recorded> files;
  std::vector<Run> runs;
  for (const auto& argument : request.files)
    for (const auto& path : formats::measured_files_at(argument)) {
      std::uint32_t hash = formats::kEmptyHash;
      formats::MeasuredFile file = formats::read_measured_file(path, &hash);
      // What a run left behind that could not be stored: whole documents, each with its own commit.
      for (auto& run : file.runs) runs.push_back(std::move(run));
      for (auto& invocation : file.invocations) {
        formats::require_direction(invocation, request.better);
        formats::put_prefix(invocation, request.prefix);
        files.push_back({std::move(invocation), path, hash});
      }
    }
  if (request.commit.empty()) leave_out_unknown_commits(workspace, files);
  set_commits(workspace, request, files);
  if (files.empty()) return runs;
  std::vector<const formats::BenchmarkFile*> all;
  for (const auto& file : files) all.push_back(&file.results);
  formats::require_repetitions(all);
  for (auto& file : files) name_device(file.results, request.device);
  note_left_aside(workspace, all);
  if (!request.job.empty()) refuse_mixed_devices(files);
  for (const auto& job : jobs_of(files, !request.job.empty())) {
    // In the order of the files as they were named, so that the id does not depend on what else is recorded.
    auto named = job;
    std::ranges::sort(named);
    std::uint32_t hash = formats::fnv1a(formats::kEmptyHash, request.prefix);
    for (std::size_t k = 0; k < named.size(); ++k)
      if (k == 0 || files[named[k]].path != files[named[k - 1]].path)
        hash = formats::fnv1a(hash, std::to_string(files[named[k]].hash));
    const Recorded& first = files[job.front()];
    const auto when = parse_time(first.results.invocation.started_at);
    const std::string id = run_id_of(when.value_or(std::chrono::system_clock::time_point{}), hash);
    const formats::RunFacts facts{
        .id = id, .job = request.job.empty() ? id : request.job, .commit = first.commit};
    std::vector<formats::BenchmarkFile> of_job;
    std::map<std::string, int> rounds;
    for (const std::size_t i : job) {
      auto& invocation = files[i].results.invocation;
      if (!request.job.empty()) invocation.round = ++rounds[invocation.binary];
      of_job.push_back(std::move(files[i].results));
    }
    std::ranges::move(formats::assemble_runs(std::move(of_job), facts), std::back_inserter(runs));
  }
  return runs;
}

}  // namespace tracker::app
