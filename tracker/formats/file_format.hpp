// The results that tracker reads, one row a tool: docs/formats.md says what becomes of each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/formats/google_benchmark.hpp"
#include "tracker/model/noise_history.hpp"

namespace tracker::formats {

// One execution each; most formats have one a file.
using Executions = std::vector<BenchmarkFile>;

struct FileFormat {
  std::string_view name;               // for messages: "hyperfine's JSON"
  std::vector<std::string_view> keys;  // a document that has all of them is one; the first comes first
  std::string_view mark;               // that the text of one has, where the keys are those of others, too
  Executions (*parse)(const std::string& text, const std::filesystem::path& path);
  bool (*is_one)(std::string_view text) = nullptr;  // instead of the keys, for what is no JSON object
};

// The table. The first row whose keys or mark a document has is its format.
const std::vector<FileFormat>& file_formats();

// The format of a text, by its content; that of Google Benchmark where it is none of the others', which
// then says what is wrong.
const FileFormat& format_of(std::string_view text);

// kUsage, naming the file, for what is no result of a known tool. Each execution is one invocation.
Executions parse_results(const std::string& text, const std::filesystem::path& path);

// What of a program's output is rows of any program, in the form of a file; empty where it has none.
std::string rows_in(std::string_view output);

// The readers of single formats. kUsage, naming the file, for what is no such result.
Executions parse_nvbench(const std::string& text, const std::filesystem::path& path);
BenchmarkFile parse_pytest_benchmark(const std::string& text, const std::filesystem::path& path);
BenchmarkFile parse_nanobench(const std::string& text, const std::filesystem::path& path);
bool is_primbench(std::string_view text);
BenchmarkFile parse_primbench(const std::string& text, const std::filesystem::path& path);
BenchmarkFile parse_hyperfine(const std::string& text, const std::filesystem::path& path);

// Rows that any program can write, and github-action-benchmark's files (docs/formats.md#rows-of-any-program).
// A benchmark whose unit is no time has TimeBase::kNone; one whose direction is not stated by its unit either
// has `better` empty: require_direction(). kUsage as above.
bool is_csv(std::string_view text);
bool is_json_lines(std::string_view text);
bool is_benches(std::string_view text);
bool is_benches_history(std::string_view text);
Executions parse_csv(const std::string& text, const std::filesystem::path& path);
Executions parse_json_lines(const std::string& text, const std::filesystem::path& path);
Executions parse_benches(const std::string& text, const std::filesystem::path& path);
Executions parse_benches_history(const std::string& text, const std::filesystem::path& path);
// Sets the direction, "lower" or "higher", where none is stated; kUsage, naming the benchmark, if it is
// empty.
void require_direction(BenchmarkFile& file, const std::string& better);

// Criterion writes a folder of folders: these are the executions that lie at or below a folder, each one
// invocation; none where there is no benchmark of Criterion's.
std::vector<std::filesystem::path> criterion_folders(const std::filesystem::path& folder);
// All files of one of them as one text, for a hash.
std::string criterion_text(const std::filesystem::path& folder);
BenchmarkFile read_criterion(const std::filesystem::path& folder);
// One benchmark of it, from its two files.
BenchmarkFile parse_criterion(std::string_view about, std::string_view measured,
                              const std::filesystem::path& folder);

// Files of measurements, whichever of the known kinds they are.

// Either invocations as a benchmark tool wrote them, or the runs of a run or baseline document.
struct MeasuredFile {
  std::string source;  // for messages
  std::vector<BenchmarkFile> invocations;
  std::vector<Run> runs;
  std::optional<NoiseModel> noise;  // of a baseline document
};

// The schema of a document of ours, which is always its first field; empty for others.
std::string_view schema_of(std::string_view text);

// Whether a file of this name may hold results: *.json, and *.csv, *.ndjson, *.jsonl for rows of any program.
bool is_result_file(const std::filesystem::path& path);

// The file itself, or the result files (*.json, *.csv, …) of a folder (not of folders in it) in natural
// order; where it has none, the folders of Criterion's at or below it. kUsage where there is nothing of that
// name, or the folder has neither.
std::vector<std::filesystem::path> measured_files_at(const std::filesystem::path& path);

// One of those, recognised by its content. `content_hash`, if any, goes on over the content of an invocation:
// FNV-1a. kUsage where it cannot be read, or is none of these.
MeasuredFile read_measured_file(const std::filesystem::path& path, std::uint32_t* content_hash = nullptr);
inline constexpr std::uint32_t kEmptyHash = 2166136261u;
// Goes on over this text.
std::uint32_t fnv1a(std::uint32_t hash, std::string_view text);

// In the order of the paths; several at once. The first that cannot be read is the one that is complained of.
std::vector<MeasuredFile> read_measured_files(const std::vector<std::filesystem::path>& paths);

}  // namespace tracker::formats
