// What a chart shows, before anything is drawn: cleaned and scaled values, ranges, and what is in them.
// Shared by the picture and the text of each chart.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/series.hpp"
#include "tracker/plot/axis.hpp"

namespace tracker::plot {

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
  std::vector<SeriesStep> steps;       // in this scale, and of these points; the drifts as well
  std::vector<SeriesDrift> drifts;
  std::size_t spikes = 0;  // points outside the axis
  double farthest_spike = 0;
};

// Whether the value axis leaves zero out.
bool is_cut(const TrendView& view);
// The newest value: the comparison's where there is one.
double newest_value(const TrendView& view);
// A step's change, as a share. At the newest point behind the base it is the comparison's.
double step_change(const TrendView& view, const SeriesStep& step);
// Whether it is among the newest points, or not settled yet.
bool is_new(const TrendView& view, const SeriesStep& step);
// Whether it is neither of other conditions nor accepted by tracker.toml.
bool is_plain(const SeriesStep& step);
// The middle of what the whole drift changed, a share.
double drift_change(const SeriesDrift& drift);

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

// The comparison chart: which rows, in which order, and an axis that holds them.

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
  std::vector<ChangeRow> rows;    // the slowest first, those without a change last
  std::map<Verdict, int> counts;  // of the whole report, those above 0
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

// The samples chart: a column an invocation, the distribution of each side, and an axis for both.

// One invocation, at its place among the columns; values in the scale's unit.
struct SampleColumn {
  bool candidate = false;
  double place = 0;
  int job = 0;
  int round = 0;
  std::vector<double> values;  // in the order they ran
  double median = 0;
  bool counts = true;
  bool disturbed = false;
};

// A stretch of the value axis. There are two where the sides are so far apart that nothing could be seen of
// either: both to the same scale, with what lies between them cut out.
struct AxisPart {
  double low = 0;
  double high = 1;
  double bottom = 0;  // where it begins and ends, from 0 at the bottom to 1 at the top
  double top = 1;
};

// How often a value was seen: pairs of a value and a width, the widest of both sides 1.
using Density = std::vector<std::pair<double, double>>;

struct SamplesView {
  Scale scale;  // every value below is already divided by its factor
  std::vector<SampleColumn> columns;
  double width = 1;     // places run from 0 to it
  bool paired = false;  // columns stand round by round, and not side by side
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // columns of one round that both count
  std::vector<AxisPart> parts;                             // from the lowest
  Density base;
  Density candidate;
  std::optional<double> base_value;  // what is compared: over the medians that count
  std::optional<double> candidate_value;
  std::optional<Interval> threshold;  // around the base's value, where it can be shown
  std::size_t beyond = 0;             // samples outside the axis
  double farthest_beyond = 0;
  std::size_t left_out = 0;  // columns that do not count
  std::string cut;           // "the last 60 of 200 rounds"; empty where all fit

  // From 0 at the bottom to 1 at the top; what is outside the axis is put at its nearest end.
  double place(double value) const;
  bool holds(double value) const;
};

// Without columns where there is nothing to draw.
SamplesView view_samples(const BenchmarkSamples& samples);

// "[−53.6, −53.2]", in per cent; empty where it is not known.
std::string interval_words(const Comparison& comparison);

// "bandwidth", "time", … or the counter's own name.
std::string metric_title(const Metric& metric);
// "higher is better".
std::string better_text(const Metric& metric);
// Both: "bandwidth, higher is better"; with a unit "bandwidth in TB/s, higher is better".
std::string metric_words(const Metric& metric, const std::string& unit = "");
// "76 %", of a share of a peak or a roof.
std::string share_text(double share);
// "theoretical peak 4.916 TB/s".
std::string reference_text(const ReferenceLine& line, const Scale& scale);

// "60 unchanged, 13 inconclusive".
std::string counts_in_words(const std::map<Verdict, int>& counts);

// What a picture calls the sides of a comparison.

// "main (1a2b3c4)", "1a2b3c4", or for files their name.
std::string side_name(const Side& side);

// What the charts of a terminal share.

inline constexpr std::size_t kTextColumnsMin = 40;
// So many columns, as far as they are enough.
std::size_t text_columns(int asked);
// A line with the title, and one with the device and what else is said of all of the chart.
std::string text_heading(const std::string& title, const std::string& device,
                         const std::vector<std::string>& facts, std::size_t columns);
// Of a line, without the spaces at its end.
std::string without_trailing_blanks(std::string line);

}  // namespace tracker::plot
