// What a roofline shows, before anything is drawn. Shared by the picture and the table.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/series.hpp"

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

// Without points and rows where nothing can be drawn.
RooflineView view_roofline(const Roofline& roofline);

// "4096³" for "4096x4096x4096", "8192²" for "8192x8192"; any other as it is.
std::string short_shape(const std::string& shape);

// "theoretical peaks at 1980 MHz (cores) and 3201 MHz (memory)"; empty where no peak is known.
std::string clocks_note(const Roofline& roofline);

// "4.814 TB/s".
std::string rate_text(double value, const char* unit);
// "76 %".
std::string share_text(double share);

}  // namespace tracker::plot
