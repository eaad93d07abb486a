#include "tracker/history/history.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "tracker/base/text.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker::history {
namespace {

// "a/{2}/c" as the glob "a/*/c".
std::string glob_of_bound(const std::string& bound) {
  std::string glob;
  for (std::size_t at = 0; at < bound.size(); ++at) {
    const std::size_t end = bound[at] == '{' ? bound.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      glob += bound[at];
      continue;
    }
    glob += '*';
    at = end;
  }
  return glob;
}

std::map<std::string, std::vector<store::Key>> keys_by_commit(const store::Store& store,
                                                              const std::string& device) {
  std::map<std::string, std::vector<store::Key>> keys;
  for (auto& key : store.keys_on(device)) keys[key.commit].push_back(std::move(key));
  return keys;
}

// Clean ones only, unless all are dirty, and none of the sentinel. A run that is recorded for what became of
// its commit as well (tracker remap) counts once.
NoiseHistory choose_clean(NoiseHistory history) {
  std::set<std::pair<std::string, std::string>> seen;
  const auto is_first = [&](const Run& run) {
    return !run.sentinel && seen.emplace(run.id, device_key(run.device)).second;
  };
  history = keep_runs(std::move(history), is_first);
  if (std::ranges::all_of(history.runs, &Run::dirty)) return history;
  return keep_runs(std::move(history), [](const Run& run) { return !run.dirty; });
}

std::vector<Run> choose_clean(std::vector<Run> runs) {
  return choose_clean(NoiseHistory(std::move(runs))).runs;
}

// By commit; those of other commits are not read.
std::optional<std::unordered_map<std::string, std::vector<Run>>> summaries_by_commit(
    const RunSource& source, const std::string& device, const std::unordered_set<std::string_view>& commits,
    const summary::WantedNames& wanted) {
  if (source.summaries() == nullptr) return {};
  auto runs = source.summaries()->runs_on(
      device, [&](const std::string& commit) { return commits.contains(commit); }, source.wanted(wanted));
  if (!runs) return {};
  std::unordered_map<std::string, std::vector<Run>> by_commit;
  for (auto& run : *runs) by_commit[run.commit].push_back(std::move(run));
  return by_commit;
}

// "20261120T124901Z-3f9a0c1e" of "20261120T124901Z-3f9a0c1e-a": runs of one job share it.
std::string job_of_run_id(const std::string& id) {
  return id.substr(0, id.find('-', std::min(id.find('-'), id.size() - 1) + 1));
}

// A job may measure only some benchmarks: several runs together have them all.
constexpr std::size_t kNewestRunsRead = 20;

bool is_wanted(const std::string& device_glob, const std::string& device) {
  return device_glob.empty() || glob_match(device_glob, device);
}

std::vector<std::string> wanted_devices(const store::Store& store, const std::string& device_glob) {
  auto devices = store.devices();
  std::erase_if(devices, [&](const std::string& device) { return !is_wanted(device_glob, device); });
  return devices;
}

std::vector<Run> newest_runs(const store::Store& store, const std::string& device, std::size_t count) {
  return read_runs(store, store.newest(device, count, ""));
}

}  // namespace

std::unique_ptr<summary::RunSummaries> open_summaries(
    const store::Store& store, const std::filesystem::path& folder,
    std::function<void(std::size_t done, std::size_t all)> progress,
    std::function<void(const std::string& text)> note) {
  summary::Hooks hooks;
  hooks.parse = parse_stored_run;
  hooks.why_refused = [](const store::Key& key, std::string_view text) {
    const auto unusable = why_unusable(key, text);
    return unusable && !unusable->is_newer ? unusable->why : std::string();
  };
  hooks.read = [&store](const store::Key& key) { return read_stored_run(store, key); };
  hooks.progress = std::move(progress);
  hooks.note = std::move(note);
  return std::make_unique<summary::RunSummaries>(store, summary::summary_path(store, folder),
                                                 std::move(hooks));
}

