// The pictures of a comparison's report, and where its reader finds them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/app/compare_sides.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/report/report.hpp"

namespace tracker {

struct ReportChartsRequest {
  std::filesystem::path folder;  // for the pictures; empty: none are drawn
  std::string url;               // where they will be seen, with "{file}"; empty: from the report's folder
  std::filesystem::path report_folder;  // where the report lies
};

// Before anything is measured: kUsage where the template of the links has no place for a file's name,
// kEnvironment where the folder cannot be made.
void prepare_charts(const ReportChartsRequest& request);

// Draws into the folder that was asked for; nothing where none was.
//   of each device: the changes of all benchmarks;
//   of the up to five worst, which fail the gate first: their samples and, where commits are compared, the
//   trend of the line that led to the candidate.
// Where drawing fails the verdict still counts: the observer and the reports' notes say what is missing.
std::vector<ReportPicture> draw_report_charts(const Workspace& workspace, const ReportChartsRequest& request,
                                              const CompareSides& sides, const Policy& policy,
                                              std::vector<ComparisonReport>& reports);

}  // namespace tracker
