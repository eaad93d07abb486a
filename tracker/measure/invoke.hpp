// One execution of one benchmark binary, of Google Benchmark's or nvbench's.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/base/process.hpp"
#include "tracker/formats/google_benchmark.hpp"
#include "tracker/measure/library_flags.hpp"
#include "tracker/measure/loaded_files.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {

struct InvocationSpec {
  std::filesystem::path root;  // what relative paths of binaries and their folders start from
  Binary binary;
  int repetitions = 5;
  double timeout_s = 600;
  std::string filter;  // --benchmark_filter, where not empty; of nvbench's results those that match stay
  std::filesystem::path output;  // where the JSON goes; it stays there
  LibraryFlags flags;            // what the binary's library knows
  std::optional<Device> board;   // the one GPU that it sees; nothing: what CUDA_VISIBLE_DEVICES says
  std::string visible_gpus;      // without `board`: its CUDA_VISIBLE_DEVICES; empty: as it is here
  std::vector<int> cpus;         // that it may run on; empty: all
  bool high_priority = false;    // where that is allowed
  std::map<std::string, std::string> environment;  // set for it in addition
  std::size_t padding_bytes = 0;                   // more of its environment, which moves its stack
  SharedPlaces shared;  // where it fails as soon as it is seen to load files of these
  std::function<void()> tick;
  std::function<void(std::string_view)> on_output;  // what it prints, piece by piece
};

struct InvocationOutcome {
  std::optional<BenchmarkFile> file;
  std::string failure;       // why there is none: "was killed by signal 11 (Segmentation fault)"
  std::string last_output;   // the last lines it printed, strangers' text
  bool ended_badly = false;  // it crashed, or exited with an error
  bool stopped = false;      // Ctrl-C
  bool none_match = false;   // there is no file, as nothing it measured matches the filter
};

// Runs it with random interleaving of its repetitions or, where its library has none, once for each
// repetition, so that the repetitions of one benchmark are not next to one another either. Fills in the
// environment that it does not state. Never throws for what the binary does.
InvocationOutcome invoke(const InvocationSpec& spec, const LocalEnvironment& environment);

// The binary as it is started for anything: its own arguments, as its library takes them, these, and the
// filter.
ProcessSpec process_for(const InvocationSpec& spec, const std::vector<std::string>& arguments);

// The binary's path as it will be started: below the root, or on PATH where it is a bare name ("python3").
std::filesystem::path binary_path(const std::filesystem::path& root, const Binary& binary);

}  // namespace tracker
