// Charts: a pure function from data to a gnuplot script, and one place that runs gnuplot.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/series.hpp"
#include "tracker/plot/canvas.hpp"

namespace tracker::plot {

// Those that were not drawn are empty.
struct ChartFiles {
  std::filesystem::path png;
  std::filesystem::path svg;
  std::filesystem::path dark_png;  // the same on a dark ground
  std::filesystem::path dark_svg;
};

// Called with the number of charts that are drawn, from whatever thread drew them, one at a time.
using Progress = std::function<void(std::size_t drawn)>;

// The pictures that are drawn of a chart. A PNG takes gnuplot some twenty times as long as an SVG.
struct Drawing {
  Themes themes = Themes::kBoth;
  bool png = true;
  bool svg = true;
  Progress progress = {};
};

// The file name a chart gets, without its ending: safe for any folder, at most 140 characters.
std::string chart_slug(const std::string& device, const std::string& name);

// Draws one chart for every series / overview / grid / roofline / report / benchmark's samples into
// `directory` (made where it is missing), as PNG and SVG on each ground, as far as asked for, and answers in
// the same order; all paths are empty where there was nothing to draw. Their names are the slug of benchmark
// and metric, and a hash where two of one call would be the same. One benchmark's series on several devices
// share a picture, and all answer with it. As many gnuplots as there are cores draw them; on an error no file
// is left. kEnvironment when gnuplot is missing or fails, with its words, or when the files cannot be
// written.
std::vector<ChartFiles> draw_trends(const std::vector<Series>& series, const std::filesystem::path& directory,
                                    const Drawing& drawing = {});
std::vector<ChartFiles> draw_overviews(const std::vector<FamilyOverview>& overviews,
                                       const std::filesystem::path& directory, const Drawing& drawing = {});
std::vector<ChartFiles> draw_sweeps(const std::vector<SweepGrid>& grids,
                                    const std::filesystem::path& directory, const Drawing& drawing = {});
std::vector<ChartFiles> draw_rooflines(const std::vector<Roofline>& rooflines,
                                       const std::filesystem::path& directory, const Drawing& drawing = {});
std::vector<ChartFiles> draw_comparisons(const std::vector<ComparisonReport>& reports,
                                         const std::filesystem::path& directory, const Drawing& drawing = {});
std::vector<ChartFiles> draw_samples(const std::vector<BenchmarkSamples>& samples,
                                     const std::filesystem::path& directory, const Drawing& drawing = {});

// The same as text, for a terminal so wide and high (at least 40 columns; some more rows where they are
// too few). No gnuplot needed. Empty where there is nothing to draw.
std::string draw_trend_text(const Series& series, int columns, int rows);
std::string draw_overview_text(const FamilyOverview& overview, int columns);
std::string draw_sweep_text(const SweepGrid& grid, int columns);
// As a table: a line for each benchmark, with the roof it is under and its share of that.
std::string draw_roofline_text(const Roofline& roofline, int columns);

// What to choose: a line for each row of the grid with its best column, those as good by the row's threshold,
// and the worst.
std::string best_of_sweep(const SweepGrid& grid, int columns);

// From data to pictures, as gnuplot scripts. Pure functions.

// Nothing where there is nothing to draw. The slug is left for the caller.
std::optional<Chart> trend_chart(const Series& series);
// One benchmark and metric on several devices, on the same line of commits: a panel for each.
std::optional<Chart> trend_chart(const std::vector<Series>& devices);
std::optional<Chart> overview_chart(const FamilyOverview& overview);
std::optional<Chart> sweep_chart(const SweepGrid& grid);
std::optional<Chart> roofline_chart(const Roofline& roofline);
std::optional<Chart> comparison_chart(const ComparisonReport& report);
std::optional<Chart> samples_chart(const BenchmarkSamples& samples);

// One script that draws the charts [from, to) once or twice a theme, into <index><ending>.svg and
// <index><ending>.png of its working directory.
std::string chart_script(const std::vector<Chart>& charts, std::size_t from, std::size_t to,
                         const Drawing& drawing);

// The one place that runs gnuplot, and that knows gnuplot-iostream.

// Writes `<slug>.png` and `<slug>.svg` of every chart, and `<slug>-dark.…`, as far as `themes` asks for them,
// into `directory`, which is made where it is missing: all of them or, on an error, none. As many gnuplots as
// there are cores draw them. kEnvironment, with gnuplot's words.
std::vector<ChartFiles> write_charts(const std::vector<Chart>& charts, const std::filesystem::path& directory,
                                     const Drawing& drawing = {});

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
