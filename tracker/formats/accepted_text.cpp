#include "tracker/formats/accepted_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "tracker/formats/config_file.hpp"

namespace tracker {
namespace {

// A TOML basic string.
std::string quoted_toml(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04X", static_cast<unsigned>(byte));
      out += escape.data();
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string percent_text(double share) {
  constexpr double kParts = 10000;  // of the whole: hundredths of a per cent
  constexpr double kRounding = 1e-9;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g%%", std::ceil(share * kParts - kRounding) / 100);
  return text.data();
}

}  // namespace

std::string with_accepted_table(const std::string& toml, const Waiver& accepted, const std::string& source) {
  std::string out = toml;
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  if (!out.empty()) out += '\n';
  out += "[[accepted]]\nmatch = " + quoted_toml(accepted.match) +
         "\ncommit = " + quoted_toml(accepted.granted) + "\nceiling = \"" + percent_text(accepted.ceiling) +
         "\"\nreason = " + quoted_toml(accepted.reason) + "\n";
  parse_config(out, source);
  return out;
}

}  // namespace tracker
