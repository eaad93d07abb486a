// One series of a trend chart, on its own value axis.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tracker/model/series.hpp"
#include "tracker/plot/axis.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {

// The numbers of a trend chart as gnuplot data blocks.

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

// Sizes that a trend chart's parts share. A comment shows 1200 pixels on about 880: text of 15 is 11 there.
namespace trend {
inline constexpr double kTextPx = 16;
inline constexpr double kSmallPx = 15;
inline constexpr double kStripPx = 26;             // a reference line that is off the axis
inline constexpr double kBaseRowPx = 28;           // the unit and the base's name
inline constexpr std::size_t kPointsMax = 520;     // one for two pixels
inline constexpr std::size_t kOldPointsMax = 320;  // the same, before the knee of an axis in two pieces
}  // namespace trend

class TrendPanel {
 public:
  // `area` is what the axes enclose. Above it strips_px() are the panel's as well. Dense: a line and a band
  // in place of a mark for each commit.
  TrendPanel(const Series& series, const TrendView& view, bool dense, std::size_t index, const Box& area,
             Canvas& canvas);

  // Whether the value axis leaves zero out.
  static bool is_cut(const TrendView& view) { return view.low > 0 || view.high < 0; }
  // The height of what stands above the axes: the base's name, and lines that are off the axis.
  static double strips_px(const TrendView& view);
  // Widens the view's axis, so that the marks of its steps and their names fit beside the data.
  static void make_room(TrendView& view, double height_px);
  // The panel's data blocks.
  std::string data() const { return data_; }
  // Draws all of it: the plot and what lies around it.
  void draw();

 private:
  double x_px(double position) const {
    const CommitAxis& axis = view_.axis;
    return area_.left + (axis.place(position) - axis.first) / (axis.last - axis.first) * area_.width();
  }
  double y_px(double value) const {
    return area_.bottom - (value - view_.low) / (view_.high - view_.low) * area_.height();
  }
  double inside_y_px(double value) const;
  void strips();
  void spikes();
  void axes();
  void cut_mark();
  void newest_part();
  void threshold_band();
  void base_mark();
  void references();
  void occupy_data();
  void levels();
  void drifts();
  void drift_labels();
  void steps();
  void step_label(const TrendStep& step, double x, double y, bool below);
  void plot();

  const Series& series_;
  const TrendView& view_;
  bool dense_;
  std::size_t index_;
  Box area_;
  Canvas& canvas_;
  std::vector<SeriesPoint> shown_;  // thinned out
  TrendGaps gaps_;
  std::vector<Box> taken_;  // by data and labels
  std::string data_;
};

}  // namespace tracker::plot
