// Runs a program under ncu, NVIDIA's Nsight Compute, and reads what it counted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/base/process.hpp"
#include "tracker/profile/ncu_csv.hpp"

namespace tracker {

struct NcuOptions {
  std::string path = "ncu";  // looked up on PATH when it has no slash
  std::string kernel;        // only this one: a function's name, or "regex:…"; empty: all but…
  std::vector<std::string> skip_kernels;  // …these functions
  int launches = 3;                       // counted at most, of each kernel and shape
  int skip_launches = 0;                  // of each, before the first that is counted
};

// ncu's own arguments, to stand before the program's: which kernels, which metrics, and the file its output
// goes to. Clocks are left as they are; caches are flushed before every pass. Pure.
std::vector<std::string> ncu_arguments(const NcuOptions& options, const std::filesystem::path& log);

struct NcuOutcome {
  std::vector<NcuLaunch> launches;
  std::string failure;      // why there are none: "launches no kernel", "exited with 1"
  std::string last_output;  // strangers' text, where the program failed
  bool stopped = false;     // Ctrl-C
};

// `program` is started under ncu, with all else that it says. kEnvironment where ncu cannot be started, may
// not read the counters, ends before it starts the program, or leaves half a table.
NcuOutcome run_under_ncu(ProcessSpec program, const NcuOptions& options);

// "ncu 2025.3.1", asked of the program. kEnvironment, saying where it comes from, where there is none.
std::string ncu_version(const NcuOptions& options);

}  // namespace tracker
