// The writers behind report_formats(), one a file.
#pragma once

#include "tracker/report/report.hpp"

namespace tracker {

std::string write_text(const std::vector<ComparisonReport>& reports, const ReportOptions& options);
std::string write_markdown(const std::vector<ComparisonReport>& reports, const ReportOptions& options);
std::string write_json(const std::vector<ComparisonReport>& reports, const ReportOptions& options);

}  // namespace tracker
