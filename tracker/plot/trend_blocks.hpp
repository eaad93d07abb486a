// The numbers of a trend chart as gnuplot data blocks.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/series.hpp"

namespace tracker {

// Blocks of rows "position median low high", whose names end in `panel`: $line0 always; the others only where
// they have rows, since gnuplot refuses to plot nothing.
struct TrendBlocks {
  std::string data;    // the definitions of all blocks
  bool gaps = false;   // $gaps: pairs of points on both sides of a stretch without runs
  bool clean = false;  // $clean and $disturbed: $line's points, sorted by that
  bool disturbed = false;
};

// The largest distance of two points that is no gap: one commit where the usual distance is one and each
// commit is drawn, so that every commit without a run shows; else three times the usual one, and some width.
double gap_of(const std::vector<SeriesPoint>& points);
bool has_gap(const std::vector<SeriesPoint>& points);

// `gap_max`: of all points, those that were thinned out among them.
TrendBlocks trend_blocks(const std::vector<SeriesPoint>& points, double gap_max, std::size_t panel);

}  // namespace tracker
