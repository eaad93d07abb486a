#include "tracker/report/workflow_text.hpp"

#include <vector>

#include "tracker/base/text.hpp"
#include "tracker/report/visible_text.hpp"

namespace tracker {
namespace {

// As the toolkit of GitHub Actions escapes them ("Workflow commands for GitHub Actions").
std::string escaped(std::string_view text, std::string_view special) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 0xF];
  }
  return out;
}

std::string visible_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const auto& line : split(text, '\n')) lines.push_back(visible_text(line));
  return join(lines, "\n");
}

}  // namespace

std::string workflow_data(std::string_view text) {
  return escaped(visible_lines(text), "%\r\n");
}

std::string workflow_property(std::string_view text) {
  return escaped(visible_text(text), "%\r\n:,");
}

std::string workflow_output(const std::string& name, std::string_view value, const std::string& delimiter) {
  return name + "<<" + delimiter + "\n" + visible_lines(value) + "\n" + delimiter + "\n";
}

}  // namespace tracker
