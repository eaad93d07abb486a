// What the comparison chart shows: which rows, in which order, and an axis that holds them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/plot/axis.hpp"

namespace tracker::plot {

// What the comparison chart shows: which rows, in which order, and an axis that holds them.

// Changes are drawn so that faster is always to the right: those of a metric where lower is better have
// their sign turned for their place, and keep it in what is written.
struct ChangeRow {
  std::string benchmark;
  Verdict verdict = Verdict::kUnchanged;
  bool excused = false;              // it would fail the build, but for a waiver or the policy
  std::optional<double> change;      // a share, faster is positive; empty where there is none to draw
  std::optional<Interval> interval;  // likewise; an end may be infinite
  double threshold = 0;              // 0: none
  std::string change_text;           // "−53.4 %"; for a row without a change its verdict
  std::string interval_text;  // "[−53.6, −53.2]", in the metric's own direction; empty where not known
  std::string values;         // "3.482 → 1.641 TB/s"
};

// How the signs of the changes are written at the axis.
enum class ChangeSigns { kAsDrawn, kTurned, kMirrored };  // the last: times stand beside rates, + is faster

struct ComparisonView {
  std::vector<ChangeRow> rows;                  // the slowest first, those without a change last
  std::vector<std::pair<Verdict, int>> counts;  // of the whole report, those above 0
  ChangeSigns signs = ChangeSigns::kAsDrawn;
  double low = -1;
  double high = 1;
  double knee = 0;       // up to about this change the axis is linear, beyond it logarithmic; 0: linear
  std::string left_out;  // "73 rows more: 60 unchanged, 13 inconclusive, none beyond 0.2 %"; empty where all
                         // are drawn

  // From 0 at the left end to 1 at the right.
  double place(double change) const;
};

// Without rows where there is nothing to draw.
ComparisonView view_comparison(const ComparisonReport& report);

// Round changes on the axis, at least so far apart (a share of it).
std::vector<Tic> change_tics(const ComparisonView& view, double distance_min);

}  // namespace tracker::plot
