// Options that several commands have: what is compared, measured and printed, and the line to look at.
#pragma once

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "tracker/app/compare.hpp"
#include "tracker/app/line_events.hpp"
#include "tracker/base/file.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/report/report.hpp"

namespace CLI {
class App;
}

namespace tracker::commands {

// What is compared, and how it is shown.
struct CompareOptions : app::CompareRequest {
  std::string format = "text";
  std::filesystem::path out;
  std::filesystem::path charts;  // the folder for pictures; empty: none
  std::string charts_url;        // where they will be seen, with "{file}"; empty: from the report's folder
  bool strict = false;
  bool all = false;
};

// --gpus; `what` it is good for, where that is something else than measuring.
void declare_gpus(CLI::App& app, app::MeasureRequest& measuring, const std::string& what = "");
// --time-budget, for a command that measures one job.
void declare_budget(CLI::App& app, app::MeasureRequest& measuring);
// -n, -r, --filter, --isolate and --gpus, for a command that always measures.
void declare_measure_options(CLI::App& app, app::MeasureRequest& measuring);
// What the two sides are, and how they were measured where the runs do not say it.
void declare_sides(CLI::App& app, CompareOptions& options);
void declare_compare_options(CLI::App& app, CompareOptions& options);

// Where the reports of compare and explain go, in the format asked for.

// To the file that was named, without colour and as wide as it gets; else to the terminal. `formats` is the
// table of those that can write such reports; `how` is what the caller knows beside the options.
template <typename Report, typename Format>
void write_reports(const CompareOptions& options, const std::vector<Report>& reports,
                   const std::vector<Format>& formats, report::Options how = {}) {
  const bool to_file = !options.out.empty();
  how.color = !to_file && wants_color();
  how.columns = to_file ? 0 : terminal_columns();
  how.all_rows = options.all;
  how.strict = options.strict;
  for (const auto& format : formats) {
    if (format.name != options.format) continue;
    const std::string text = format.write(reports, how);
    if (to_file)
      write_file(options.out, text);
    else
      std::cout << text << std::flush;
  }
}

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
