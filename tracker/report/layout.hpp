// Text on a terminal of so many columns. Whatever is shortened, wrapped or put into a table here becomes
// printable (base/text.hpp): no name in it makes a line of its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/series.hpp"

namespace tracker::report {

inline constexpr std::size_t kTableUnlimited = 100000;  // columns

// Its beginning and its end around an ellipsis, where it is wider than so many columns (3 at least).
std::string shorten_middle(std::string_view text, std::size_t width);

// Its beginning, and an ellipsis.
std::string shorten_end(std::string_view text, std::size_t width);

// Lines no wider than so many columns (1 at least), broken at spaces where there are any. Never empty.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// The same as text, each line with its end (0 columns: one line): the first behind `head`, the others
// indented as far. `style`: of each line, as an escape sequence. Empty for an empty text.
std::string wrapped(std::string_view text, std::size_t columns, std::string_view head = "",
                    std::string_view style = "");

// A column of a table of text.
struct TextColumn {
  std::string head = {};  // where no column has one, no line of heads is written
  bool right = false;     // aligned at its right
  std::size_t width_min = 0;
  std::size_t width_max = kTableUnlimited;  // longer cells lose their middle
  bool cuts_end = false;                    // or else their end
  std::size_t gap = 2;                      // before it, but for the first
  bool takes_rest = false;                  // of the line: longer cells lose their end. The last one
};

// What is drawn around the text takes no room: escape sequences of a terminal, which may be empty.
struct TextCell {
  std::string text;
  std::string begin = {};
  std::string end = {};
};
using TextRows = std::vector<std::vector<TextCell>>;

// In this style ("": none).
TextCell styled_cell(std::string text, const std::string& style);

// As wide as the widest cell of each column, within its bounds.
std::vector<std::size_t> table_widths(const std::vector<TextColumn>& columns, const TextRows& rows);

// A line a row, each as many cells as there are columns; before them the heads, where there are any. A column
// without any text takes no room. `columns_max`: of the terminal (0: as wide as it gets). No line ends in
// spaces, or in a line end.
std::vector<std::string> table_lines(const std::vector<TextColumn>& columns, const TextRows& rows,
                                     std::size_t columns_max = 0, const std::string& indent = "");

// The same of plain texts, as text.
std::string text_table(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, std::size_t columns_max = 0,
                       const std::string& indent = "");

// A hint as lines of so many columns, broken where another remedy or a command begins ("; " or ": ") and
// nowhere else: a command to copy stays whole, and its line may be wider.
std::vector<std::string> wrap_hint(std::string_view hint, std::size_t width);

// A command's help: no line wider than so many columns (60 at least). What describes an option goes on below
// its own beginning, in the column `described_at`, counted from 0. Sentences are broken anew.
std::string wrap_help(std::string_view help, std::size_t width, std::size_t described_at);

// What reports in a terminal share: colours, the heading of a report, and notes.

// Escape sequences of a terminal.
inline constexpr const char* kReset = "\x1b[0m";
inline constexpr const char* kBold = "\x1b[1m";
inline constexpr const char* kYellow = "\x1b[33m";
inline constexpr const char* kDim = "\x1b[2m";

// The colour of the verdict; empty for one that has none.
std::string verdict_style(Verdict verdict);
// In that colour, where `color` asks for any.
std::string colored(const std::string& text, Verdict verdict, bool color);

// Device, both sides, and how they were measured; each on lines no wider than `columns`.
std::string head_of(const ComparisonReport& report, std::size_t columns);

// "note: …"
std::string note_of(const std::string& note, std::size_t columns);

// A series on one line of text.

// The points [from, to) as eight heights of a character, oldest first: the medians of as many equal stretches
// as there are characters, at most `width`; where there are more points than that, the newest has a character
// of its own, so that what has just changed is seen. The lowest and the highest height are as far apart as
// the values, and at least `span_min`, a share of them: less would make noise look like a change. Empty
// without points.
std::string sparkline(const std::vector<SeriesPoint>& points, std::size_t from, std::size_t to,
                      std::size_t width, double span_min = 0);

}  // namespace tracker::report
