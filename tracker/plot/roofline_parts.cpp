#include <map>
#include <utility>

#include "tracker/plot/roofline.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

constexpr double kRidgeGap = 24;

// Under the left end of the slopes, with a piece of its line.
void name_short_slope(const std::string& words, bool measured, double left, RooflinePicture& picture) {
  double lowest = picture.box.top;
  for (const auto& roof : {picture.view.bandwidth, picture.view.measured})
    if (roof) lowest = std::max(lowest, picture.y(picture.view.intensity_low * roof->value));
  const double y = std::min(lowest, picture.box.bottom - 60) + (measured ? 44 : 22);
  picture.canvas.line(left + 8, y, left + 36, y, measured ? kMeasuredRoof : kStatedRoof);
  const TextStyle style{15, colour::kVermilion};
  const std::string fitted = fit_text(words, picture.box.width() / 2, style.size_px);
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
  const double x1 = picture.x(from);
  const double y1 = picture.y(from * roof.value);
  const double x2 = picture.x(to);
  const double y2 = picture.y(to * roof.value);
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
  const Box& box = picture.box;
  const auto& slope = picture.view.bandwidth ? picture.view.bandwidth : picture.view.measured;
  for (const auto& peak : picture.view.peaks) {
    const double ridge = slope ? peak.value / slope->value : picture.view.intensity_low;
    const double left = picture.x(std::max(ridge, picture.view.intensity_low));
    const bool within =
        peak.value >= picture.view.flops_low && peak.value <= picture.view.flops_high && left < box.right;
    if (!within) continue;
    const double y = picture.y(peak.value);
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
    picture.canvas.text(place.left, place.middle_y(), words, style);
    picture.taken.push_back(place);
  }
}

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
    double free_from = picture.box.top;
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
        const bool within = place.left >= picture.box.left &&
                            place.right <= kRooflineWidthPx - kRooflineEdge / 2 &&
                            place.bottom <= picture.box.bottom;
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
    std::size_t to = from + 1;
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
      if (!picture.is_free(place) || place.bottom > picture.box.bottom || place.right > kRooflineWidthPx)
        continue;
      picture.canvas.text(x, y, words, style);
      picture.taken.push_back(place);
      break;
    }
  }
}

constexpr double kHead = 84;  // title, labels of the roofs
constexpr double kRow = 30;
constexpr double kFoot = 44;  // tics
constexpr double kNamesMax = 300;
constexpr double kValues = 340;  // the best one's name, value and share
constexpr std::size_t kRowsMax = 40;
constexpr double kReachMax = 3;  // how far beyond the fastest point a roof still extends the axis

const TextStyle kText{16, colour::kInk};

std::size_t row_count(const RooflineView& view) {
  return std::min(view.rows.size(), kRowsMax);
}

