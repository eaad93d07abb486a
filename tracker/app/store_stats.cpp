#include "tracker/app/store_stats.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "tracker/base/time.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/postgres/postgres_store.hpp"
#include "tracker/store/git_store.hpp"
#include "tracker/summary/summary_path.hpp"

namespace tracker {
namespace {

// "20261120T124901Z-3f9a0c1e" → "2026-11-20T12:49:01Z"
std::string time_of_run_id(const std::string& id) {
  constexpr std::size_t kTimeLength = 16;
  if (id.size() < kTimeLength) return id;
  const std::string time = id.substr(0, 4) + "-" + id.substr(4, 2) + "-" + id.substr(6, 5) + ":" +
                           id.substr(11, 2) + ":" + id.substr(13, 3);
  return time.ends_with('Z') && parse_time(time) ? time : id;
}

void append_bytes(std::string& bytes, const void* values, std::size_t count) {
  constexpr std::size_t kNumberBytes = 8;
  bytes.append(static_cast<const char*>(values), count * kNumberBytes);
}

// All numbers that a run's samples have, those of one kind in a row.
struct SampleNumbers {
  std::string bytes;
  std::size_t samples = 0;
};

SampleNumbers sample_numbers(const Run& run) {
  SampleNumbers numbers;
  std::map<std::string, std::vector<const Samples*>> by_benchmark;
  for (const auto& invocation : run.invocations)
    for (const auto& [name, samples] : invocation.samples) by_benchmark[name].push_back(&samples);
  for (const auto& [name, all] : by_benchmark) {
    for (const auto* one : all)
      append_bytes(numbers.bytes, one->real_time_ns.data(), one->real_time_ns.size());
    for (const auto* one : all) append_bytes(numbers.bytes, one->cpu_time_ns.data(), one->cpu_time_ns.size());
    for (const auto* one : all) append_bytes(numbers.bytes, one->iterations.data(), one->iterations.size());
    std::map<std::string, std::string> counters;
    for (const auto* one : all)
      for (const auto& [counter, values] : one->counters)
        append_bytes(counters[counter], values.data(), values.size());
    for (const auto& [counter, bytes] : counters) numbers.bytes += bytes;
    for (const auto* one : all) numbers.samples += one->real_time_ns.size();
  }
  return numbers;
}

SampledRuns sample_runs(const Store& store, std::vector<StoredKey> keys,
                        const std::set<std::string>& not_here) {
  std::erase_if(keys, [&](const StoredKey& key) { return not_here.contains(path_of(key)); });
  const auto count = std::min(kSampledRunsMax, keys.size());
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), keys.end(), is_newer);
  keys.resize(count);
  SampledRuns sampled;
  for (const auto& key : keys) {
    const std::string text = store.read(key);
    if (why_unusable(key, text)) continue;
    const auto numbers = sample_numbers(parse_stored_run(key, text));
    ++sampled.runs;
    sampled.samples += numbers.samples;
    sampled.text_bytes += text.size();
    sampled.number_bytes += numbers.bytes.size();
    sampled.compressed_bytes += compressed_bytes(numbers.bytes);
  }
  return sampled;
}

// Keys are in order of devices, then commits.
std::vector<DeviceStats> stats_of_devices(const std::vector<StoredKey>& keys) {
  std::vector<DeviceStats> devices;
  const StoredKey* before = nullptr;
  const StoredKey* newest = nullptr;
  for (const auto& key : keys) {
    const bool is_other_device = before == nullptr || before->device != key.device;
    if (is_other_device) devices.push_back({.device = key.device});
    auto& device = devices.back();
    ++device.runs;
    if (is_other_device || before->commit != key.commit) ++device.commits;
    if (is_other_device || is_newer(key, *newest)) {
      newest = &key;
      device.newest = time_of_run_id(key.id);
    }
    before = &key;
  }
  return devices;
}

void count_files(const Store& store, StoreStats& stats) {
  for (const auto& file : store.files()) {
    if (file.what == StoredFile::What::kTombstone)
      ++stats.tombstones;
    else if (file.what == StoredFile::What::kOther)
      ++stats.others;
    else if (!file.is_dropped && file.key.kind == DocumentKind::kProfile)
      ++stats.profiles;
  }
}

}  // namespace

StoreStats store_stats(const Workspace& workspace) {
  const Store& store = workspace.shared_store();
  const Repository& repository = workspace.repository();
  StoreStats stats;
  stats.store = store.describe();
  const auto keys = store.keys();
  stats.runs = keys.size();
  stats.devices = stats_of_devices(keys);
  std::set<std::string> commits;
  for (const auto& key : keys) commits.insert(key.commit);
  stats.commits = commits.size();
  if (!keys.empty()) {
    const auto [newest, oldest] = std::minmax_element(keys.begin(), keys.end(), is_newer);
    stats.newest = time_of_run_id(newest->id);
    stats.oldest = time_of_run_id(oldest->id);
  }
  count_files(store, stats);
  GitDocumentSizes in_git;
  if (workspace.store_place().is_git()) {
    in_git = git_document_sizes(repository, workspace.store_place().where);
    stats.documents = in_git.sizes;
    stats.git = git_disk(repository);
  } else {
    stats.documents = postgres_document_sizes(store);
  }
  stats.sampled = sample_runs(store, keys, in_git.not_here);
  stats.summary_bytes = summary_bytes(summary_path(store, repository.common_dir() / "tracker"));
  return stats;
}

}  // namespace tracker
