// A folder of charts as one page: index.html for a browser, index.md for wherever Markdown is shown.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/series.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::plot {

// The numbers behind each chart, as the picture has them: for who cannot see it, and to copy.

// The newest values first, at most `rows_max` and those of steps. Where the series stands beside a
// comparison, the values of both sides are the comparison's.
ChartTable table_of(const Series& series, std::size_t rows_max);
// The best first, each shape with its share of the peak.
ChartTable table_of(const FamilyOverview& overview);
// A row for each row of the grid.
ChartTable table_of(const SweepGrid& grid);
// The fastest of a family and shape first, with its share of the roof above it.
ChartTable table_of(const Roofline& roofline);
// The rows that are drawn, the slowest first.
ChartTable table_of(const ComparisonReport& report);
// A row for each invocation, in the order they are drawn, the last `rows_max` of them.
ChartTable table_of(const BenchmarkSamples& samples, std::size_t rows_max);

// Of one benchmark on its devices.
Words words_of(const std::vector<Series>& devices);
Words words_of(const FamilyOverview& overview);
Words words_of(const SweepGrid& grid);
Words words_of(const Roofline& roofline);
Words words_of(const ComparisonReport& report);
Words words_of(const BenchmarkSamples& samples);

struct IndexedChart {
  std::string section;  // charts of one section follow one another
  ChartFiles files;
  Words words;
  std::vector<ChartTable> tables;
};

// The charts of these series and overviews, and where they were drawn: overviews first, then trends with a
// step or a drift, then the others. Charts without files are left out.
std::vector<IndexedChart> index_charts(const std::vector<FamilyOverview>& overviews,
                                       const std::vector<ChartFiles>& overview_files,
                                       const std::vector<Series>& series,
                                       const std::vector<ChartFiles>& trend_files);

// The same for the grids of sweeps and for rooflines, in their order.
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

}  // namespace tracker::plot