class Strip {
 public:
  Strip(const RooflineView& view, double top, Canvas& canvas)
      : view_(view), top_(top), canvas_(canvas), rows_(row_count(view)) {
    double names = 60;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (const auto& one : view.rows[i].points) high_ = std::max(high_, one.point.bytes_per_second);
      names = std::max(names, fitted_width_px(view.rows[i].name, kNamesMax, kText.size_px));
    }
    const double fastest = high_;
    for (const auto& roof : {view.bandwidth, view.measured})
      if (roof && roof->value < kReachMax * fastest) high_ = std::max(high_, roof->value);
    high_ *= 1.02;
    area_ = {kRooflineEdge + names + 14, top + kHead, right_ - kValues,
             top + kHead + kRow * static_cast<double>(rows_)};
  }

  void draw() {
    heading();
    for (std::size_t i = 0; i < rows_; ++i) row(i);
    roofs();
    const Scale scale = choose_scale(high_, "B/s");
    for (const auto& tic : make_tics(0, high_ / scale.factor, 6)) {
      const double at = x(tic.value * scale.factor);
      canvas_.line(at, area_.top, at, area_.bottom, {colour::kGrid, 1});
      canvas_.text(at, area_.bottom + 16, tic.label + (tic.value == 0 ? "" : " " + scale.unit), kNoteCenter);
    }
    points(false, false, "moving", point_size(1.1) + " lc " + rgb(colour::kPaleBlue));
    points(false, true, "moving_bounds", point_size(1.1) + " lc " + rgb(colour::kMidGrey));
    points(true, false, "moving_best", point_size(1.7) + " lc " + rgb(colour::kBlue));
    canvas_.plot_area(area_);
    canvas_.range('x', 0, high_);
    canvas_.row_range(rows_);
    canvas_.plot();
    canvas_.command("unset label");
    canvas_.command("unset arrow");
  }

 private:
  double x(double value) const { return area_.left + value / high_ * area_.width(); }
  double y(std::size_t row) const { return area_.top + kRow * (static_cast<double>(row) + 0.5); }

  void heading() {
    const std::string more = rows_ < view_.rows.size() ? ", the first " + std::to_string(rows_) + " of " +
                                                             std::to_string(view_.rows.size())
                                                       : "";
    canvas_.text(kRooflineEdge, top_ + 18, "Only moves data: no FLOP, so bandwidth is the roof" + more,
                 {19, colour::kInk, Align::kLeft, true});
    const double y = area_.top - 14;
    canvas_.text(area_.right + 16, y, "fastest", {16, colour::kGrey});
    if (view_.bandwidth || view_.measured)
      canvas_.text(right_, y, view_.bandwidth ? "of roof" : "of measured",
                   {16, colour::kGrey, Align::kRight});
  }

  void row(std::size_t index) {
    const BandwidthRow& row = view_.rows[index];
    TextStyle right = kText;
    right.align = Align::kRight;
    canvas_.text_within(area_.left - 12, y(index), row.name, kNamesMax, right);
    canvas_.line(area_.left, y(index), area_.right, y(index), {colour::kGrid, 1});
    const PlacedPoint& best = row.points[*row.best];
    canvas_.text_within(area_.right + 16, y(index), best.point.variant, 160, kText);
    canvas_.text(right_ - 66, y(index), rate_text(best.point.bytes_per_second, "B/s"), right);
    right.bold = true;
    if (best.share) canvas_.text(right_, y(index), share_text(*best.share), right);
  }

  void roofs() {
    std::vector<Box> taken;
    const auto draw = [&](const Roof& roof, const std::string& words, const LineStyle& line) {
      if (roof.value > high_) return;
      const double at = x(roof.value);
      const TextStyle style{15, colour::kVermilion, Align::kRight};
      const std::string shown = fit_text(words + rate_text(roof.value, "B/s"), at - kRooflineEdge - 10, 15);
      const Box low = text_box(at - 6, area_.top - 14, shown, style);
      const Box high = text_box(at - 6, area_.top - 34, shown, style);
      const Box place = first_free({low, high}, taken, {0, top_, area_.right, area_.top});
      taken.push_back({place.left, place.top, place.right + 8, place.bottom});
      canvas_.text(at - 6, place.middle_y(), shown, style);
      canvas_.line(at, place.top, at, area_.bottom, line);
    };
    if (view_.measured) draw(*view_.measured, "measured: " + view_.measured->label + " ", kMeasuredRoof);
    if (view_.bandwidth) draw(*view_.bandwidth, "bandwidth ", kStatedRoof);
  }

  // The best of each row, the bounds, or the others.
  void points(bool best, bool bounds, const std::string& block, const std::string& style) {
    std::string rows;
    for (std::size_t i = 0; i < rows_; ++i) {
      const BandwidthRow& row = view_.rows[i];
      for (std::size_t k = 0; k < row.points.size(); ++k) {
        const bool is_best = k == *row.best;
        const bool is_bound = row.points[k].point.is_bound && !is_best;
        if (is_best == best && is_bound == bounds)
          rows += plain_number(row.points[k].point.bytes_per_second, 7) + " " + std::to_string(i) + "\n";
      }
    }
    canvas_.part_of(block, rows, "using 1:2 with points pt 7 " + style);
  }

  const RooflineView& view_;
  double top_;
  Canvas& canvas_;
  double right_ = canvas_.width_px() - kRooflineEdge;
  std::size_t rows_;
  double high_ = 0;
  Box area_;
};

}  // namespace

std::vector<double> log_tics(double low, double high) {
  constexpr double kDecadesWithSteps = 3.2;
  constexpr int kTicsMax = 16;
  const double decades = std::log10(high / low);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / kTicsMax)));
  const std::vector<double> steps = decades <= 1                   ? std::vector<double>{1, 1.5, 2, 3, 5, 7}
                                    : decades <= kDecadesWithSteps ? std::vector<double>{1, 2, 5}
                                                                   : std::vector<double>{1};
  std::vector<double> tics;
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= std::log10(high); power += stride)
    for (const double step : steps)
      if (const double value = step * std::pow(10.0, power); value >= low && value <= high)
        tics.push_back(value);
  return tics;
}

std::vector<std::vector<const PlacedPoint*>> columns_to_name(const RooflineView& view) {
  std::map<std::pair<std::size_t, std::string>, const PlacedPoint*> farthest;
  for (const auto& one : view.points) {
    const PlacedPoint*& known = farthest[{one.group, one.point.variant}];
    if (known == nullptr || one.point.intensity() > known->point.intensity()) known = &one;
  }
  std::vector<std::vector<const PlacedPoint*>> columns;
  const PlacedPoint* previous = nullptr;
  for (auto one = view.points.rbegin(); one != view.points.rend(); ++one) {
    if (farthest[{one->group, one->point.variant}] != &*one) continue;
    if (previous == nullptr || !same_place(*previous, *one)) columns.emplace_back();
    columns.back().push_back(&*one);
    previous = &*one;
  }
  return columns;
}

void draw_roofs(RooflinePicture& picture) {
  if (picture.view.bandwidth) draw_slope(*picture.view.bandwidth, false, picture);
  if (picture.view.measured) draw_slope(*picture.view.measured, true, picture);
  draw_ceilings(picture);
}

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

double bandwidth_strip_height_px(const RooflineView& view) {
  return view.rows.empty() ? 0 : kHead + kRow * static_cast<double>(row_count(view)) + kFoot;
}

void draw_bandwidth_strip(const RooflineView& view, double top, Canvas& canvas) {
  if (!view.rows.empty()) Strip(view, top, canvas).draw();
}

}  // namespace tracker::plot
