// What the readers of other tools' results share.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tracker/formats/google_benchmark.hpp"

namespace tracker::formats {

// One benchmark of another tool. A time a repetition, in nanoseconds an iteration.
struct ImportedBenchmark {
  std::string name;
  TimeBase time_base = TimeBase::kReal;
  std::vector<double> times_ns;
  std::vector<std::int64_t> iterations;  // of each repetition; empty: one each
  double cpu_time_ns = 0;                // of one iteration, where the tool says it
  std::optional<double> bytes_per_iteration;
  std::optional<double> items_per_iteration;
  std::vector<double> clocks_mhz;      // of the device, one a repetition; empty: not known
  std::optional<std::string> skipped;  // why it was not measured
};

// Fills a file: names are unique, and a time that is no time fails its benchmark.
class ImportedFile {
 public:
  ImportedFile(std::string source, std::string binary);

  BenchmarkFile& file() { return file_; }
  void add(ImportedBenchmark benchmark);
  // kUsage, naming the source, where there is no benchmark.
  BenchmarkFile finish();

 private:
  BenchmarkFile file_;
  std::unordered_map<std::string, int> names_;  // → how many have it
  std::size_t samples_ = 0;                     // of all benchmarks
};

}  // namespace tracker::formats
