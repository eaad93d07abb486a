// A rectangle of characters, each one column wide: what text charts are drawn on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracker {

class TextGrid {
 public:
  TextGrid() = default;
  TextGrid(int columns, int rows)
      : columns_(columns),
        rows_(rows),
        cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), " ") {}

  // What lies outside is left out.
  void put(int column, int row, std::string_view character);
  void write(int column, int row, std::string_view text);
  // Whether `width` cells from there on hold nothing, or only a light line.
  bool free(int column, int row, int width) const;
  // Rows ended by "\n", without blanks at their ends.
  std::string text() const;

 private:
  bool inside(int column, int row) const {
    return column >= 0 && column < columns_ && row >= 0 && row < rows_;
  }
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  int columns_ = 0;
  int rows_ = 0;
  std::vector<std::string> cells_;
};

}  // namespace tracker