summary::WantedCounters judged_counters(const Policy& policy) {
  std::set<std::string> names{kStatedValue};
  for (const auto& metric : builtin_metrics()) names.insert(metric.name);
  for (const auto& rule : policy.rules) {
    if (rule.metric) names.insert(*rule.metric);
    if (rule.same_clock.value_or(false)) names.insert(counter_name::kCoreClock);
  }
  return names;
}

summary::WantedNames wanted_names(const std::vector<std::string>& globs, const Policy& policy) {
  if (globs.empty()) return {};
  std::vector<std::string> wanted = globs;
  for (const auto& rule : policy.rules)
    if (rule.bound) wanted.push_back(glob_of_bound(*rule.bound));
  for (const auto& rename : policy.renames) wanted.push_back(rename.to);
  return [wanted = std::move(wanted), renames = policy.renames](const std::string& name) {
    // Whatever is renamed is wanted: whether it takes its new name depends on the others.
    return means_any(wanted, name) || renamed(name, renames) != name;
  };
}

int position_of_oldest(const repo::Repository& repository, const std::string& from, int commits_max) {
  return static_cast<int>(repository.first_parents(from, kWholeLine).size()) - commits_max;
}

std::vector<Run> read_runs(const store::Store& store, std::vector<store::Key> keys) {
  return measured_runs(read_all_runs(store, std::move(keys)));
}

std::vector<Run> measured_runs(std::vector<Run> runs) {
  std::erase_if(runs, [](const Run& run) { return run.benchmarks.empty() && run.same_program; });
  return choose_clean(std::move(runs));
}

std::vector<Run> read_all_runs(const store::Store& store, std::vector<store::Key> keys) {
  std::ranges::sort(keys, {}, &store::Key::id);
  return take_usable(store, read_at_once(store, keys));
}

std::vector<CommitRuns> load_commits(const repo::CommitLine& line, const RunSource& source,
                                     const std::string& device, const std::function<bool(int position)>& fits,
                                     const summary::WantedNames& wanted) {
  const auto position_of = [&](std::size_t place) { return static_cast<int>(line.size() - 1 - place); };
  std::unordered_set<std::string_view> commits;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (fits(position_of(i))) commits.insert(line[i].id);
  auto summaries = summaries_by_commit(source, device, commits, wanted);
  const auto keys =
      summaries ? decltype(keys_by_commit(source.store(), device)){} : keys_by_commit(source.store(), device);
  std::vector<CommitRuns> history;
  for (std::size_t i = line.size(); i-- > 0;) {
    if (!commits.contains(line[i].id)) continue;
    std::vector<Run> runs;
    if (summaries) {
      if (const auto found = summaries->find(line[i].id); found != summaries->end())
        runs = choose_clean(std::move(found->second));
    } else if (const auto found = keys.find(line[i].id); found != keys.end()) {
      runs = read_runs(source.store(), found->second);
    }
    if (!runs.empty()) history.push_back({line[i], position_of(i), std::move(runs)});
  }
  return history;
}

std::vector<CommitRuns> load(const repo::Repository& repository, const RunSource& source,
                             const std::string& device, const std::string& from, int commits_max,
                             const summary::WantedNames& wanted) {
  return load_commits(
      repository.first_parents(from, commits_max), source, device, [](int) { return true; }, wanted);
}

std::vector<store::Key> recorded_keys(const RunSource& source) {
  if (source.summaries() != nullptr)
    if (auto keys = source.summaries()->known_keys()) return std::move(*keys);
  return source.store().keys();
}

std::vector<std::string> devices_on_line(const repo::Repository& repository, const RunSource& source,
                                         const std::string& from, int commits_max) {
  auto keys = source.summaries() != nullptr ? source.summaries()->keys() : std::nullopt;
  if (!keys) keys = source.store().keys();
  std::unordered_map<std::string_view, std::set<std::string>> by_commit;
  for (const auto& key : *keys) by_commit[key.commit].insert(key.device);
  std::set<std::string> devices;
  for (const auto& commit : repository.first_parents(from, commits_max))
    if (const auto found = by_commit.find(commit.id); found != by_commit.end())
      devices.insert(found->second.begin(), found->second.end());
  return {devices.begin(), devices.end()};
}

