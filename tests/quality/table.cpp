#include "tests/quality/table.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"

namespace tracker::quality {

std::string aligned_text(const Table& table) {
  std::vector<std::vector<std::string>> lines = table.rows;
  lines.insert(lines.begin(), table.header);
  std::vector<std::size_t> widths(table.header.size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], display_width(line[i]));
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      text += i == 0 ? left_aligned(line[i], widths[i]) : "  " + right_aligned(line[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string markdown(const Table& table) {
  std::string text = "| " + join(table.header, " | ") + " |\n|---|";
  for (std::size_t i = 1; i < table.header.size(); ++i) text += "--:|";
  text += '\n';
  for (const auto& row : table.rows) text += "| " + join(row, " | ") + " |\n";
  return text;
}

}  // namespace tracker::quality
