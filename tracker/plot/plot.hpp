// Charts: a pure function from data to a gnuplot script, and one place that runs gnuplot.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/model/series.hpp"

namespace tracker {

struct ChartFiles {
  std::filesystem::path png;
  std::filesystem::path svg;
};

// The file names a chart gets: the title as a slug, always safe and unique enough for a folder.
std::string chart_slug(const std::string& device, const std::string& name);

// Draws one chart for every series / overview into `directory` (made where it is missing), as PNG and
// SVG. gnuplot runs once for all of them. kEnvironment when gnuplot is missing or fails, with its words.
std::vector<ChartFiles> draw_trends(const std::vector<Series>& series,
                                    const std::filesystem::path& directory);
std::vector<ChartFiles> draw_overviews(const std::vector<FamilyOverview>& overviews,
                                       const std::filesystem::path& directory);

// The same as text, for a terminal so wide and high.
std::string draw_trend_text(const Series& series, int columns, int rows);
std::string draw_overview_text(const FamilyOverview& overview, int columns);

}  // namespace tracker
