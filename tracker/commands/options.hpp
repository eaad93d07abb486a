// Options that several commands have.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/compare.hpp"
#include "tracker/app/line_events.hpp"
#include "tracker/app/recording.hpp"

namespace CLI {
class App;
}

namespace tracker::commands {

// --gpus; `what` it is good for, where that is something else than measuring.
void declare_gpus(CLI::App& app, app::MeasureRequest& measuring, const std::string& what = "");
// --time-budget, for a command that measures one job.
void declare_budget(CLI::App& app, app::MeasureRequest& measuring);
void declare_repetitions(CLI::App& app, app::MeasureRequest& measuring);
// -n, -r, --filter, --isolate and --gpus, for a command that always measures.
void declare_measure_options(CLI::App& app, app::MeasureRequest& measuring);

void add_line_options(CLI::App& app, app::LineRequest& request);

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
// --format of a command that prints tables: text, json, csv or sql.
void add_table_format(CLI::App& app, std::string& format);

}  // namespace tracker::commands
