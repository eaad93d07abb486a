// The parts of a roofline's picture.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tracker/plot/canvas.hpp"
#include "tracker/plot/roofline_view.hpp"

namespace tracker::plot {

// Where the values of a roofline are in its picture: both axes are logarithmic.

class RooflineArea {
 public:
  RooflineArea(const RooflineView& view, const Box& box) : view_(view), box_(box) {}

  double x(double intensity) const {
    return box_.left + share(intensity, view_.intensity_low, view_.intensity_high) * box_.width();
  }
  double y(double flops) const {
    return box_.bottom - share(flops, view_.flops_low, view_.flops_high) * box_.height();
  }
  bool holds(double intensity, double flops) const {
    return intensity >= view_.intensity_low && intensity <= view_.intensity_high &&
           flops >= view_.flops_low && flops <= view_.flops_high;
  }
  const Box& box() const { return box_; }

 private:
  static double share(double value, double low, double high) {
    return std::log(value / low) / std::log(high / low);
  }

  const RooflineView& view_;
  Box box_;
};

// 1, 2, 5, 10, …, or powers of ten where those would be too many.
std::vector<double> log_tics(double low, double high);

// The points to write names beside: of each group every variant once, where its intensity is highest. Those
// of one shape together, the fastest first.
std::vector<std::vector<const PlacedPoint*>> columns_to_name(const RooflineView& view);

inline constexpr int kRooflineWidthPx = 1200;
inline constexpr double kRooflineEdge = 24;  // around the picture

// What the parts share while one picture is drawn.
struct RooflinePicture {
  const RooflineView& view;
  const RooflineArea& area;
  Canvas& canvas;
  std::vector<Box> taken;  // by points, roofs and words

  bool is_free(const Box& place) const {
    return std::none_of(taken.begin(), taken.end(), [&](const Box& box) { return box.meets(place); });
  }
  double x(const PlacedPoint& one) const { return area.x(one.point.intensity()); }
  double y(const PlacedPoint& one) const { return area.y(one.point.flops_per_second); }
  bool outside(const PlacedPoint& one) const {
    return !area.holds(one.point.intensity(), one.point.flops_per_second);
  }
};

const char* colour_of(std::size_t group);

// The space that the widest of the points' names takes.
double names_width_px(const RooflineView& view);

// The slopes and the ceilings, with their labels.
void draw_roofs(RooflinePicture& picture);
// The names of variants and shapes, where there is room.
void draw_names(RooflinePicture& picture);

// The lower part of a roofline: what only moves data has no place on its axes, but the bandwidth for a roof.

// Of two lines that differ in nothing but their dashes, gnuplot's SVG draws the second like the first.
inline constexpr LineStyle kStatedRoof{colour::kVermilion, 2};
inline constexpr LineStyle kMeasuredRoof{colour::kVermilion, 1.8, "(8,5)"};

// 0 where there is none.
double bandwidth_strip_height_px(const RooflineView& view);

// Draws it below `top` as a plot of its own, and gives the definitions of its data blocks.
std::string draw_bandwidth_strip(const RooflineView& view, double top, Canvas& canvas);

}  // namespace tracker::plot
