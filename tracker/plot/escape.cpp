#include "tracker/plot/escape.hpp"

#include <array>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::string_view kUnknown = "\u25A1";  // a white square: Liberation Sans has it

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Marks without a shape of their own: they turn the direction of what follows, or are not seen at all.
constexpr std::array<std::string_view, 18> kInvisible{
    "\u00AD", "\u061C", "\u200B", "\u200C", "\u200D", "\u200E", "\u200F", "\u202A", "\u202B",
    "\u202C", "\u202D", "\u202E", "\u2060", "\u2066", "\u2067", "\u2068", "\u2069", "\uFEFF"};

// Fonts lack these more often than not, and cairo then draws a box that covers the picture.
void replace_rare(std::string& text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const bool outside_bmp = static_cast<unsigned char>(text[at]) >= 0xF0;
    if (outside_bmp)
      shown += kUnknown;
    else
      shown += text[at];
    at += outside_bmp ? 4 : 1;
  }
  text = shown;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string safe = printable(text);
  replace_all(safe, "\uFFFD", kUnknown);
  replace_all(safe, "\xEF\xBF\xBE", kUnknown);  // U+FFFE and U+FFFF: UTF-8, but not XML
  replace_all(safe, "\xEF\xBF\xBF", kUnknown);
  for (const auto mark : kInvisible) replace_all(safe, mark, "");
  return safe;
}

std::string gnuplot_string(std::string_view text) {
  std::string safe = clean_text(text);
  replace_all(safe, "'", "\u2019");
  replace_rare(safe);
  return "'" + safe + "'";
}

}  // namespace tracker
