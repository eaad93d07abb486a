// The numbers of a trend chart as gnuplot data blocks.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/series.hpp"
#include "tracker/plot/commit_axis.hpp"

namespace tracker {

// Blocks of rows "place median low high", whose names end in `panel`: $line0 always; the others only where
// they have rows, since gnuplot refuses to plot nothing.
struct TrendBlocks {
  std::string data;    // the definitions of all blocks
  bool gaps = false;   // $gaps: pairs of points on both sides of a stretch without runs
  bool band = false;   // $band: the points that are too dense for marks
  bool marks = false;  // $marks: the others; $clean and $disturbed: the same, sorted by that
  bool clean = false;
  bool disturbed = false;
};

// Which stretches between two points are drawn as one without runs.
class TrendGaps {
 public:
  // Of all points, those that are thinned out among them.
  TrendGaps(const std::vector<SeriesPoint>& points, const CommitAxis& axis);
  bool between(const SeriesPoint& a, const SeriesPoint& b) const;
  bool any(const std::vector<SeriesPoint>& points) const;

 private:
  const CommitAxis& axis_;
  // The largest distance that is no gap. Where points have marks, that is one commit if that is the usual
  // distance, so that every commit without a run shows; else three times the usual one, and some width.
  double marked_max_ = 0;
  double dense_max_ = 0;
};

// Dense: only points behind the axis' knee have marks.
TrendBlocks trend_blocks(const std::vector<SeriesPoint>& points, const CommitAxis& axis, bool dense,
                         const TrendGaps& gaps, std::size_t panel);

}  // namespace tracker
