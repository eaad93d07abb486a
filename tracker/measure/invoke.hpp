// One execution of one Google Benchmark binary.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tracker/formats/google_benchmark.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {

struct InvocationSpec {
  std::filesystem::path root;  // what relative paths of binaries start from, and where it runs
  Binary binary;
  int repetitions = 5;
  double timeout_s = 600;
  std::string filter;            // --benchmark_filter, where not empty
  std::filesystem::path output;  // where the JSON goes; it stays there
  std::function<void()> tick;
};

struct InvocationOutcome {
  std::optional<BenchmarkFile> file;
  std::string failure;      // why there is none: "was killed by signal 11 (Segmentation fault)"
  std::string last_output;  // the last lines it printed, strangers' text
  bool stopped = false;     // Ctrl-C
};

// Runs it with random interleaving of its repetitions; fills in the environment that it does not state.
// Never throws for what the binary does.
InvocationOutcome invoke(const InvocationSpec& spec, const LocalEnvironment& environment);

struct ListOutcome {
  std::optional<std::vector<std::string>> names;  // as parse_list gives them; nothing where it cannot list
  bool stopped = false;                           // Ctrl-C
};

// What the binary says it has, of those that match the spec's filter. Its repetitions and output do not
// matter. Never throws for what the binary does.
ListOutcome list_benchmarks(const InvocationSpec& spec);

// The binary's path as it will be started.
std::filesystem::path binary_path(const std::filesystem::path& root, const Binary& binary);

}  // namespace tracker
