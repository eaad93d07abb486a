// One execution of one benchmark binary, of Google Benchmark's or nvbench's.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/base/process.hpp"
#include "tracker/formats/google_benchmark.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/measure/same_program.hpp"
#include "tracker/model/policy.hpp"

namespace tracker::measure {

// What library a benchmark binary is built with, and what its release knows. Pure.

// A flag that not every release since 1.5 has, or reads alike.
struct FlagRow {
  std::string_view flag;
  std::string_view since;    // the first release that has it
  std::string_view without;  // what is done where it is missing, for messages
};
std::span<const FlagRow> library_flag_table();

// The row of that table that mixes the repetitions of all benchmarks.
inline constexpr std::string_view kInterleaving = "benchmark_enable_random_interleaving";

enum class Harness { kGoogleBenchmark, kNvbench, kRows };  // the last: any program that prints rows

struct LibraryFlags {
  Harness harness = Harness::kGoogleBenchmark;
  std::set<std::string, std::less<>> missing;  // rows of the table that it does not know
  bool min_time_has_unit = true;               // "0.5s" and "10x", since 1.8; before: "0.5"
  bool has_contexts = false;                   // --contexts=N, as this repository's benchmarks know it

  bool knows(std::string_view flag) const { return missing.find(flag) == missing.end(); }
};

// What --help printed says of the library. Nothing where it is neither Google Benchmark's help nor nvbench's.
std::optional<LibraryFlags> flags_in_help(std::string_view help);

// What both know: two sides are measured alike.
LibraryFlags common_flags(const LibraryFlags& a, const LibraryFlags& b);

// Arguments as this library takes them, and what a person should know of those that it does not.
struct FittedArguments {
  std::vector<std::string> arguments;
  std::vector<std::string> notes;
};
FittedArguments fit_arguments(const std::vector<std::string>& arguments, const LibraryFlags& flags);

// Whether these arguments, as Google Benchmark and nvbench take them, choose some of a binary's benchmarks:
// "--benchmark_filter=copy", "-a", "N=8". So does the variable BENCHMARK_FILTER for Google Benchmark.
bool choose_a_part(const std::vector<std::string>& arguments);

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
  std::optional<formats::BenchmarkFile> file;
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

// Several executions of one binary as one invocation. Pure.

// Puts the repetitions of `next` behind those of `file`. A benchmark that failed in one of them is failed.
void append_execution(formats::BenchmarkFile& file, formats::BenchmarkFile next);

}  // namespace tracker::measure
