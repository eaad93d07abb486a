#include "tracker/base/terminal.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <utf8proc.h>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

struct Glyph {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

// What is no UTF-8 counts as one column a byte, as a terminal shows a replacement for it.
Glyph first_glyph(std::string_view text) {
  if (static_cast<unsigned char>(text.front()) < 0x80) return {};
  utf8proc_int32_t code_point = -1;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (length <= 0 || code_point < 0) return {};
  const int columns = utf8proc_charwidth(code_point);
  return {static_cast<std::size_t>(length), static_cast<std::size_t>(columns < 0 ? 0 : columns)};
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return columns;
}

std::size_t bytes_within(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size();) {
    const Glyph glyph = first_glyph(text.substr(at));
    if (used + glyph.columns > columns) break;
    used += glyph.columns;
    at += glyph.bytes;
  }
  return at;
}

std::size_t bytes_past(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size();) {
    const Glyph glyph = first_glyph(text.substr(at));
    if (used >= columns && glyph.columns > 0) break;
    used += glyph.columns;
    at += glyph.bytes;
  }
  return at;
}

namespace {

// A terminal that shows links: by a variable that begins with a word, and where it states one, from a version
// on (major × 100 + minor, as VTE writes its own).
struct LinkTerminal {
  const char* variable;
  const char* begins;
  const char* version_variable;  // nullptr: any version does
  int version_least;
};
constexpr std::array<LinkTerminal, 15> kLinkTerminals{{
    {"KITTY_WINDOW_ID", "", nullptr, 0},
    {"WT_SESSION", "", nullptr, 0},  // Windows Terminal
    {"DOMTERM", "", nullptr, 0},
    {"VTE_VERSION", "", "VTE_VERSION", 5200},  // GNOME Terminal, Tilix, …: 0.50 crashed on them
    {"TERM_PROGRAM", "iTerm.app", "TERM_PROGRAM_VERSION", 301},
    {"TERM_PROGRAM", "WezTerm", nullptr, 0},
    {"TERM_PROGRAM", "vscode", "TERM_PROGRAM_VERSION", 172},
    {"TERM_PROGRAM", "ghostty", nullptr, 0},
    {"TERM_PROGRAM", "rio", nullptr, 0},
    {"TERM", "xterm-kitty", nullptr, 0},
    {"TERM", "xterm-ghostty", nullptr, 0},
    {"TERM", "alacritty", nullptr, 0},
    {"TERM", "foot", nullptr, 0},
    {"TERM", "contour", nullptr, 0},
    {"TERM", "wezterm", nullptr, 0},
}};
constexpr int kTmuxLeast = 304;
constexpr std::size_t kIdLeast = 7;
constexpr std::size_t kIdMost = 40;

// "3.4a" → 304, "6003" → 6003; 0 for what is no number.
int version_of(const std::string& text) {
  int major = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, major);
  if (error != std::errc()) return 0;
  if (rest == end || *rest != '.') return major >= 1000 ? major : major * 100;
  int minor = 0;
  std::from_chars(rest + 1, end, minor);
  return major * 100 + std::min(minor, 99);
}

bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

// Joined to an id on either side, it is part of something else: a path, the id of a run, a name.
bool joins(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
         c == '/' || c == '@' || static_cast<unsigned char>(c) >= 0x80;
}

// The end of the escape sequence that begins at `at`: CSI … final byte, or OSC … its terminator.
std::size_t escape_end(std::string_view line, std::size_t at) {
  std::size_t end = at + 1;
  if (end >= line.size()) return line.size();
  const char kind = line[end++];
  if (kind == '[') {
    while (end < line.size() && (line[end] < '@' || line[end] > '~')) ++end;
    return std::min(end + 1, line.size());
  }
  if (kind == ']') {
    while (end < line.size() && line[end] != '\a' && !(line[end] == '\\' && line[end - 1] == '\x1b')) ++end;
    return std::min(end + 1, line.size());
  }
  return end;
}

}  // namespace

