// What a chart shows, before anything is drawn: cleaned and scaled values, ranges, and what is in them.
// Shared by the picture and the text of each chart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/series.hpp"
#include "tracker/plot/axis.hpp"

namespace tracker::plot {

// Where the level changed; in the view's scale.
struct TrendStep {
  std::size_t point = 0;  // the index of the first one of the new level, among the view's points
  double before = 0;
  double after = 0;
  bool worse = false;
  bool settled = false;
  bool other_conditions = false;  // the two levels were measured under: it says nothing of the code
  bool accepted = false;          // by tracker.toml
  bool is_new = false;            // among the newest points, or not settled yet
};

// A stretch that creeps, in the view's scale.
struct TrendDrift {
  std::size_t from = 0;  // the view's points [from, to)
  std::size_t to = 0;
  double before = 0;  // at the first and at the last of them
  double after = 0;
  double change = 0;  // of the whole drift, a share
  int commits = 0;    // that the whole drift goes over
  bool worse = false;
  bool other_conditions = false;
};

struct TrendView {
  Scale scale;                      // every value below is already divided by its factor
  std::vector<SeriesPoint> points;  // drawable ones, by position
  CommitAxis axis;
  double low = 0;  // of the value axis
  double high = 1;
  std::vector<ReferenceLine> lines;  // within the axis
  std::vector<ReferenceLine> above;  // too far to show without squashing the data
  std::vector<ReferenceLine> below;
  std::optional<std::size_t> base;     // the index of the marked point
  std::optional<JudgedChange> judged;  // of the base and the newest point; the values in this scale
  std::vector<TrendStep> steps;
  std::vector<TrendDrift> drifts;
  std::size_t spikes = 0;  // points outside the axis
  double farthest_spike = 0;
};

// The newest value: the comparison's where there is one.
double newest_value(const TrendView& view);
// A step's change, as a share. At the newest point behind the base it is the comparison's.
double step_change(const TrendView& view, const TrendStep& step);

// Without points where nothing can be drawn.
TrendView view_trend(const Series& series);

// Runs that the axis leaves out: "1 run off the axis, at 6.170 ms"; empty where there are none.
std::string spike_note(const TrendView& view);
// All that the axis leaves out, reference lines as well: "theoretical peak 4.916 TB/s ↑".
std::vector<std::string> off_axis_notes(const TrendView& view);

// What is drawn: at most `count_max` of the points before the axis' knee, and all behind it.
std::vector<SeriesPoint> shown_points(const TrendView& view, std::size_t count_max);

// A history of one or two points, in sentences: nothing to draw a line through. Empty for a longer one.
std::vector<std::string> short_history(const Series& series, const TrendView& view);

// The value's change at the newest point, from the marked base or else from the point before it, and what
// that is from: {-0.012, "base 1a2b3c4"}. Nothing where there is none before it.
struct NewestChange {
  double share = 0;
  std::string from;
};
std::optional<NewestChange> newest_change(const TrendView& view);

// At most `count_max` points, each standing for the commits of an equal stretch of the line: the median
// of their medians, and the whole range of their intervals.
std::vector<SeriesPoint> thin_out(const std::vector<SeriesPoint>& points, std::size_t count_max);

struct PanelView {
  std::string shape;
  Scale scale;                                 // values below are divided by its factor
  std::vector<std::optional<FamilyBar>> bars;  // one a row of the overview
  std::optional<std::size_t> best;             // the row of the best bar that is no reference itself
  double high = 1;                             // the end of the value axis, which starts at 0
  std::vector<ReferenceLine> lines;            // within the axis
  std::vector<ReferenceLine> above;
  std::optional<double> peak;  // what shares are of
};

struct OverviewView {
  std::vector<std::string> rows;  // the variants, the fastest first
  std::vector<bool> bounds;       // a row: the variant is a reference of some panel, not a contender
  std::vector<PanelView> panels;  // those with at least one bar
  bool cut = false;               // there were more than a picture holds
};

OverviewView view_overview(const FamilyOverview& overview);

std::vector<FamilyBar> best_first(const FamilyPanel& panel, const Metric& metric);
// The theoretical peak that shares of a rate are of; nothing where none is known.
std::optional<double> peak_in(const FamilyPanel& panel, const Metric& metric);

struct SweepCell {
  double value = 0;      // in the scale's unit
  double shade = 0;      // of the speed, from 0 (the slowest of the grid) to 1
  bool as_good = false;  // as the best of its row: no farther from it than the row's threshold; the best too
};

struct SweepRow {
  std::string name;
  std::vector<std::optional<SweepCell>> cells;  // one a column
  std::optional<std::size_t> best;              // empty where nothing was measured
  std::optional<std::size_t> worst;
};

struct SweepView {
  Scale scale;
  std::vector<std::string> columns;
  std::vector<SweepRow> rows;
  double darkest = 0;  // the values that the ends of the colours stand for
  double lightest = 0;
  bool cut = false;  // there were more rows or columns than a picture holds
};

// Without rows where nothing can be drawn.
SweepView view_sweep(const SweepGrid& grid);

// Three significant digits: "3.94", "153".
std::string cell_number(double value);

// "bandwidth", "time", … or the counter's own name.
std::string metric_title(const Metric& metric);
// "higher is better".
std::string better_text(const Metric& metric);
// "theoretical peak 4.916 TB/s".
std::string reference_text(const ReferenceLine& line, const Scale& scale);

// What a picture calls the sides of a comparison.

// "main (1a2b3c4)", "1a2b3c4", or for files their name.
std::string side_name(const Side& side);

}  // namespace tracker::plot
