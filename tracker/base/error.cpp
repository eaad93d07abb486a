#include "tracker/base/error.hpp"

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

std::string with_lines_below(const std::string& message, const std::vector<std::string>& lines) {
  std::string text = printable(message);
  for (const auto& line : lines) text += "\n" + printable(line);
  return text;
}

}  // namespace

Error::Error(ExitCode code, const std::string& message, const std::string& hint,
             const std::vector<std::string>& lines)
    : std::runtime_error(with_lines_below(message, lines)),
      code_(code),
      hint_(printable(hint)),
      lines_(lines) {}

Error Error::with_hint(const std::string& hint) const {
  Error other(*this);
  other.hint_ = printable(hint);
  return other;
}

}  // namespace tracker
