#include "tracker/history/recorded.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker {
namespace {

// A job may measure only some benchmarks: several runs together have them all.
constexpr std::size_t kNewestRunsRead = 20;

bool is_wanted(const std::string& device_glob, const std::string& device) {
  return device_glob.empty() || glob_match(device_glob, device);
}

std::vector<std::string> wanted_devices(const Store& store, const std::string& device_glob) {
  auto devices = store.devices();
  std::erase_if(devices, [&](const std::string& device) { return !is_wanted(device_glob, device); });
  return devices;
}

std::vector<Run> newest_runs(const Store& store, const std::string& device, std::size_t count) {
  return read_runs(store, store.newest(device, count, ""));
}

}  // namespace

std::vector<RecordedDevice> recorded_devices(const Store& store, const std::string& device_glob) {
  std::vector<RecordedDevice> devices;
  for (const auto& key : wanted_devices(store, device_glob)) {
    RecordedDevice device;
    device.key = key;
    device.runs = store.keys_on(key).size();
    if (const auto newest = newest_runs(store, key, 1); !newest.empty()) {
      device.model = newest.back().device.model;
      device.newest = newest.back().started_at;
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

std::vector<RecordedBenchmark> recorded_benchmarks(const Store& store, const std::string& device_glob,
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
  std::stable_sort(benchmarks.begin(), benchmarks.end(),
                   [](const auto& a, const auto& b) { return natural_less(a.name, b.name); });
  return benchmarks;
}

std::vector<RecordedCommit> recorded_commits(const Repository& repository, const RunSource& source,
                                             const std::string& device_glob, const std::string& from,
                                             int commits_max) {
  std::map<std::string, RecordedCommit> by_commit;
  for (const auto& key : recorded_keys(source)) {
    if (!is_wanted(device_glob, key.device)) continue;
    RecordedCommit& commit = by_commit[key.commit];
    ++commit.runs;
    if (std::find(commit.devices.begin(), commit.devices.end(), key.device) == commit.devices.end())
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

}  // namespace tracker
