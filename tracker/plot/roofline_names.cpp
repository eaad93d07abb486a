#include <string>
#include <utility>

#include "tracker/plot/font.hpp"
#include "tracker/plot/roofline_parts.hpp"

namespace tracker {
namespace {

constexpr double kNameMax = 200;
constexpr double kLabelGap = 18;    // between the middles of two labels
constexpr double kLeaderMax = 120;  // how far a label may stand above or below its point

// What is written beside a point.
struct PointName {
  std::string words;
  TextStyle style;
};

PointName name_of(const PlacedPoint& one, const RooflineView& view) {
  PointName name;
  name.style.colour = one.point.is_bound        ? colour::kGrey
                      : view.groups.size() == 1 ? colour::kInk
                                                : colour_of(one.group);
  name.style.bold = one.best;
  name.words = fit_text(one.point.variant, kNameMax, name.style.size_px, name.style.bold);
  if (one.share) name.words += "  " + share_text(*one.share);
  return name;
}

// A thin line to a name.
void lead(double x1, double y1, double x2, double y2, RooflinePicture& picture, std::vector<Box>& leaders) {
  picture.canvas.line(x1, y1, x2, y2, {colour::kMidGrey, 1});
  constexpr int kSteps = 12;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = x1 + (x2 - x1) * i / kSteps;
    const double y = y1 + (y2 - y1) * i / kSteps;
    leaders.push_back({x - 2, y - 2, x + 2, y + 2});
  }
}

// To the right of the points where there is room, from the fastest down, each as near to its point as those
// above let it.
void name_points(RooflinePicture& picture) {
  std::vector<Box> leaders;  // the names of other points may meet them
  for (const auto& column : columns_to_name(picture.view)) {
    double free_from = picture.area.box().top;
    for (const PlacedPoint* one : column) {
      if (picture.outside(*one)) continue;
      auto [words, style] = name_of(*one, picture.view);
      const double x = picture.x(*one);
      const double y = std::max(picture.y(*one), free_from + kLabelGap / 2);
      if (y - picture.y(*one) > kLeaderMax) continue;
      for (const Align align : {Align::kLeft, Align::kRight}) {
        style.align = align;
        const double side = align == Align::kLeft ? 1 : -1;
        const Box place = text_box(x + side * 20, y, words, style);
        const bool within = place.left >= picture.area.box().left &&
                            place.right <= kRooflineWidthPx - kRooflineEdge / 2 &&
                            place.bottom <= picture.area.box().bottom;
        if (!picture.is_free(place) || !within) continue;
        lead(x + side * 5, picture.y(*one), x + side * 17, y, picture, leaders);
        picture.canvas.text(x + side * 20, y, words, style);
        picture.taken.push_back(place);
        free_from = y + kLabelGap / 2;
        break;
      }
    }
  }
  picture.taken.insert(picture.taken.end(), leaders.begin(), leaders.end());
}

// Beside the lowest point of each group and shape; and a line through them, as they stand at one intensity.
void name_shapes(RooflinePicture& picture) {
  for (std::size_t from = 0; from < picture.view.points.size();) {
    std::size_t to = from;
    while (to < picture.view.points.size() && same_place(picture.view.points[to], picture.view.points[from]))
      ++to;
    const PlacedPoint& lowest = picture.view.points[from];
    const PlacedPoint& highest = picture.view.points[to - 1];
    from = to;
    if (picture.outside(lowest) || picture.outside(highest)) continue;
    picture.canvas.line(picture.x(lowest), picture.y(lowest), picture.x(highest), picture.y(highest),
                        {colour::kPaleGrey, 1});
    const TextStyle style{14, colour::kGrey};
    const std::string words = fit_text(short_shape(lowest.point.shape), 150, style.size_px);
    if (words.empty()) continue;
    const double width = text_width_px(words, style.size_px);
    const double middle = picture.x(lowest) - width / 2;
    for (const auto& [x, y] :
         {std::pair(middle, picture.y(lowest) + 19),
          std::pair(picture.x(lowest) - width - 12, picture.y(lowest)),
          std::pair(picture.x(lowest) + 12, picture.y(lowest)), std::pair(middle, picture.y(highest) - 19)}) {
      const Box place = text_box(x, y, words, style);
      if (!picture.is_free(place) || place.bottom > picture.area.box().bottom ||
          place.right > kRooflineWidthPx)
        continue;
      picture.canvas.text(x, y, words, style);
      picture.taken.push_back(place);
      break;
    }
  }
}

}  // namespace

double names_width_px(const RooflineView& view) {
  double width = 0;
  for (const auto& column : columns_to_name(view))
    for (const auto* one : column) {
      const PointName name = name_of(*one, view);
      width = std::max(width, text_width_px(name.words, name.style.size_px, name.style.bold));
    }
  return width;
}

void draw_names(RooflinePicture& picture) {
  name_points(picture);
  name_shapes(picture);
}

}  // namespace tracker
