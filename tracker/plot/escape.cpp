#include "tracker/plot/escape.hpp"

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::string_view kUnknown = "\u25A1";  // a white square: Liberation Sans has it

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

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

std::string gnuplot_string(std::string_view text) {
  std::string safe = printable(text);
  replace_all(safe, "'", "\u2019");
  replace_all(safe, "\uFFFD", kUnknown);
  replace_all(safe, "\xEF\xBF\xBE", kUnknown);  // U+FFFE and U+FFFF: UTF-8, but not XML
  replace_all(safe, "\xEF\xBF\xBF", kUnknown);
  replace_rare(safe);
  return "'" + safe + "'";
}

}  // namespace tracker
