#include "tracker/plot/bandwidth_strip.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/plot/axis.hpp"
#include "tracker/plot/font.hpp"

namespace tracker {
namespace {

constexpr double kEdge = 24;
constexpr double kHead = 84;  // title, labels of the roofs
constexpr double kRow = 30;
constexpr double kFoot = 44;  // tics
constexpr double kNamesMax = 300;
constexpr double kValues = 340;  // the best one's name, value and share
constexpr std::size_t kRowsMax = 40;
constexpr double kReachMax = 3;  // how far beyond the fastest point a roof still extends the axis

const TextStyle kText{16, colour::kInk};
const TextStyle kHeadText{16, colour::kGrey};

class Strip {
 public:
  Strip(const RooflineView& view, double top, Canvas& canvas);
  std::string draw();

 private:
  void heading();
  void row(std::size_t index);
  void roofs();
  std::string points(bool best, bool bounds, const std::string& block, const std::string& style);
  double x(double value) const { return area_.left + value / high_ * area_.width(); }
  double y(std::size_t row) const { return area_.top + kRow * (static_cast<double>(row) + 0.5); }

  const RooflineView& view_;
  double top_;
  Canvas& canvas_;
  std::size_t rows_;
  double high_ = 0;
  Box area_;
  std::string plots_;
};

std::size_t row_count(const RooflineView& view) {
  return std::min(view.rows.size(), kRowsMax);
}

Strip::Strip(const RooflineView& view, double top, Canvas& canvas)
    : view_(view), top_(top), canvas_(canvas), rows_(row_count(view)) {
  double names = 60;
  for (std::size_t i = 0; i < rows_; ++i) {
    for (const auto& one : view.rows[i].points) high_ = std::max(high_, one.point.bytes_per_second);
    names =
        std::max(names, text_width_px(fit_text(view.rows[i].name, kNamesMax, kText.size_px), kText.size_px));
  }
  const double fastest = high_;
  for (const auto& roof : {view.bandwidth, view.measured})
    if (roof && roof->value < kReachMax * fastest) high_ = std::max(high_, roof->value);
  high_ *= 1.02;
  area_ = {kEdge + names + 14, top + kHead, canvas.width_px() - kEdge - kValues,
           top + kHead + kRow * static_cast<double>(rows_)};
}

void Strip::heading() {
  const bool cut = rows_ < view_.rows.size();
  const std::string more =
      cut ? ", the first " + std::to_string(rows_) + " of " + std::to_string(view_.rows.size()) : "";
  canvas_.text(kEdge, top_ + 18, "Only moves data: no FLOP, so bandwidth is the roof" + more,
               {19, colour::kInk, Align::kLeft, true});
  const double y = area_.top - 14;
  canvas_.text(area_.right + 16, y, "fastest", kHeadText);
  TextStyle right = kHeadText;
  right.align = Align::kRight;
  if (view_.bandwidth || view_.measured)
    canvas_.text(canvas_.width_px() - kEdge, y, view_.bandwidth ? "of roof" : "of measured", right);
}

void Strip::row(std::size_t index) {
  const BandwidthRow& row = view_.rows[index];
  TextStyle name = kText;
  name.align = Align::kRight;
  canvas_.text(area_.left - 12, y(index), fit_text(row.name, kNamesMax, name.size_px), name);
  canvas_.line(area_.left, y(index), area_.right, y(index), {colour::kGrid, 1});
  const PlacedPoint& best = row.points[*row.best];
  canvas_.text(area_.right + 16, y(index), fit_text(best.point.variant, 160, 16), kText);
  TextStyle number = kText;
  number.align = Align::kRight;
  canvas_.text(canvas_.width_px() - kEdge - 66, y(index), rate_text(best.point.bytes_per_second, "B/s"),
               number);
  number.bold = true;
  if (best.share) canvas_.text(canvas_.width_px() - kEdge, y(index), share_text(*best.share), number);
}

void Strip::roofs() {
  std::vector<Box> taken;
  const auto draw = [&](const std::optional<Roof>& roof, const std::string& words, const LineStyle& line) {
    if (!roof || roof->value > high_) return;
    const double at = x(roof->value);
    const TextStyle style{15, colour::kVermilion, Align::kRight};
    const std::string shown = fit_text(words, at - kEdge - 10, style.size_px);
    const Box low = text_box(at - 6, area_.top - 14, shown, style);
    const Box high = text_box(at - 6, area_.top - 34, shown, style);
    const Box place = first_free({low, high}, taken, {0, top_, area_.right, area_.top});
    taken.push_back({place.left, place.top, place.right + 8, place.bottom});
    canvas_.text(at - 6, (place.top + place.bottom) / 2, shown, style);
    canvas_.line(at, place.top, at, area_.bottom, line);
  };
  if (view_.measured)
    draw(view_.measured, "measured: " + view_.measured->label + " " + rate_text(view_.measured->value, "B/s"),
         kMeasuredRoof);
  if (view_.bandwidth)
    draw(view_.bandwidth, "bandwidth " + rate_text(view_.bandwidth->value, "B/s"), kStatedRoof);
}

// The definition of one block of points, which is plotted where it is not empty.
std::string Strip::points(bool best, bool bounds, const std::string& block, const std::string& style) {
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
  if (rows.empty()) return "";
  plots_ += (plots_.empty() ? "plot " : ", \\\n     ") + block + " using 1:2 with points " + style;
  return block + " << EOD\n" + rows + "EOD\n";
}

std::string Strip::draw() {
  heading();
  for (std::size_t i = 0; i < rows_; ++i) row(i);
  roofs();
  const Scale scale = choose_scale(high_, "B/s");
  for (const auto& tic : make_tics(0, high_ / scale.factor, 6)) {
    const double at = x(tic.value * scale.factor);
    canvas_.line(at, area_.top, at, area_.bottom, {colour::kGrid, 1});
    canvas_.text(at, area_.bottom + 16, tic.label + (tic.value == 0 ? "" : " " + scale.unit),
                 {15, colour::kGrey, Align::kCenter});
  }
  std::string data =
      points(false, false, "$moving", "pt 7 " + point_size(1.1) + " lc " + rgb(colour::kPaleBlue));
  data += points(false, true, "$moving_bounds", "pt 7 " + point_size(1.1) + " lc " + rgb(colour::kMidGrey));
  data += points(true, false, "$moving_best", "pt 7 " + point_size(1.7) + " lc " + rgb(colour::kBlue));
  canvas_.plot_area(area_);
  canvas_.command("set xrange [0:" + plain_number(high_) + "]");
  canvas_.command("set yrange [" + plain_number(static_cast<double>(rows_) - 0.5) + ":-0.5]");
  canvas_.command(plots_);
  canvas_.command("unset label");
  canvas_.command("unset arrow");
  return data;
}

}  // namespace

double bandwidth_strip_height_px(const RooflineView& view) {
  return view.rows.empty() ? 0 : kHead + kRow * static_cast<double>(row_count(view)) + kFoot;
}

std::string draw_bandwidth_strip(const RooflineView& view, double top, Canvas& canvas) {
  return view.rows.empty() ? "" : Strip(view, top, canvas).draw();
}

}  // namespace tracker
