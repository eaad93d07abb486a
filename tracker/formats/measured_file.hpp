// Files of measurements, whichever of the known kinds they are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/formats/google_benchmark.hpp"
#include "tracker/model/noise_history.hpp"

namespace tracker {

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
// FNV-1a.
MeasuredFile read_measured_file(const std::filesystem::path& path, std::uint32_t* content_hash = nullptr);
inline constexpr std::uint32_t kEmptyHash = 2166136261u;
// Goes on over this text.
std::uint32_t fnv1a(std::uint32_t hash, std::string_view text);

// In the order of the paths; several at once. The first that cannot be read is the one that is complained of.
std::vector<MeasuredFile> read_measured_files(const std::vector<std::filesystem::path>& paths);

}  // namespace tracker
