// From data to pictures, as gnuplot scripts. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/series.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/theme.hpp"

namespace tracker {

// Nothing where there is nothing to draw. The slug is left for the caller.
std::optional<Chart> trend_chart(const Series& series);
// One benchmark and metric on several devices, on the same line of commits: a panel for each.
std::optional<Chart> trend_chart(const std::vector<Series>& devices);
std::optional<Chart> overview_chart(const FamilyOverview& overview);
std::optional<Chart> sweep_chart(const SweepGrid& grid);
std::optional<Chart> roofline_chart(const Roofline& roofline);
std::optional<Chart> comparison_chart(const ComparisonReport& report);
std::optional<Chart> samples_chart(const BenchmarkSamples& samples);

// One script that draws each chart twice a theme, into <index><ending>.svg and <index><ending>.png of its
// working directory.
std::string chart_script(const std::vector<Chart>& charts, Themes themes = Themes::kBoth);
// Of the charts [from, to) alone.
std::string chart_script(const std::vector<Chart>& charts, std::size_t from, std::size_t to,
                         const Drawing& drawing);

}  // namespace tracker
