// The writers behind report_formats(), one a file.
#pragma once

#include "tracker/report/report.hpp"

namespace tracker {

std::string write_text(const std::vector<ComparisonReport>& reports, const ReportOptions& options);
std::string write_markdown(const std::vector<ComparisonReport>& reports, const ReportOptions& options);
std::string write_html(const std::vector<ComparisonReport>& reports, const ReportOptions& options);
std::string write_json(const std::vector<ComparisonReport>& reports, const ReportOptions& options);
std::string write_junit(const std::vector<ComparisonReport>& reports, const ReportOptions& options);
// What a step of GitHub Actions prints: one error for each of the worst, and a notice where nothing can be
// said.
std::string write_annotations(const std::vector<ComparisonReport>& reports, const ReportOptions& options);

}  // namespace tracker
