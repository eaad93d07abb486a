// A whole history as lines of JSON (NDJSON): a head, a line for each document and tombstone, and an end.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tracker {

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

}  // namespace tracker
