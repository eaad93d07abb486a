// Comparisons → text for people and programs. Pure: what is written depends on the arguments alone.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker {

struct ReportOptions {
  bool color = false;    // ANSI colours; text only
  int columns = 0;       // of the terminal; 0: as wide as it gets. Text only
  bool all_rows = true;  // false: the unchanged ones are only counted. Text and Markdown
};

// One row a format: what `--format` accepts, in help and in errors.
struct ReportFormat {
  std::string name;
  std::string summary;
  std::string (*write)(const std::vector<ComparisonReport>& reports, const ReportOptions& options);
};
const std::vector<ReportFormat>& report_formats();

}  // namespace tracker
