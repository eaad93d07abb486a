// Reports as a user of one format sees them.
#pragma once

#include <string>
#include <vector>

#include "tracker/report/report.hpp"

namespace tracker::test {

// By the row of that name in a table of formats.
template <typename Report, typename Format>
std::string written(const std::vector<Format>& formats, const std::string& name,
                    const std::vector<Report>& reports, const report::Options& options) {
  for (const auto& format : formats)
    if (format.name == name) return format.write(reports, options);
  return "no such format";
}

inline std::string without_color(std::string text) {
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b'))
    text.erase(at, text.find('m', at) - at + 1);
  return text;
}

}  // namespace tracker::test
