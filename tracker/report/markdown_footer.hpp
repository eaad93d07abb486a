// Below every Markdown report: what was measured, where and how.
#pragma once

#include <string>
#include <vector>

#include "tracker/report/report.hpp"

namespace tracker {

std::string footer_of(const std::vector<ComparisonReport>& reports, const ReportOptions& options);

}  // namespace tracker
