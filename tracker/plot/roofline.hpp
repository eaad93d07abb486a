// What a roofline shows, before anything is drawn, shared by the picture and the table; and the parts of the
// picture.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/series.hpp"
#include "tracker/plot/canvas.hpp"

namespace tracker::plot {

// A limit: of the bandwidth (a slope where both axes are logarithmic), or of the FLOP/s.
struct Roof {
  std::string label;  // "FP32 peak"
  double value = 0;   // B/s or FLOP/s
};

struct PlacedPoint {
  RooflinePoint point;
  std::size_t group = 0;        // of RooflineView::groups
  std::optional<double> share;  // of the lowest roof over it, where one is known
  std::string limit;            // that roof's label
  bool best = false;            // of its group and shape, bounds apart
};

// Benchmarks that only move data, of one group and shape.
struct BandwidthRow {
  std::string name;
  std::vector<PlacedPoint> points;  // the slowest first
  std::optional<std::size_t> best;  // the fastest that is no bound, or of all
};

struct RooflineView {
  std::vector<std::string> groups;  // of `points`, in the order they first appear
  std::vector<PlacedPoint> points;  // those with FLOP/s, by group and shape
  std::vector<BandwidthRow> rows;
  std::optional<Roof> bandwidth;  // theoretical
  std::optional<Roof> measured;   // likewise of bandwidth
  std::vector<Roof> peaks;        // of FLOP/s that some point is under, ascending
  double intensity_low = 1;       // of the axes, where there are points
  double intensity_high = 10;
  double flops_low = 1;
  double flops_high = 10;
};

// Of one group and shape; their points stand side by side.
bool same_place(const PlacedPoint& a, const PlacedPoint& b);

// All points, the fastest of each group and shape first, and then those that only move data.
std::vector<const PlacedPoint*> fastest_first(const RooflineView& view);

// Without points and rows where nothing can be drawn.
RooflineView view_roofline(const Roofline& roofline);

// "4096³" for "4096x4096x4096", "8192²" for "8192x8192"; any other as it is.
std::string short_shape(const std::string& shape);

// "theoretical peaks at 1980 MHz (cores) and 3201 MHz (memory)"; empty where no peak is known.
std::string clocks_note(const Roofline& roofline);

// "4.814 TB/s".
std::string rate_text(double value, const char* unit);

// 1, 2, 5, 10, …, or powers of ten where those would be too many.
std::vector<double> log_tics(double low, double high);

// The points to write names beside: of each group every variant once, where its intensity is highest. Those
// of one shape together, the fastest first.
std::vector<std::vector<const PlacedPoint*>> columns_to_name(const RooflineView& view);

inline constexpr int kRooflineWidthPx = 1200;
inline constexpr double kRooflineEdge = 24;  // around the picture

// What the parts share while one picture is drawn. Both axes are logarithmic.
struct RooflinePicture {
  const RooflineView& view;
  Box box;  // what the axes enclose
  Canvas& canvas;
  std::vector<Box> taken = {};  // by points, roofs and words

  double x(double intensity) const {
    return box.left + share(intensity, view.intensity_low, view.intensity_high) * box.width();
  }
  double y(double flops) const {
    return box.bottom - share(flops, view.flops_low, view.flops_high) * box.height();
  }
  double x(const PlacedPoint& one) const { return x(one.point.intensity()); }
  double y(const PlacedPoint& one) const { return y(one.point.flops_per_second); }
  bool outside(const PlacedPoint& one) const {
    const double intensity = one.point.intensity();
    const double flops = one.point.flops_per_second;
    return !(intensity >= view.intensity_low && intensity <= view.intensity_high && flops >= view.flops_low &&
             flops <= view.flops_high);
  }
  bool is_free(const Box& place) const {
    return std::ranges::none_of(taken, [&](const Box& other) { return other.meets(place); });
  }
  static double share(double value, double low, double high) {
    return std::log(value / low) / std::log(high / low);
  }
};

// Of a group's points and names.
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

// Draws it below `top` as a plot of its own.
void draw_bandwidth_strip(const RooflineView& view, double top, Canvas& canvas);

}  // namespace tracker::plot
