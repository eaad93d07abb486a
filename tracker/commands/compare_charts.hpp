// compare --charts: the pictures of a report, and where its reader finds them.
#pragma once

#include <vector>

#include "tracker/app/compare_sides.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/report/report.hpp"

namespace tracker {

// Before anything is measured: kUsage where the template of the links has no place for a file's name,
// kEnvironment where the folder cannot be made.
void prepare_charts(const CompareOptions& options);

// Draws into the folder that was asked for; nothing where none was.
//   of each device: the changes of all benchmarks;
//   of the up to five worst, which fail the gate first: their samples and, where commits are compared, the
//   trend of the line that led to the candidate.
// Where drawing fails the verdict still counts: standard error and the reports' notes say what is missing.
std::vector<ReportPicture> draw_report_charts(const Workspace& workspace, const CompareOptions& options,
                                              const CompareSides& sides, const Policy& policy,
                                              std::vector<ComparisonReport>& reports);

}  // namespace tracker
