// The results that tracker reads, one row a tool (docs/formats.md says what becomes of each); and files of
// them as one side of a comparison.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tracker/formats/google_benchmark.hpp"
#include "tracker/model/run.hpp"

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

// What the readers of other tools' results share.

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
  // kUsage, naming the source, where these are too many samples.
  void add(ImportedBenchmark benchmark);
  // kUsage, naming the source, where there is no benchmark.
  BenchmarkFile finish();

 private:
  BenchmarkFile file_;
  std::unordered_map<std::string, int> names_;  // → how many have it
  std::size_t samples_ = 0;                     // of all benchmarks
};

// Files of measurements, whichever of the known kinds they are.

// Either invocations as a benchmark tool wrote them, or the runs of a run or baseline document.
struct MeasuredFile {
  std::string source;  // for messages
  std::vector<BenchmarkFile> invocations;
  std::vector<Run> runs;
  std::optional<NoiseModel> noise;  // of a baseline document
};

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

// One side of a comparison that is no commit: a file, or a folder of files.
struct FileSide {
  std::string path;       // as the user wrote it
  std::vector<Run> runs;  // of one device; invocations of one board are one run, in the order of their dates
  std::optional<NoiseModel> noise;  // that a baseline document was promoted with
  std::string summary;              // "22 files from 2026-11-20"
  std::vector<std::string> notes;   // about how its files could be read
  bool device_known = true;
  bool has_documents = false;                    // runs that state their job themselves
  std::map<std::uint64_t, std::string> sources;  // a fingerprint of each invocation → its file
};

// The device of files that name none, where nobody else says it either.
Device unknown_device();

// What a person calls the device of a file, completed by what the file says: a CPU's threads. One that is
// called by a key ("cpu-…") is that device as it stands.
Device named_device(Device named, const Host& host);

// One Google Benchmark file is one invocation; run and baseline documents are taken as they are. `otherwise`
// is the device of files that do not name theirs, `better` the direction ("lower", "higher") of values that
// do not state it. kUsage for what cannot be read, for files of different devices, and for one invocation
// that is there twice.
FileSide read_file_side(const std::filesystem::path& path, const std::optional<Device>& otherwise,
                        const std::string& better = "");

// kUsage where both sides hold one and the same invocation: what is compared with itself shows no change.
void refuse_shared_invocations(const FileSide& base, const FileSide& candidate);

// Whether the dates show that both sides were measured side by side on one board: of each binary the
// invocations of both, sorted by their start, are pairs of one of each, and each pair starts after the one
// before it.
bool measured_in_turn(const FileSide& base, const FileSide& candidate);
bool measured_in_turn(const Run& base, const Run& candidate);

// The side whose invocation started first in every pair, at least three, of two sides with one run each;
// empty where they took turns or the dates do not tell.
enum class FirstInPairs { kBase, kCandidate };
std::optional<FirstInPairs> always_first(const FileSide& base, const FileSide& candidate);

// Of a side whose files name several hosts, as each execution in a container of its own does: makes them one
// run, in the order of their dates. Sides with documents, or of several boards that are named, stay as they
// are.
void join_hosts(FileSide& side);

// Makes them runs of one job, whose n-th invocations of a binary are a pair (unless they know their round
// themselves).
void put_in_one_job(Run& base, Run& candidate);

// Adds another run's benchmarks and invocations to this one. Counters go into the samples, as they need not
// be the same in both.
void add_run(Run& run, Run other);

}  // namespace tracker::formats
