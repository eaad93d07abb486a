// Text on a terminal: how wide it is, links in it, how it is wrapped and set as a table.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tracker {

// Columns of text on a terminal, as Unicode has them: a wide character takes two, a combining one none. The
// one place that knows; display_width() (text.hpp) is of it.

// The length in bytes of the longest beginning that takes no more than so many columns, with what combines
// with its last character.
std::size_t bytes_within(std::string_view text, std::size_t columns);

// The length in bytes of the shortest beginning that takes at least so many columns, likewise; all where
// there are fewer.
std::size_t bytes_past(std::string_view text, std::size_t columns);

// Links in a terminal's text (OSC 8): the text stays as it is, and as wide, and a click opens a page.
// https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda

// A variable of the environment; empty where it is not set.
using Environment = std::function<std::string(const std::string& name)>;

// Whether this terminal is known to show links: one of a table, and none that passes text on to others
// without them (tmux before 3.4, screen). NO_COLOR and TERM=dumb want plain text.
bool knows_links(const Environment& environment);

// `text` as a link; as it is where the address is empty or has anything but printable ASCII.
std::string linked(std::string_view text, const std::string& url);

// A line of text with each word that looks like a commit's id (7 to 40 hexadecimal digits, by themselves)
// linked to the address that `url_of` gives for it; those it gives none for stay as they are. Escape
// sequences in the line stay as they are as well.
std::string link_commit_ids(std::string_view line,
                            const std::function<std::string(const std::string& word)>& url_of);

// Text set on a terminal of so many columns. Whatever is shortened, wrapped or put into a table here becomes
// printable (text.hpp): no name in it makes a line of its own.

// Escape sequences of a terminal.
inline constexpr const char* kReset = "\x1b[0m";
inline constexpr const char* kBold = "\x1b[1m";
inline constexpr const char* kYellow = "\x1b[33m";
inline constexpr const char* kDim = "\x1b[2m";

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

}  // namespace tracker
