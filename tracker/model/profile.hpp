// What a profiler's hardware counters said of a commit's benchmarks. Plain data; no time in it is a sample.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracker/model/environment.hpp"

namespace tracker {

struct ProfiledBenchmark {
  std::string name;                        // as in the runs: "transpose/smem_padded/f32/8192x8192"
  std::string kernel;                      // the one whose counters these are: "smem_padded_kernel"
  int launches = 0;                        // that were counted; values are their medians
  std::map<std::string, double> counters;  // by ncu's own metric name, in base units
};

struct Profile {
  std::string id;      // as a run's
  std::string commit;  // 40 hexadecimal digits
  bool dirty = false;
  std::string started_at;  // UTC, ISO 8601
  std::string profiler;    // "ncu 2025.3.1"
  Device device;
  Software software;
  std::vector<ProfiledBenchmark> benchmarks;
};

// Null where there is none of that name.
const ProfiledBenchmark* find_benchmark(const Profile& profile, const std::string& name);

}  // namespace tracker
