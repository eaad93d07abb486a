#include "tracker/plot/escape.hpp"

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string gnuplot_string(std::string_view text) {
  std::string safe = printable(text);
  replace_all(safe, "'", "\u2019");
  replace_all(safe, "\xEF\xBF\xBE", "\uFFFD");  // U+FFFE and U+FFFF: UTF-8, but not XML
  replace_all(safe, "\xEF\xBF\xBF", "\uFFFD");
  return "'" + safe + "'";
}

}  // namespace tracker
