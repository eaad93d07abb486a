// Options that several commands have: the line to look at, and the format of what is printed.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/line_events.hpp"

namespace CLI {
class App;
}

namespace tracker {

void add_line_options(CLI::App& app, LineRequest& request);

// The names of a table of formats.
template <typename Format>
std::vector<std::string> names_of(const std::vector<Format>& formats) {
  std::vector<std::string> names;
  for (const auto& format : formats) names.push_back(format.name);
  return names;
}

// --format, which takes one of these.
void add_format(CLI::App& app, std::string& format, const std::vector<std::string>& names);
// The same; its summary names them.
void add_named_format(CLI::App& app, std::string& format, const std::vector<std::string>& names);
// --format of a command that prints tables: text, json or csv.
void add_table_format(CLI::App& app, std::string& format);

}  // namespace tracker
