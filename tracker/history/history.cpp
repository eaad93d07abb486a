#include "tracker/history/history.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tracker/history/stored_document.hpp"

namespace tracker {
namespace {

std::map<std::string, std::vector<StoredKey>> keys_by_commit(const Store& store, const std::string& device) {
  std::map<std::string, std::vector<StoredKey>> keys;
  for (auto& key : device.empty() ? store.keys() : store.keys_on(device))
    keys[key.commit].push_back(std::move(key));
  return keys;
}

}  // namespace

std::vector<Run> read_runs(const Store& store, std::vector<StoredKey> keys) {
  std::vector<Run> runs = read_all_runs(store, std::move(keys));
  std::erase_if(runs, [](const Run& run) { return run.benchmarks.empty() && run.same_program; });
  if (std::any_of(runs.begin(), runs.end(), [](const Run& run) { return !run.dirty; }))
    std::erase_if(runs, [](const Run& run) { return run.dirty; });
  return runs;
}

std::vector<Run> read_all_runs(const Store& store, std::vector<StoredKey> keys) {
  std::sort(keys.begin(), keys.end(), [](const StoredKey& a, const StoredKey& b) { return a.id < b.id; });
  std::vector<Run> runs;
  for (const auto& key : keys)
    if (auto run = read_stored_run(store, key)) runs.push_back(std::move(*run));
  return runs;
}

std::vector<CommitRuns> load_history(const Repository& repository, const Store& store,
                                     const std::string& device, const std::string& from, int commits_max) {
  const auto keys = keys_by_commit(store, device);
  const auto line = repository.first_parents(from, commits_max);
  std::vector<CommitRuns> history;
  for (std::size_t i = line.size(); i-- > 0;) {
    const auto found = keys.find(line[i].id);
    if (found == keys.end()) continue;
    const int position = static_cast<int>(line.size() - 1 - i);
    auto runs = read_runs(store, found->second);
    if (!runs.empty()) history.push_back({line[i], position, std::move(runs)});
  }
  return history;
}

std::vector<std::string> devices_on_line(const Repository& repository, const Store& store,
                                         const std::string& from, int commits_max) {
  const auto keys = keys_by_commit(store, "");
  std::set<std::string> devices;
  for (const auto& commit : repository.first_parents(from, commits_max))
    if (const auto found = keys.find(commit.id); found != keys.end())
      for (const auto& key : found->second) devices.insert(key.device);
  return {devices.begin(), devices.end()};
}

std::vector<Run> recent_runs(const Store& store, const std::string& device, const std::string& except,
                             int runs_max) {
  return read_runs(store, store.newest(device, static_cast<std::size_t>(runs_max), except));
}

}  // namespace tracker
