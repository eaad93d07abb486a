#include "tracker/plot/text_grid.hpp"

namespace tracker {

void TextGrid::put(int column, int row, std::string_view character) {
  if (inside(column, row)) cells_[index(column, row)] = character;
}

void TextGrid::write(int column, int row, std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++column) {
    std::size_t length = 1;
    while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80)
      ++length;
    put(column, row, text.substr(at, length));
    at += length;
  }
}

bool TextGrid::free(int column, int row, int width) const {
  for (int at = column; at < column + width; ++at) {
    if (!inside(at, row)) return false;
    const std::string& cell = cells_[index(at, row)];
    if (cell != " " && cell != "┈") return false;
  }
  return true;
}

std::string TextGrid::text() const {
  std::string result;
  for (int row = 0; row < rows_; ++row) {
    std::string line;
    for (int column = 0; column < columns_; ++column) line += cells_[index(column, row)];
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

}  // namespace tracker
