// A first tracker.toml, with what each line is for. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/policy.hpp"

namespace tracker::formats {

struct FirstConfig {
  struct Binary {
    std::string path;
    std::vector<std::string> names;  // of its benchmarks; none: it cannot list them, or did not
    std::string directory;           // where it runs; empty: at the root
    bool is_google_bench = true;     // which repeats as it is told; nvbench repeats as it likes
    bool needs_gpu = false;
    bool has_cpu_time = false;  // it states the time that the CPU took
  };
  std::vector<Binary> binaries;
  std::vector<std::vector<std::string>> build;  // none: it is left to the reader
  std::string build_from;                       // "build/CMakeCache.txt"
  std::string threshold = "5%";
};

// Text that parse_config() takes. Binaries with one file name, or with a benchmark of one name, get a prefix
// each.
std::string first_config_text(const FirstConfig& config);

// A workflow for GitHub Actions that compares pull requests with their base on a runner of one's own.
std::string first_workflow_text();

// Writing what is accepted into the text of tracker.toml.

// The text with an [[accepted]] table at its end; all else stays as it is, comments and order included. The
// ceiling is written with two decimals of a per cent, rounded up. kUsage where the text with it is no
// tracker.toml any more; `source` names it.
std::string with_accepted_table(const std::string& toml, const Waiver& accepted, const std::string& source);

}  // namespace tracker::formats
