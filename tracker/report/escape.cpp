#include "tracker/report/escape.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"

namespace tracker::report {

std::string visible_text(std::string_view text, std::size_t columns_max) {
  return shorten_middle(text, columns_max);
}

namespace {

// As numbers, characters are text and never markup (CommonMark, "Entity and numeric character references").
constexpr std::string_view kMarkup = "&<>|`*_~[]\\$\"";
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
  const auto is_same = [](char p, char c) { return p == std::tolower(static_cast<unsigned char>(c)); };
  return text.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), text.begin(), is_same);
}

// ":tada:" is a picture on GitHub, and ":white_check_mark:" a lie.
bool starts_emoji(std::string_view text) {
  constexpr std::string_view kWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-";
  if (text[0] != ':') return false;
  const std::size_t end = text.find_first_not_of(kWord, 1);
  return end != std::string_view::npos && end > 1 && text[end] == ':';
}

// Bytes at the start of `text` that would begin a link, a mention or a reference with what follows them.
std::size_t link_start(std::string_view text) {
  if (text[0] == '@' || text[0] == '#') return 1;
  if (starts_with_any_case(text, "://") || starts_emoji(text)) return 1;
  if (starts_with_any_case(text, "www.")) return 3;
  if (starts_with_any_case(text, "gh-")) return 2;
  for (const std::string_view scheme : {"mailto:", "xmpp:"})
    if (starts_with_any_case(text, scheme)) return scheme.size() - 1;
  return 0;
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string line = visible_text(text);
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

std::string markdown_row(const std::vector<std::string>& cells) {
  return "| " + join(cells, " | ") + " |\n";
}

std::string markdown_code(std::string_view text) {
  const std::string line = visible_text(text);
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const bool needs_space = line.empty() || line.front() == '`' || line.back() == '`' || line.front() == ' ';
  const std::string space = needs_space ? " " : "";
  return fence + space + line + space + fence;
}

std::string markdown_link(std::string_view target) {
  const bool has_scheme = target.find(':') < target.find('/');
  const bool is_web = target.starts_with("https://") || target.starts_with("http://");
  std::string out = (has_scheme && !is_web ? "./" : "") + percent_encoded(target, "-._~/?#=+%:@!$;&");
  replace_every(out, "&", "&amp;");
  return out;
}

std::string xml_text(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&apos;"}};
  std::string out = visible_text(text);
  for (const auto& [character, entity] : kEntities) replace_every(out, character, entity);
  return out;
}

namespace {

// As the toolkit of GitHub Actions escapes them ("Workflow commands for GitHub Actions").
std::string escaped(std::string text, bool is_property) {
  constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}, {":", "%3A"}, {",", "%2C"}};
  constexpr std::size_t kInData = 3;
  for (std::size_t i = 0; i < (is_property ? std::size(kEscapes) : kInData); ++i)
    replace_every(text, kEscapes[i].first, kEscapes[i].second);
  return text;
}

std::string visible_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const auto& line : split(text, '\n')) lines.push_back(visible_text(line));
  return join(lines, "\n");
}

}  // namespace

std::string workflow_data(std::string_view text) {
  return escaped(visible_lines(text), false);
}

std::string workflow_property(std::string_view text) {
  return escaped(visible_text(text), true);
}

std::string workflow_output(const std::string& name, std::string_view value, const std::string& delimiter) {
  return name + "<<" + delimiter + "\n" + visible_lines(value) + "\n" + delimiter + "\n";
}

}  // namespace tracker::report
