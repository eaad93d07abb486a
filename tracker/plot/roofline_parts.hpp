// The parts of a roofline's picture.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "tracker/plot/roofline_area.hpp"

namespace tracker {

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

}  // namespace tracker
