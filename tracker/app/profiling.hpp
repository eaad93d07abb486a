// Counting what benchmarks' kernels do: one process under ncu for each.
#pragma once

#include "tracker/app/workspace.hpp"
#include "tracker/model/run.hpp"
#include "tracker/profile/counters.hpp"
#include "tracker/profile/ncu.hpp"

namespace tracker::app {

struct ProfilingRequest {
  std::vector<std::string> globs;     // over names of benchmarks; empty: all
  std::vector<std::string> binaries;  // instead of those in tracker.toml
  bool search = false;                // time them as well, without ncu
  profile::NcuOptions ncu;
};

struct Profiled {
  std::vector<Profile> profiles;  // one a device; not stored yet
  bool failed = false;            // a benchmark failed, which costs no other its counters
  bool interrupted = false;       // by Ctrl-C: those that were not counted by then are missing
  profile::TimesS times_s;        // of a search: the medians of five repetitions of one process
};

// With progress; what fails or launches no kernel is noted. kUsage where no benchmark
// matches; kEnvironment where ncu cannot work here, or nothing was counted; kInterrupted after Ctrl-C before
// anything was counted.
Profiled profile_benchmarks(const Workspace& workspace, const ProfilingRequest& request);

}  // namespace tracker::app
