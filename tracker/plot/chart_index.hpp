// A folder of charts as one page: index.html for a browser, index.md for wherever Markdown is shown.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/plot/chart_tables.hpp"
#include "tracker/plot/chart_words.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker {

struct IndexedChart {
  std::string section;  // charts of one section follow one another
  ChartFiles files;
  ChartWords words;
  std::vector<ChartTable> tables;
};

// The charts of these series and overviews, and where they were drawn: overviews first, then trends with a
// step or a drift, then the others. Charts without files are left out.
std::vector<IndexedChart> index_charts(const std::vector<FamilyOverview>& overviews,
                                       const std::vector<ChartFiles>& overview_files,
                                       const std::vector<Series>& series,
                                       const std::vector<ChartFiles>& trend_files);

std::vector<IndexedChart> index_charts(const std::vector<SweepGrid>& grids,
                                       const std::vector<ChartFiles>& files);
std::vector<IndexedChart> index_charts(const std::vector<Roofline>& rooflines,
                                       const std::vector<ChartFiles>& files);

// The pages' text, with pictures by their names alone. Pure.
std::string index_html(const std::vector<IndexedChart>& charts);
std::string index_markdown(const std::vector<IndexedChart>& charts);

// Writes both into the charts' folder, as <name>.html and <name>.md. kEnvironment where they cannot be
// written.
void write_index(const std::vector<IndexedChart>& charts, const std::filesystem::path& directory,
                 const std::string& name = "index");

}  // namespace tracker
