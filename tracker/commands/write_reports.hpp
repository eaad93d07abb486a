// Where the reports of compare and explain go, in the format asked for.
#pragma once

#include <iostream>
#include <string>
#include <vector>

#include "tracker/base/file.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/report/report.hpp"

namespace tracker {

// To the file that was named, without colour and as wide as it gets; else to the terminal. `formats` is the
// table of those that can write such reports; `how` is what the caller knows beside the options.
template <typename Report, typename Format>
void write_reports(const CompareOptions& options, const std::vector<Report>& reports,
                   const std::vector<Format>& formats, ReportOptions how = {}) {
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

}  // namespace tracker
