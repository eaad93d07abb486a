// What is recorded, as the charts that `tracker plot` draws: trends and overviews, sweeps, rooflines.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

struct ChartRequest {
  std::vector<std::string> globs;  // benchmarks; none: all of them
  std::string device;              // a pattern; empty: all
  std::string base;                // the commit to mark; empty: HEAD~1, where there is one
  int commits = 300;               // how far back
  std::string rows;  // of a sweep's grid, in segments of the names: "{2}"; empty: as tracker.toml has it
  std::string columns;
};

struct TrendCharts {
  std::vector<Series> series;
  std::vector<FamilyOverview> overviews;
};

// All of them: kCannotJudge where no run is stored for these commits; kUsage where no device matches, or
// there is nothing to draw, with what would help.
TrendCharts gather_trends(const Workspace& workspace, const ChartRequest& request);
std::vector<SweepGrid> gather_sweeps(const Workspace& workspace, const ChartRequest& request);
std::vector<Roofline> gather_rooflines(const Workspace& workspace, const ChartRequest& request);

}  // namespace tracker
