// What is recorded: devices, benchmarks, commits.
#pragma once

#include <string>
#include <vector>

#include "tracker/history/history.hpp"

namespace tracker {

struct RecordedDevice {
  std::string key;
  std::string model;  // "NVIDIA H200"; empty where its newest run cannot be read
  std::size_t runs = 0;
  std::string newest;  // when the newest run began, ISO 8601
};

struct RecordedBenchmark {
  std::string name;
  std::size_t devices = 0;  // of those asked for, that have it
};

struct RecordedCommit {
  Commit commit;
  std::size_t runs = 0;
  std::vector<std::string> devices;
};

// All of them are of the devices whose key matches the glob; an empty one takes all.
std::vector<RecordedDevice> recorded_devices(const Store& store, const std::string& device_glob);

// Those in the newest runs of each device, as people sort names: old ones that nothing measures any more are
// not there.
std::vector<RecordedBenchmark> recorded_benchmarks(const Store& store, const std::string& device_glob,
                                                   const std::vector<std::string>& globs);

// The commits with a run on the first-parent line that ends at `from`, newest first, among the newest
// `commits_max`.
std::vector<RecordedCommit> recorded_commits(const Repository& repository, const RunSource& source,
                                             const std::string& device_glob, const std::string& from,
                                             int commits_max);

}  // namespace tracker
