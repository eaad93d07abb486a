// Google Benchmark's JSON → model. One file is one invocation of one binary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker::formats {

// A larger file of results is refused (kUsage).
inline constexpr std::uintmax_t kBenchmarkFileBytesMax = std::uintmax_t{256} << 20;

// Under which names the work of a benchmark is stated: as counters of an iteration, and of a second.
struct StatedWork {
  const char* per_iteration;
  const char* per_second;
  std::optional<double> Benchmark::*kept;  // of an iteration
};
inline constexpr StatedWork kStatedWorks[] = {
    {counter_name::kBytesPerIteration, "bytes_per_second", &Benchmark::bytes_per_iteration},
    {counter_name::kFlopsPerIteration, "flops", &Benchmark::flops_per_iteration},
    {"items_per_iteration", "items_per_second", &Benchmark::items_per_iteration}};

struct BenchmarkFile {
  std::string source;            // for messages
  std::string executable;        // its path, as the file states it
  std::optional<Device> device;  // where the binary states it (context_keys.hpp)
  Software software;
  Host host;
  std::vector<Benchmark> benchmarks;          // counters are still all in the samples
  std::vector<std::string> aggregates_only;   // names of those that state no single repetition
  std::vector<std::string> dropped_counters;  // "benchmark: counter" whose value was no number
  std::vector<std::string> mended;            // what of the file was no JSON, and was read all the same
  std::vector<std::string> repeated_keys;     // "key of benchmark" that stands twice in a row
  std::vector<std::string> left_out;          // what may not be recorded (strict_document.hpp)
  std::string commit;       // that it says it was measured at, hexadecimal; empty: it does not
  std::string unread_date;  // as the file has it, where that could not be understood
  bool selected = false;    // it states itself that it was asked for some of its benchmarks alone
  Invocation invocation;
};

// Only iteration rows are samples. A benchmark that reports an error, or a time that is no time, has its
// `error` set and no samples. kUsage, naming `source`, for what is no such JSON or has no benchmarks at all.
BenchmarkFile parse_google_benchmark(const std::string& text, const std::string& source);

// Reads and parses a file; its path is the `source`. kUsage also where it cannot be read or is too large.
BenchmarkFile read_google_benchmark(const std::filesystem::path& path);

// What is to be said of files that were not quite what they should be: mended, with a date that is not
// understood, or with names and values that may not be recorded.
std::vector<std::string> notes_about_reading(const std::vector<const BenchmarkFile*>& files);

// kUsage, naming one of them, where all of these files have aggregates alone.
void require_repetitions(const std::vector<const BenchmarkFile*>& files);

// Puts this before the names of all benchmarks.
void put_prefix(BenchmarkFile& file, const std::string& prefix);

// Model → Google Benchmark's JSON, for compare.py and other tools that read it.

// One invocation of the run, as its binary would have written it. Read again, it has the same samples.
std::string write_google_benchmark(const Run& run, const Invocation& invocation);

}  // namespace tracker::formats