std::vector<Run> recent_runs(const RunSource& source, const std::string& device, const std::string& except,
                             int runs_max) {
  const auto count = static_cast<std::size_t>(runs_max);
  if (source.summaries() != nullptr)
    if (auto found = source.summaries()->compared(device, {}, count, except, source.wanted()))
      return choose_clean(std::move(found->newest.runs));
  return read_runs(source.store(), source.store().newest(device, count, except));
}

int jobs_not_read(const RunSource& source, const std::string& device, const std::string& base_run,
                  const std::string& candidate_run, const std::vector<Run>& newest) {
  const auto [first, last] = std::minmax(base_run, candidate_run);
  const auto oldest = std::ranges::min_element(newest, {}, &Run::id);
  if (oldest == newest.end() || oldest->id <= first) return 0;
  const std::string end = std::min(last, oldest->id);
  std::set<std::string> jobs;
  for (const auto& key : recorded_keys(source))
    if (key.device == device && first < key.id && key.id < end) jobs.insert(job_of_run_id(key.id));
  for (const auto* own : {&first, &last, &oldest->id}) jobs.erase(job_of_run_id(*own));
  return static_cast<int>(jobs.size());
}

std::optional<summary::ComparedRuns> compared_runs(const RunSource& source, const std::string& device,
                                                   const std::vector<std::string>& commits,
                                                   const std::string& except, int runs_max,
                                                   bool times_apart) {
  if (source.summaries() == nullptr) return {};
  summary::Wanted wanted = source.wanted();
  wanted.times_apart = times_apart;
  auto compared =
      source.summaries()->compared(device, commits, static_cast<std::size_t>(runs_max), except, wanted);
  if (compared) compared->newest = choose_clean(std::move(compared->newest));
  return compared;
}

std::vector<RecordedDevice> recorded_devices(const store::Store& store, const std::string& device_glob) {
  std::vector<RecordedDevice> devices;
  for (const auto& key : wanted_devices(store, device_glob)) {
    const auto newest = newest_runs(store, key, 1);
    devices.push_back({key, newest.empty() ? "" : newest.back().device.model, store.keys_on(key).size(),
                       newest.empty() ? "" : newest.back().started_at});
  }
  return devices;
}

std::vector<RecordedBenchmark> recorded_benchmarks(const store::Store& store, const std::string& device_glob,
                                                   const std::vector<std::string>& globs) {
  std::map<std::string, std::size_t> devices_of;
  for (const auto& key : wanted_devices(store, device_glob)) {
    std::set<std::string> names;
    for (const auto& run : newest_runs(store, key, kNewestRunsRead))
      for (const auto& benchmark : run.benchmarks)
        if (means_any(globs, benchmark)) names.insert(benchmark.name);
    for (const auto& name : names) ++devices_of[name];
  }
  std::vector<RecordedBenchmark> benchmarks;
  for (const auto& [name, devices] : devices_of) benchmarks.push_back({name, devices});
  std::ranges::stable_sort(benchmarks, natural_less, &RecordedBenchmark::name);
  return benchmarks;
}

std::vector<RecordedCommit> recorded_commits(const repo::Repository& repository, const RunSource& source,
                                             const std::string& device_glob, const std::string& from,
                                             int commits_max) {
  std::map<std::string, RecordedCommit> by_commit;
  for (const auto& key : recorded_keys(source)) {
    if (!is_wanted(device_glob, key.device)) continue;
    RecordedCommit& commit = by_commit[key.commit];
    ++commit.runs;
    if (std::ranges::find(commit.devices, key.device) == commit.devices.end())
      commit.devices.push_back(key.device);
  }
  std::vector<RecordedCommit> commits;
  for (const auto& commit : repository.first_parents(from, commits_max)) {
    const auto found = by_commit.find(commit.id);
    if (found == by_commit.end()) continue;
    commits.push_back(found->second);
    commits.back().commit = commit;
  }
  return commits;
}

}  // namespace tracker::history
