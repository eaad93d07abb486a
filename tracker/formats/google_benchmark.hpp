// Google Benchmark's JSON → model. One file is one invocation of one binary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker {

inline constexpr std::uintmax_t kBenchmarkFileBytesMax = std::uintmax_t{256} << 20;

struct BenchmarkFile {
  std::string source;            // for messages
  std::string executable;        // its path, as the file states it
  std::optional<Device> device;  // where the binary states it (context_keys.hpp)
  Software software;
  Host host;
  std::vector<Benchmark> benchmarks;          // counters are still all in the samples
  std::vector<std::string> aggregates_only;   // names of those that state no single repetition
  std::vector<std::string> dropped_counters;  // "benchmark: counter" whose value was no number
  Invocation invocation;
};

// Only iteration rows are samples. A benchmark that reports an error, or a time that is no time, has its
// `error` set and no samples. kUsage, naming `source`, for what is no such JSON, has no benchmarks, or has
// aggregates alone.
BenchmarkFile parse_google_benchmark(const std::string& text, const std::string& source);

BenchmarkFile read_google_benchmark(const std::filesystem::path& path);

// Puts this before the names of all benchmarks.
void put_prefix(BenchmarkFile& file, const std::string& prefix);

}  // namespace tracker
