#include "tracker/formats/accepted_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "tracker/base/text.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker {
namespace {

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
  out += "[[accepted]]\nmatch = " + toml_text(accepted.match) + "\ncommit = " + toml_text(accepted.granted) +
         (accepted.machine ? "\ncause = \"machine\""
                           : "\nceiling = \"" + percent_text(accepted.ceiling) + "\"") +
         "\nreason = " + toml_text(accepted.reason) + "\n";
  parse_config(out, source);
  return out;
}

}  // namespace tracker
