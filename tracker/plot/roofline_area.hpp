// Where the values of a roofline are in its picture: both axes are logarithmic.
#pragma once

#include <cmath>
#include <vector>

#include "tracker/plot/canvas.hpp"
#include "tracker/plot/roofline_view.hpp"

namespace tracker {

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

}  // namespace tracker
