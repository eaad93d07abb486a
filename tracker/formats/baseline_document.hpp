// Baselines ↔ JSON, "tracker.baseline/1": the runs that were promoted, whole, and the noise that the device
// had shown until then. One file a device, changed by reviewed commits only: so that a person can review it,
// the middle time of each benchmark stands first, and each benchmark takes one line of each table.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::formats {

struct Baseline {
  std::string device;  // the key
  std::string commit;
  std::string promoted_at;
  std::vector<Run> runs;
  std::optional<NoiseModel> noise;  // baselines may have none
};

// The document's text; equal baselines give equal bytes.
std::string write_baseline(const Baseline& baseline);
// kUsage like read_run, and where the middle times that are shown to a reviewer are not those of the runs.
Baseline read_baseline(std::string_view text, const std::string& source);

// A whole history as lines of JSON (NDJSON): a head, a line for each document and tombstone, and an end.

// `text` byte for byte, whether or not it is JSON or UTF-8.
struct HistoryLine {
  std::string path;  // of the store's layout
  std::string text;
};

// Each ends with a line end.
std::string history_head();
std::string history_line(const HistoryLine& line);
std::string history_end(std::size_t lines);

// The other way, line by line.
class HistoryLines {
 public:
  explicit HistoryLines(std::string source) : source_(std::move(source)) {}
  // None for the head and for the end. kUsage, naming source and line, for what is no line of a history.
  std::optional<HistoryLine> read(std::string_view line);
  // kUsage where the end has not come, or counts other lines: the file was cut off.
  void require_end() const;

 private:
  std::string source_;
  std::size_t number_ = 0;
  std::size_t lines_ = 0;
  bool ended_ = false;
};

}  // namespace tracker::formats
