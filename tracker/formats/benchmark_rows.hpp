// The rows of Google Benchmark's JSON, as they stand in the file, without a copy of their text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracker::formats {

// One iteration row. Its texts live as long as the document that it is of, and the text that was read.
struct ResultRow {
  std::string_view run_name;
  std::int64_t family = -1;
  std::int64_t instance = -1;
  std::int64_t repetition = -1;
  std::string_view time_unit;       // empty where the row states none
  std::optional<double> real_time;  // in time_unit; not a number where the file says so
  std::optional<double> cpu_time;
  std::int64_t iterations = 1;            // where the row states none, too
  std::optional<std::string_view> error;  // what it said instead of measuring
  bool skipped = false;                   // that is why it did not want to
  std::string_view label;
  std::size_t first_counter = 0;  // of BenchmarkRows::counters
  std::size_t counter_count = 0;
};

struct BenchmarkRows {
  std::vector<ResultRow> rows;
  std::vector<std::string> counter_names;
  std::vector<std::pair<std::size_t, double>> counters;  // name and value, those of one row together
  std::vector<std::string_view> aggregates;              // run names of aggregate rows, one for each in a row
  // Row's name and counter whose value is no number.
  std::vector<std::pair<std::string_view, std::string>> no_numbers;
};

// A file of Google Benchmark's. It refers to the text that it was read from.
struct RowsDocument {
  std::string_view context;        // the text of its object, not read yet
  std::size_t context_offset = 0;  // where that begins in the file, in bytes
  BenchmarkRows rows;
  std::deque<std::string> texts;    // that rows refer to and that do not stand in the file as they are
  std::vector<std::string> mended;  // what of the file is no JSON, and was read all the same or left out
  std::vector<std::string> repeated_keys;  // "real_time of BM_x": keys that stand twice in a row, each once
};

// Of two equal keys in one object the first counts: Google Benchmark's own fields stand before a counter of
// the same name. It prints numbers that are none (a counter that divides by zero, or the cv of one that is
// always zero) as bare words, which JSON does not have: NaN, -nan, Infinity, inf. They are taken as what they
// are. kUsage, naming `source` and the place, for what is not its JSON. A text with capacity for
// kParserPadding more bytes (file.hpp) is read where it lies, another one is copied.
RowsDocument read_benchmark_rows(const std::string& text, const std::string& source);
RowsDocument read_benchmark_rows(std::string&& text, const std::string& source) = delete;

// How a word of `mended` ends that is of a row which was left out.
inline constexpr char kLostRow[] = " is no JSON";

// The same of a file that is no JSON for a byte here and there (json_text.hpp), or for some of its rows:
// what can be read of it. Rows that cannot are failures.
RowsDocument read_mended_rows(const std::string& text, const std::string& source);

}  // namespace tracker::formats
