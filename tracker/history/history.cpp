#include "tracker/history/history.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "tracker/history/stored_document.hpp"

namespace tracker {
namespace {

std::map<std::string, std::vector<StoredKey>> keys_by_commit(const Store& store, const std::string& device) {
  std::map<std::string, std::vector<StoredKey>> keys;
  for (auto& key : store.keys_on(device)) keys[key.commit].push_back(std::move(key));
  return keys;
}

// Clean ones only, unless all are dirty.
std::vector<Run> choose_clean(std::vector<Run> runs) {
  if (std::any_of(runs.begin(), runs.end(), [](const Run& run) { return !run.dirty; }))
    std::erase_if(runs, [](const Run& run) { return run.dirty; });
  return runs;
}

// By commit; those of commits that are not on the line are not read.
std::optional<std::unordered_map<std::string, std::vector<Run>>> summaries_by_commit(
    const RunSource& source, const std::string& device, const std::vector<Commit>& line,
    const WantedNames& wanted) {
  if (source.summaries() == nullptr) return {};
  std::unordered_set<std::string_view> commits;
  for (const auto& commit : line) commits.insert(commit.id);
  auto runs =
      source.summaries()->runs_on(device, [&](const std::string& commit) { return commits.contains(commit); },
                                  {wanted, source.counters()});
  if (!runs) return {};
  std::unordered_map<std::string, std::vector<Run>> by_commit;
  for (auto& run : *runs) by_commit[run.commit].push_back(std::move(run));
  return by_commit;
}

}  // namespace

std::vector<Run> read_runs(const Store& store, std::vector<StoredKey> keys) {
  std::vector<Run> runs = read_all_runs(store, std::move(keys));
  std::erase_if(runs, [](const Run& run) { return run.benchmarks.empty() && run.same_program; });
  return choose_clean(std::move(runs));
}

std::vector<Run> read_all_runs(const Store& store, std::vector<StoredKey> keys) {
  std::sort(keys.begin(), keys.end(), [](const StoredKey& a, const StoredKey& b) { return a.id < b.id; });
  std::vector<Run> runs;
  for (const auto& key : keys)
    if (auto run = read_stored_run(store, key)) runs.push_back(std::move(*run));
  return runs;
}

std::vector<CommitRuns> load_history(const Repository& repository, const RunSource& source,
                                     const std::string& device, const std::string& from, int commits_max,
                                     const WantedNames& wanted) {
  const auto line = repository.first_parents(from, commits_max);
  auto summaries = summaries_by_commit(source, device, line, wanted);
  const auto keys =
      summaries ? decltype(keys_by_commit(source.store(), device)){} : keys_by_commit(source.store(), device);
  std::vector<CommitRuns> history;
  for (std::size_t i = line.size(); i-- > 0;) {
    std::vector<Run> runs;
    if (summaries) {
      if (const auto found = summaries->find(line[i].id); found != summaries->end())
        runs = choose_clean(std::move(found->second));
    } else if (const auto found = keys.find(line[i].id); found != keys.end()) {
      runs = read_runs(source.store(), found->second);
    }
    const int position = static_cast<int>(line.size() - 1 - i);
    if (!runs.empty()) history.push_back({line[i], position, std::move(runs)});
  }
  return history;
}

std::vector<std::string> devices_on_line(const Repository& repository, const RunSource& source,
                                         const std::string& from, int commits_max) {
  auto keys = source.summaries() != nullptr ? source.summaries()->keys() : std::nullopt;
  if (!keys) keys = source.store().keys();
  std::unordered_set<std::string> commits;
  for (auto& commit : repository.first_parents(from, commits_max)) commits.insert(std::move(commit.id));
  std::set<std::string> devices;
  for (const auto& key : *keys)
    if (commits.contains(key.commit)) devices.insert(key.device);
  return {devices.begin(), devices.end()};
}

std::vector<Run> recent_runs(const RunSource& source, const std::string& device, const std::string& except,
                             int runs_max) {
  const auto count = static_cast<std::size_t>(runs_max);
  if (source.summaries() != nullptr)
    if (auto runs = source.summaries()->newest(device, count, except, source.counters()))
      return choose_clean(std::move(*runs));
  return read_runs(source.store(), source.store().newest(device, count, except));
}

}  // namespace tracker
