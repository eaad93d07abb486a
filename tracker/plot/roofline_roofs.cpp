#include <algorithm>
#include <cmath>

#include "tracker/plot/bandwidth_strip.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/roofline_parts.hpp"

namespace tracker {
namespace {

constexpr double kRidgeGap = 24;

// Under the left end of the slopes, with a piece of its line.
void name_short_slope(const std::string& words, bool measured, double left, RooflinePicture& picture) {
  double lowest = picture.area.box().top;
  for (const auto& roof : {picture.view.bandwidth, picture.view.measured})
    if (roof) lowest = std::max(lowest, picture.area.y(picture.view.intensity_low * roof->value));
  const double y = std::min(lowest, picture.area.box().bottom - 60) + (measured ? 44 : 22);
  picture.canvas.line(left + 8, y, left + 36, y, measured ? kMeasuredRoof : kStatedRoof);
  const TextStyle style{15, colour::kVermilion};
  const std::string fitted = fit_text(words, picture.area.box().width() / 2, style.size_px);
  picture.canvas.text(left + 44, y, fitted, style);
  picture.taken.push_back(text_box(left + 44, y, fitted, style));
}

// From where it enters the picture up to the highest ceiling.
void draw_slope(const Roof& roof, bool measured, RooflinePicture& picture) {
  const double top = picture.view.peaks.empty() ? picture.view.flops_high : picture.view.peaks.back().value;
  const double from = std::max(picture.view.intensity_low, picture.view.flops_low / roof.value);
  const double to =
      std::min(picture.view.intensity_high, std::min(top, picture.view.flops_high) / roof.value);
  if (!(from < to)) return;
  const double x1 = picture.area.x(from);
  const double y1 = picture.area.y(from * roof.value);
  const double x2 = picture.area.x(to);
  const double y2 = picture.area.y(to * roof.value);
  picture.canvas.line(x1, y1, x2, y2, measured ? kMeasuredRoof : kStatedRoof);
  const double length = std::hypot(x2 - x1, y2 - y1);
  const double angle = std::atan2(y1 - y2, x2 - x1);
  const double side = measured ? 13 : -13;  // of the line: the higher roof is labelled above it
  const std::string words =
      rate_text(roof.value, "B/s") + (measured ? " measured: " + roof.label : " bandwidth");
  const bool has_room = text_width_px(words, 15) <= length - 30;
  if (!has_room)
    name_short_slope(words, measured, x1, picture);
  else
    picture.canvas.text(
        x1 + 16 * std::cos(angle) + side * std::sin(angle),
        y1 - 16 * std::sin(angle) + side * std::cos(angle), fit_text(words, length - 30, 15),
        {15, colour::kVermilion, Align::kLeft, false, static_cast<int>(std::lround(angle * 57.29578))});
  // No label may lie on the line, or on its words.
  constexpr int kStepPx = 8;
  for (int step = 0; step * kStepPx < length; ++step) {
    const double at = step * kStepPx;
    const double x = x1 + at * std::cos(angle);
    const double y = y1 - at * std::sin(angle);
    picture.taken.push_back({x - 4, y - 4, x + 4, y + 4});
    const double words_end = 16 + text_width_px(words, 15);
    if (!has_room || at > words_end) continue;
    const double side_x = x + side * std::sin(angle);
    const double side_y = y + side * std::cos(angle);
    picture.taken.push_back({side_x - 8, side_y - 8, side_x + 8, side_y + 8});
  }
}

// Lines to the right of the slope. Their labels stand on its left, where no point can be, or along the line.
void draw_ceilings(RooflinePicture& picture) {
  const Box& box = picture.area.box();
  const auto& slope = picture.view.bandwidth ? picture.view.bandwidth : picture.view.measured;
  for (const auto& peak : picture.view.peaks) {
    const double ridge = slope ? peak.value / slope->value : picture.view.intensity_low;
    const double left = picture.area.x(std::max(ridge, picture.view.intensity_low));
    const bool within =
        peak.value >= picture.view.flops_low && peak.value <= picture.view.flops_high && left < box.right;
    if (!within) continue;
    const double y = picture.area.y(peak.value);
    picture.canvas.line(left, y, box.right, y, kStatedRoof);
    picture.taken.push_back({left, y - 3, box.right, y + 3});
    const TextStyle style{15, colour::kVermilion};
    const std::string words =
        fit_text(peak.label + " " + rate_text(peak.value, "FLOP/s"), box.width() / 2, style.size_px);
    const double width = text_width_px(words, style.size_px);
    std::vector<Box> places;
    for (double gap = kRidgeGap; gap < 4 * kRidgeGap && left - gap - width > box.left; gap += kRidgeGap / 2)
      places.push_back(text_box(left - gap - width, y, words, style));
    for (double x = left + kRidgeGap; x + width <= box.right; x += kRidgeGap)
      for (const double side : {-13.0, 13.0}) places.push_back(text_box(x, y + side, words, style));
    if (places.empty()) places.push_back(text_box(box.right - width, y - 13, words, style));
    const Box place = first_free(places, picture.taken, box);
    picture.canvas.text(place.left, (place.top + place.bottom) / 2, words, style);
    picture.taken.push_back(place);
  }
}

}  // namespace

void draw_roofs(RooflinePicture& picture) {
  if (picture.view.bandwidth) draw_slope(*picture.view.bandwidth, false, picture);
  if (picture.view.measured) draw_slope(*picture.view.measured, true, picture);
  draw_ceilings(picture);
}

}  // namespace tracker
