#include "tracker/report/markdown_text.hpp"

#include <algorithm>
#include <cctype>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// As numbers, characters are text and never markup (CommonMark, "Entity and numeric character references").
constexpr std::string_view kMarkup = "&<>|`*_~[]\\$";
// GitHub makes links of these even so, after the markup is gone: a zero-width space after them prevents it.
constexpr const char* kBreak = "&#8203;";

// "- x", "+ x" and "12. x" are lists at the start of a line, "---" is a rule, and "+1.2" is none of them.
bool starts_list(std::string_view line) {
  if (line.rfind('-', 0) == 0) return true;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == line.size()) return false;
  const bool bullet = digits == 0 && line[0] == '+';
  const bool numbered = digits > 0 && (line[digits] == '.' || line[digits] == ')');
  return (bullet || numbered) && (digits + 1 == line.size() || line[digits + 1] == ' ');
}

bool starts_with_any_case(std::string_view text, std::string_view prefix) {
  if (text.size() < prefix.size()) return false;
  for (std::size_t i = 0; i < prefix.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(text[i])) != prefix[i]) return false;
  return true;
}

// Bytes at the start of `text` that would begin a link, a mention or a reference with what follows them.
std::size_t link_start(std::string_view text) {
  if (text[0] == '@' || text[0] == '#') return 1;
  if (starts_with_any_case(text, "://")) return 1;
  if (starts_with_any_case(text, "www.")) return 3;
  if (starts_with_any_case(text, "gh-")) return 2;
  for (const std::string_view scheme : {"mailto:", "xmpp:"})
    if (starts_with_any_case(text, scheme)) return scheme.size() - 1;
  return 0;
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string line = printable(text);
  line.erase(0, line.find_first_not_of(' '));
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view rest = std::string_view(line).substr(at);
    if (const std::size_t length = link_start(rest); length > 0) {
      out += rest.substr(0, length);
      out += kBreak;
      at += length;
      continue;
    }
    if ((at == 0 && starts_list(line)) || kMarkup.find(rest[0]) != std::string_view::npos)
      out += "&#" + std::to_string(static_cast<int>(rest[0])) + ";";
    else
      out += rest[0];
    ++at;
  }
  return out;
}

}  // namespace tracker
