// What library a benchmark binary is built with, and what its release knows. Pure.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracker {

// A flag that not every release since 1.5 has, or reads alike.
struct FlagRow {
  std::string_view flag;
  std::string_view since;    // the first release that has it
  std::string_view without;  // what is done where it is missing, for messages
};
std::span<const FlagRow> library_flag_table();

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

}  // namespace tracker
