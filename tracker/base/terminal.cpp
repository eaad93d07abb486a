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
  return std::any_of(kLinkTerminals.begin(), kLinkTerminals.end(), [&](const LinkTerminal& row) {
    const std::string value = environment(row.variable);
    return !value.empty() && value.starts_with(row.begins) &&
           (row.version_variable == nullptr ||
            version_of(environment(row.version_variable)) >= row.version_least);
  });
}

std::string linked(std::string_view text, const std::string& url) {
  const bool is_plain = std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c <= '~'; });
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

}  // namespace tracker