bool knows_links(const Environment& environment) {
  const std::string terminal = environment("TERM");
  if (terminal.empty() || terminal == "dumb" || !environment("NO_COLOR").empty()) return false;
  // What stands between: variables of the terminal around it say nothing of what arrives there.
  if (!environment("TMUX").empty())
    return environment("TERM_PROGRAM") == "tmux" &&
           version_of(environment("TERM_PROGRAM_VERSION")) >= kTmuxLeast;
  if (!environment("STY").empty()) return false;
  return std::ranges::any_of(kLinkTerminals, [&](const LinkTerminal& row) {
    const std::string value = environment(row.variable);
    return !value.empty() && value.starts_with(row.begins) &&
           (row.version_variable == nullptr ||
            version_of(environment(row.version_variable)) >= row.version_least);
  });
}

std::string linked(std::string_view text, const std::string& url) {
  const bool is_plain = std::ranges::all_of(url, [](char c) { return c > ' ' && c <= '~'; });
  if (url.empty() || !is_plain) return std::string(text);
  return "\x1b]8;;" + url + "\x1b\\" + std::string(text) + "\x1b]8;;\x1b\\";
}

std::string link_commit_ids(std::string_view line,
                            const std::function<std::string(const std::string& word)>& url_of) {
  std::string out;
  bool is_joined = false;  // to what stands before
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '\x1b') {
      const std::size_t end = escape_end(line, at);
      out += line.substr(at, end - at);
      at = end;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && is_hexadecimal(line[end])) ++end;
    const bool is_id = !is_joined && end - at >= kIdLeast && end - at <= kIdMost &&
                       (end == line.size() || !joins(line[end]));
    if (is_id) {
      const std::string word(line.substr(at, end - at));
      out += linked(word, url_of(word));
    } else {
      end = std::max(end, at + 1);
      out += line.substr(at, end - at);
    }
    is_joined = joins(line[end - 1]);
    at = end;
  }
  return out;
}

namespace {

std::string_view first_columns(std::string_view text, std::size_t columns) {
  return text.substr(0, bytes_within(text, columns));
}

std::string_view last_columns(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return text.substr(bytes_past(text, width - std::min(columns, width)));
}

// Split at spaces, but for those before a per cent sign and around an arrow.
std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kArrow = "→";
  std::vector<std::string> words;
  bool after_arrow = false;
  for (auto& word : split(text, ' ')) {
    const bool is_arrow = word == kArrow;
    if (!words.empty() && !words.back().empty() && (word.starts_with("%") || is_arrow || after_arrow))
      words.back() += " " + word;
    else
      words.push_back(std::move(word));
    after_arrow = is_arrow;
  }
  return words;
}

bool is_prose(const std::string& line) {
  return !line.empty() && line.front() != ' ' && line.back() != ':' && !line.starts_with("Usage:");
}

// Sentences that go on in the next line are one line; each begins where its author began a line.
std::vector<std::string> with_whole_sentences(const std::vector<std::string>& lines) {
  std::vector<std::string> whole;
  for (const auto& line : lines) {
    const bool goes_on =
        !whole.empty() && is_prose(whole.back()) && whole.back().back() != '.' && is_prose(line);
    if (goes_on)
      whole.back() += " " + line;
    else
      whole.push_back(line);
  }
  return whole;
}

}  // namespace

std::string shorten_middle(std::string_view any, std::size_t width) {
  const std::string text = printable(any);
  if (display_width(text) <= width) return text;
  const std::size_t kept = std::max<std::size_t>(width, 3) - 1;
  const std::size_t tail = kept / 2;
  return std::string(first_columns(text, kept - tail)) + "…" + std::string(last_columns(text, tail));
}

std::string shorten_end(std::string_view any, std::size_t width) {
  const std::string text = printable(any);
  if (display_width(text) <= width) return text;
  return std::string(first_columns(text, std::max<std::size_t>(width, 1) - 1)) + "…";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::string word : words_of(printable(text))) {
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(line);
      line.clear();
    }
    while (display_width(word) > width) {
      // A character that is wider than the line has it alone.
      const std::size_t bytes = std::max(bytes_within(word, width), bytes_past(word, 1));
      lines.push_back(word.substr(0, bytes));
      word.erase(0, bytes);
    }
    if (word.empty()) continue;
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::string wrapped(std::string_view text, std::size_t columns, std::string_view head,
                    std::string_view style) {
  const std::size_t indent = display_width(head);
  const std::size_t width = columns == 0 ? kTableUnlimited : columns - std::min(columns - 1, indent);
  std::string out;
  if (text.empty()) return out;
  for (const auto& line : wrap(text, width))
    out += (out.empty() ? std::string(head) : std::string(indent, ' ')) + std::string(style) + line +
           (style.empty() ? "" : kReset) + "\n";
  return out;
}

