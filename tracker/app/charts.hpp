// What is recorded, as the charts that `tracker plot` draws: trends and overviews, sweeps, rooflines.
#pragma once

#include "tracker/app/compare.hpp"
#include "tracker/model/series.hpp"

namespace tracker::app {

struct ChartRequest {
  std::vector<std::string> globs;  // benchmarks; none: all of them
  std::string device;              // a pattern; empty: all
  std::string base;                // the commit to mark; empty: HEAD~1, where there is one
  int commits = 300;               // how far back
  std::string rows;  // of a sweep's grid, in segments of the names: "{2}"; empty: as tracker.toml has it
  std::string columns;
};

// The data that trends and overviews are drawn from.
struct TrendCharts {
  std::vector<Series> series;
  std::vector<FamilyOverview> overviews;
};

// All of them: kCannotJudge where no run is stored for these commits; kUsage where no device matches, or
// there is nothing to draw, with what would help.
TrendCharts gather_trends(const Workspace& workspace, const ChartRequest& request);
std::vector<SweepGrid> gather_sweeps(const Workspace& workspace, const ChartRequest& request);
std::vector<Roofline> gather_rooflines(const Workspace& workspace, const ChartRequest& request);

// The pictures of a comparison's report, and where its reader finds them.

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
// Other errors than kEnvironment are thrown on.
std::vector<report::Picture> draw_report_charts(const Workspace& workspace,
                                                const ReportChartsRequest& request, CompareOutcome& outcome);

// The link to a picture: the template with the file's name in place of every "{file}" or, where there is no
// template, the path from the report's folder, percent-encoded as a URL takes it.
std::string picture_link(const std::filesystem::path& picture, const std::string& url_template,
                         const std::filesystem::path& report_folder);

}  // namespace tracker::app
