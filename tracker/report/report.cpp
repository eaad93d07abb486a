#include "tracker/report/report.hpp"

#include "tracker/report/formats.hpp"

namespace tracker {

const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> formats{
      {"text", "a table for the terminal", write_text},
      {"markdown", "GitHub-flavoured Markdown, for a pull request or a job summary", write_markdown},
      {"json", "tracker.comparison/1, for programs", write_json},
  };
  return formats;
}

}  // namespace tracker
