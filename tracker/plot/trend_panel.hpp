// One series of a trend chart, on its own value axis.
#pragma once

#include <cstddef>

#include "tracker/model/series.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {

// Sizes that a trend chart's parts share. A comment shows 1200 pixels on about 880: text of 15 is 11 there.
namespace trend {
inline constexpr double kTextPx = 16;
inline constexpr double kSmallPx = 15;
inline constexpr std::size_t kPointsMax = 520;     // one for two pixels
inline constexpr std::size_t kOldPointsMax = 320;  // the same, before the knee of an axis in two pieces
}  // namespace trend

// Of a step or a drift.
const char* change_colour(bool worse, bool says_nothing_of_the_code);

// Whether any stretch between two points is drawn as one without runs.
bool has_gaps(const TrendView& view);
// The height of what stands above a panel's axes: the base's name, and lines that are off the axis.
double strips_px(const TrendView& view);
// Widens the view's axis, so that the marks of its steps and their names fit beside the data.
void make_room(TrendView& view, double height_px);

// Draws all of the panel: the plot and what lies around it. `area` is what the axes enclose; above it
// strips_px() are the panel's as well. The names of its data blocks end in `index`. Dense: a line and a band
// in place of a mark for each commit.
void draw_panel(const Series& series, const TrendView& view, bool dense, std::size_t index, const Box& area,
                Canvas& canvas);

}  // namespace tracker::plot