TextCell styled_cell(std::string text, const std::string& style) {
  return {std::move(text), style, style.empty() ? "" : kReset};
}

std::vector<std::size_t> table_widths(const std::vector<TextColumn>& columns, const TextRows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& column : columns) {
    std::size_t width = std::max(column.width_min, display_width(column.head));
    for (const auto& row : rows) width = std::max(width, display_width(printable(row[widths.size()].text)));
    widths.push_back(std::min(width, column.width_max));
  }
  return widths;
}

std::vector<std::string> table_lines(const std::vector<TextColumn>& columns, const TextRows& rows,
                                     std::size_t columns_max, const std::string& indent) {
  const auto widths = table_widths(columns, rows);
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<TextCell>& cells) {
    std::string line = indent;
    std::size_t used = display_width(indent);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto& [text, begin, end] = cells[c];  // which shortening makes printable
      if (widths[c] == 0) continue;
      const std::size_t gap = c == 0 ? 0 : columns[c].gap;
      line += std::string(gap, ' ');
      used += gap;
      std::size_t width = widths[c];
      const bool takes_rest = columns[c].takes_rest && columns_max > 0;
      if (takes_rest) width = std::max(columns_max - std::min(columns_max, used), columns[c].width_min);
      const std::string cell =
          takes_rest || columns[c].cuts_end ? shorten_end(text, width) : shorten_middle(text, width);
      const std::string room(width - std::min(width, display_width(cell)), ' ');
      line += columns[c].right ? begin + room + cell + end : begin + cell + end + room;
      used += width;
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  };
  std::vector<TextCell> heads;
  for (const auto& column : columns) heads.push_back({column.head});
  if (std::ranges::any_of(heads, [](const auto& head) { return !head.text.empty(); })) add(heads);
  for (const auto& row : rows) add(row);
  return lines;
}

std::string text_table(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, std::size_t columns_max,
                       const std::string& indent) {
  TextRows plain;
  for (const auto& row : rows) {
    auto& cells = plain.emplace_back();
    for (const auto& text : row) cells.push_back({text});
  }
  std::string out;
  for (const auto& line : table_lines(columns, plain, columns_max, indent)) out += line + "\n";
  return out;
}

std::vector<std::string> wrap_hint(std::string_view hint, std::size_t width) {
  std::vector<std::string> lines{std::string(hint)};
  for (const std::string_view mark : {"; ", ": "}) {
    std::vector<std::string> broken;
    for (const auto& line : lines) {
      std::string rest = line;
      while (display_width(rest) > width) {
        // The last place that fits, or else the first there is.
        std::size_t at = rest.find(mark);
        for (std::size_t next = at;
             next != std::string::npos && display_width(rest.substr(0, next + 1)) <= width;
             next = rest.find(mark, next + 1))
          at = next;
        if (at == std::string::npos) break;
        broken.push_back(rest.substr(0, at + 1));
        rest.erase(0, at + mark.size());
      }
      broken.push_back(rest);
    }
    lines = std::move(broken);
  }
  return lines;
}

std::string wrap_help(std::string_view help, std::size_t width, std::size_t described_at) {
  constexpr std::size_t kWidthMin = 60;
  constexpr std::size_t kProseMax = 100;  // longer lines are hard to read
  width = std::max(width, kWidthMin);
  std::vector<std::string> out;
  for (const auto& line : with_whole_sentences(split(help, '\n'))) {
    const bool is_description = line.starts_with("  ") && line.size() > described_at &&
                                line[described_at - 1] == ' ' && line[described_at] != ' ';
    if (display_width(line) <= (is_prose(line) ? std::min(width, kProseMax) : width)) {
      out.push_back(line);
      continue;
    }
    const std::size_t indent = is_description ? described_at : line.find_first_not_of(' ');
    std::string head = line.substr(0, indent);
    const std::size_t room = is_prose(line) ? std::min(width, kProseMax) : width - indent;
    for (const auto& part : wrap(line.substr(indent), room)) {
      out.push_back(head + part);
      head = std::string(indent, ' ');
    }
  }
  return join(out, "\n");
}

}  // namespace tracker
