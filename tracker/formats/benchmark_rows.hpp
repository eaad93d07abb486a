// The rows of Google Benchmark's JSON, as they stand in the file, without a copy of their text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace tracker {

// One iteration row. Texts live as long as what the row was read from.
struct ResultRow {
  std::string_view run_name;
  std::int64_t family = -1;
  std::int64_t instance = -1;
  std::string_view time_unit = "ns";
  std::optional<double> real_time;
  std::optional<double> cpu_time;
  std::int64_t iterations = 0;
  std::optional<std::string_view> error;  // what it said instead of measuring
  std::string_view label;
  std::size_t first_counter = 0;  // of BenchmarkRows::counters
  std::size_t counter_count = 0;
};

struct BenchmarkRows {
  std::vector<ResultRow> rows;
  std::vector<std::string> counter_names;
  std::vector<std::pair<std::size_t, double>> counters;  // name and value, those of one row together
  std::vector<std::string_view> skipped;                 // run names of the rows that are left aside
  std::vector<std::string_view> aggregates;              // run names of aggregate rows, one for each in a row
  // Row's name and counter whose value is no number.
  std::vector<std::pair<std::string_view, std::string>> no_numbers;

  void add_aggregate(std::string_view run_name) {
    if (aggregates.empty() || aggregates.back() != run_name) aggregates.push_back(run_name);
  }
};

// A row's own fields; every other number is a user counter. Those that are not read have no meaning here.
enum class RowField {
  kName,
  kRunName,
  kRunType,
  kFamily,
  kInstance,
  kIterations,
  kRealTime,
  kCpuTime,
  kTimeUnit,
  kLabel,
  kErrorOccurred,
  kErrorMessage,
  kSkipped,
  kNotRead,
  kCounter  // if it is a number
};
RowField row_field(std::string_view key);

// kUsage, naming `source` and the row, for what is no such row.
BenchmarkRows rows_of_json(const nlohmann::json& rows, const std::string& source);

}  // namespace tracker
