// Tables of text: aligned for a terminal, or as Markdown.
#pragma once

#include <string>
#include <vector>

namespace tracker::quality {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // each as long as the header
};

// Columns two spaces apart, the first one to the left and the others to the right.
std::string aligned_text(const Table& table);

// Cells must not contain '|'.
std::string markdown(const Table& table);

}  // namespace tracker::quality
