// Explanations → text for people and programs. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/report/report.hpp"

namespace tracker {

// One row a format of `tracker explain`. With `all_rows`, facts that are the same have rows as well.
struct ExplanationFormat {
  std::string name;
  std::string summary;
  std::string (*write)(const std::vector<ExplanationReport>& reports, const ReportOptions& options);
};
const std::vector<ExplanationFormat>& explanation_formats();

}  // namespace tracker
