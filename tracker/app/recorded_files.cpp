// From files of results to runs: of which commit, which machine and which job each file is.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/app/recording.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/assemble.hpp"
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

void refuse_mixed_devices(const std::vector<formats::BenchmarkFile>& files) {
  const std::string first = device_key(*files.front().device);
  for (const auto& file : files)
    if (const std::string key = device_key(*file.device); key != first)
      throw Error(ExitCode::kUsage,
                  "the files are of different devices: " + in_quotes(files.front().source) + " of " + first +
                      ", " + in_quotes(file.source) + " of " + key,
                  "record them one device at a time, or without --job");
}

std::optional<std::string> commit_of_name(const Workspace& workspace, const formats::BenchmarkFile& file) {
  const std::string digits = formats::commit_in_name(std::filesystem::path(file.source).filename().string());
  if (digits.empty()) return {};
  try {
    return workspace.repository().resolve(digits).id;
  } catch (const Error&) {
    return {};  // those digits mean something else
  }
}

// The commit that a file says it was measured at; empty where it says none.
std::optional<std::string> own_commit(const Workspace& workspace, const formats::BenchmarkFile& file) {
  if (file.commit.empty()) return commit_of_name(workspace, file);
  try {
    return workspace.repository().resolve(file.commit).id;
  } catch (const Error&) {
    throw Error(ExitCode::kUsage,
                in_quotes(file.source) + " says that it was measured at " + file.commit +
                    ", which is no commit of this repository",
                "fetch it, or say which commit it was: --commit COMMIT");
  }
}

// Of files that name their commits, those whose commit is not here are left out and named, as long as any is
// left: a rebase or a branch that is gone makes a few of very many such.
void leave_out_unknown_commits(const Workspace& workspace, const RecordRequest& request,
                               std::vector<formats::BenchmarkFile>& files,
                               std::vector<std::filesystem::path>& paths,
                               std::vector<std::uint32_t>& hashes) {
  if (!request.commit.empty()) return;
  std::map<std::string, bool> known;
  const auto is_known = [&](const formats::BenchmarkFile& file) {
    const auto [found, is_new] = known.try_emplace(file.commit, true);
    if (is_new && !file.commit.empty()) {
      try {
        workspace.repository().resolve(file.commit);
      } catch (const Error&) {
        found->second = false;
      }
    }
    return found->second;
  };
  std::vector<std::size_t> kept;
  std::vector<std::size_t> left_out;
  for (std::size_t i = 0; i < files.size(); ++i) (is_known(files[i]) ? kept : left_out).push_back(i);
  if (left_out.empty() || kept.empty()) return;
  const formats::BenchmarkFile& first = files[left_out.front()];
  workspace.note(
      std::to_string(left_out.size()) + " of " + std::to_string(files.size()) +
      " files are not recorded: they were measured at commits that this repository does not have, the "
      "first is " +
      in_quotes(first.source) + " at " + first.commit);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == i) continue;
    files[i] = std::move(files[kept[i]]);
    paths[i] = std::move(paths[kept[i]]);
    hashes[i] = hashes[kept[i]];
  }
  files.resize(kept.size());
  paths.resize(kept.size());
  hashes.resize(kept.size());
}

// By file. Where the request names a commit, it holds, and what contradicts it is told.
std::vector<std::string> commits_of(const Workspace& workspace, const RecordRequest& request,
                                    const std::vector<formats::BenchmarkFile>& files) {
  const Commit stated = workspace.repository().resolve(request.commit.empty() ? "HEAD" : request.commit);
  std::vector<std::string> commits;
  std::vector<const formats::BenchmarkFile*> silent;
  std::vector<std::string> others;
  for (const auto& file : files) {
    if (!request.commit.empty()) {
      const std::string own =
          file.commit.empty() ? commit_of_name(workspace, file).value_or("") : file.commit;
      if (!own.empty() && !stated.id.starts_with(own))
        others.push_back(in_quotes(file.source) + " of " + short_id(own));
      commits.push_back(stated.id);
      continue;
    }
    const auto own = own_commit(workspace, file);
    if (!own) silent.push_back(&file);
    commits.push_back(own.value_or(stated.id));
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
  return commits;
}

// What tells the machines of files apart.
std::string machine_of(const formats::BenchmarkFile& file) {
  const Host& host = file.host;
  if (file.device->uuid) return *file.device->uuid;
  return host.name + "/" + host.cpu.value_or("") + "/" + std::to_string(host.cpu_count.value_or(0)) + "/" +
         host.caches.value_or("");
}

// Places of the files of each job, in the order of their dates.
std::vector<std::vector<std::size_t>> jobs_of(const std::vector<formats::BenchmarkFile>& files,
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
  std::vector<formats::BenchmarkFile> files;
  std::vector<std::filesystem::path> paths;
  std::vector<std::uint32_t> hashes;  // of the files, which may hold several invocations
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
        files.push_back(std::move(invocation));
        paths.push_back(path);
        hashes.push_back(hash);
      }
    }
  leave_out_unknown_commits(workspace, request, files, paths, hashes);
  const auto commits = commits_of(workspace, request, files);
  if (files.empty()) return runs;
  std::vector<const formats::BenchmarkFile*> all;
  for (const auto& file : files) all.push_back(&file);
  formats::require_repetitions(all);
  for (auto& file : files) name_device(file, request.device);
  note_left_aside(workspace, {&files});
  if (!request.job.empty()) refuse_mixed_devices(files);
  for (const auto& job : jobs_of(files, commits, !request.job.empty())) {
    // In the order of the files as they were named, so that the id does not depend on what else is recorded.
    auto named = job;
    std::sort(named.begin(), named.end());
    std::uint32_t hash = formats::fnv1a(formats::kEmptyHash, request.prefix);
    for (std::size_t k = 0; k < named.size(); ++k)
      if (k == 0 || paths[named[k]] != paths[named[k - 1]])
        hash = formats::fnv1a(hash, std::to_string(hashes[named[k]]));
    const auto when = parse_time(files[job.front()].invocation.started_at);
    const std::string id = run_id_of(when.value_or(std::chrono::system_clock::time_point{}), hash);
    std::vector<formats::BenchmarkFile> of_job;
    std::map<std::string, int> rounds;
    for (const std::size_t i : job) {
      if (!request.job.empty()) files[i].invocation.round = ++rounds[files[i].invocation.binary];
      of_job.push_back(std::move(files[i]));
    }
    const std::string name = request.job.empty() ? id : request.job;
    for (auto& run :
         formats::assemble_runs(std::move(of_job), {.id = id, .job = name, .commit = commits[job.front()]}))
      runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace tracker::app
