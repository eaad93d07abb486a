#include "tracker/report/report.hpp"

#include <algorithm>
#include <stdexcept>

#include "tracker/report/formats.hpp"

namespace tracker {

const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> formats{
      {"text", "a table for the terminal", write_text},
      {"markdown", "GitHub-flavoured Markdown, for a pull request on any host", write_markdown},
      {"html", "a page without anything from elsewhere, to send or to keep", write_html},
      {"json", "tracker.comparison/1, for programs", write_json},
      {"junit", "JUnit's XML, one test case a benchmark, for any CI", write_junit},
      {"github", "annotations; and a comment, a job summary and outputs, for GitHub Actions",
       write_annotations},
  };
  return formats;
}

std::string write_as(const std::string& format, const std::vector<ComparisonReport>& reports,
                     const ReportOptions& options) {
  const auto& formats = report_formats();
  const auto row =
      std::find_if(formats.begin(), formats.end(), [&](const ReportFormat& f) { return f.name == format; });
  if (row == formats.end()) throw std::out_of_range(format);
  return row->write(reports, options);
}

}  // namespace tracker
