// The numbers behind each chart, as the picture has them: for who cannot see it, and to copy.
#pragma once

#include <cstddef>

#include "tracker/model/comparison.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

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

}  // namespace tracker
