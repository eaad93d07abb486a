// The words of the injected library's lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace tracker::injection {

using Op = std::uint32_t;  // the number of a call

inline constexpr std::size_t kPeriodMax = 512;  // launches of an iteration that its repetition is seen of
inline constexpr std::size_t kShortPeriod = 4;  // number of launches up to which two repetitions are enough

// A JSON string, in its quotes; bytes that are no UTF-8 stay as they are.
inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    char escaped[8];
    if (byte == '"' || byte == '\\') {
      (out += '\\') += byte;
    } else if (code < 0x20) {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", code);
      out += escaped;
    } else {
      out += byte;
    }
  }
  return out + '"';
}

// "256", "256x256": sides of 1 at the end say nothing.
inline std::string shape(const unsigned (&sides)[3]) {
  std::string text = std::to_string(sides[0]);
  if (sides[1] > 1 || sides[2] > 1) text += "x" + std::to_string(sides[1]);
  if (sides[2] > 1) text += "x" + std::to_string(sides[2]);
  return text;
}

// [[ops, times], …]: what follows itself again and again stands once.
inline std::string folded(const std::vector<Op>& ops) {
  std::string text = "[";
  for (std::size_t at = 0; at < ops.size();) {
    std::size_t period = 1;
    std::size_t covered = 1;
    for (std::size_t tried = 1; tried <= kPeriodMax && at + tried <= ops.size(); ++tried) {
      std::size_t same = tried;
      while (at + same < ops.size() && ops[at + same] == ops[at + same - tried]) ++same;
      const std::size_t whole = same / tried * tried;
      // Setting up and the first of two equal parts of the loop after it look like a long part that comes
      // twice.
      const std::size_t least = tried <= kShortPeriod ? 2 : 3;
      if (whole >= least * tried && whole > covered) {
        period = tried;
        covered = whole;
      }
    }
    text += text.size() > 1 ? ",[[" : "[[";
    for (std::size_t i = 0; i < period; ++i) text += (i > 0 ? "," : "") + std::to_string(ops[at + i]);
    text += "]," + std::to_string(covered / period) + "]";
    at += covered;
  }
  return text + "]";
}

}  // namespace tracker::injection
