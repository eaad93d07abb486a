// The lower part of a roofline: what only moves data has no place on its axes, but the bandwidth for a roof.
#pragma once

#include <string>

#include "tracker/plot/canvas.hpp"
#include "tracker/plot/roofline_view.hpp"

namespace tracker {

// Of two lines that differ in nothing but their dashes, gnuplot's SVG draws the second like the first.
inline constexpr LineStyle kStatedRoof{colour::kVermilion, 2};
inline constexpr LineStyle kMeasuredRoof{colour::kVermilion, 1.8, "(8,5)"};

// 0 where there is none.
double bandwidth_strip_height_px(const RooflineView& view);

// Draws it below `top` as a plot of its own, and gives the definitions of its data blocks.
std::string draw_bandwidth_strip(const RooflineView& view, double top, Canvas& canvas);

}  // namespace tracker
