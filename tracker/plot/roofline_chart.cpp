#include <algorithm>
#include <array>

#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/axis.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/roofline_parts.hpp"
#include "tracker/plot/roofline_view.hpp"

namespace tracker::plot {
namespace {

constexpr double kRooflineHeading = 96;
constexpr double kLegend = 36;
constexpr double kPlotLeft = 124;
constexpr double kPlotHeight = 520;
constexpr double kPlotFoot = 84;  // tics and the axis' title

// Colour and mark both tell groups apart, so that either alone is enough for some.
constexpr std::array<const char*, 4> kColours{colour::kBlue, colour::kGreen, colour::kPurple, colour::kInk};
constexpr std::array<int, 6> kMarks{7, 9, 5, 13, 11, 15};  // circle, triangle, square, diamond, …
constexpr double kMarkSize = 1.3;
constexpr double kBestSize = 1.9;

int mark_of(std::size_t group) {
  return kMarks[group % kMarks.size()];
}

// The names of the points farthest right stand beside the plot.
Box plot_box(const RooflineView& view) {
  const double top = kRooflineHeading + kLegend;
  return {kPlotLeft, top, kRooflineWidthPx - kRooflineEdge - names_width_px(view), top + kPlotHeight};
}

class RooflineChart {
 public:
  RooflineChart(const Roofline& roofline, const RooflineView& view)
      : roofline_(roofline),
        view_(view),
        plot_height_(view.points.empty() ? 0 : kLegend + kPlotHeight + kPlotFoot),
        canvas_(kRooflineWidthPx,
                static_cast<int>(kRooflineHeading + plot_height_ + bandwidth_strip_height_px(view))) {}
  Chart draw();

 private:
  void heading();
  void legend();
  void axes();
  void plot();

  const Roofline& roofline_;
  const RooflineView& view_;
  double plot_height_;
  Canvas canvas_;
  RooflineArea area_{view_, plot_box(view_)};
  RooflinePicture picture_{view_, area_, canvas_, {}};
  std::string data_;
};

void RooflineChart::heading() {
  const double room = kRooflineWidthPx - 2 * kRooflineEdge;
  canvas_.text(kRooflineEdge, 34, "Roofline", {26, colour::kInk, Align::kLeft, true});
  const auto& all = roofline_.points;
  if (std::any_of(all.begin(), all.end(), [](const auto& point) { return point.is_bound; }))
    canvas_.text(kRooflineWidthPx - kRooflineEdge, 34, "grey: the bound of others",
                 {16, colour::kGrey, Align::kRight});
  std::vector<std::string> parts;
  if (!roofline_.commit.empty()) parts.push_back(short_id(roofline_.commit));
  if (const std::string clocks = clocks_note(roofline_); !clocks.empty()) parts.push_back(clocks);
  if (!view_.bandwidth && view_.peaks.empty()) parts.push_back("the device states no theoretical peak");
  const auto off = std::count_if(view_.points.begin(), view_.points.end(),
                                 [&](const auto& one) { return picture_.outside(one); });
  if (off > 0) parts.push_back(count_of(static_cast<std::size_t>(off), "benchmark") + " off the axes");
  const std::string tail = parts.empty() ? "" : "  ·  " + join(parts, "  ·  ");
  const std::string device = fit_text(roofline_.device, room - text_width_px(tail, 17), 17);
  canvas_.text(kRooflineEdge, 70, fit_text(device + tail, room, 17), {17, colour::kGrey});
}

void RooflineChart::legend() {
  const TextStyle style{16, colour::kInk};
  double x = kPlotLeft;
  const double y = kRooflineHeading + 10;
  const double right = kRooflineWidthPx - kRooflineEdge;
  for (std::size_t group = 0; group < view_.groups.size(); ++group) {
    const std::string name = fit_text(view_.groups[group], 300, style.size_px);
    const double width = text_width_px(name, style.size_px) + 44;
    if (x + width > right - 100) {
      canvas_.text(x, y, and_more(view_.groups.size() - group).substr(1), style);
      break;
    }
    canvas_.mark(x + 6, y, {mark_of(group), kMarkSize, colour_of(group)});
    canvas_.text(x + 18, y, name, style);
    x += width;
  }
}

void RooflineChart::axes() {
  const Box& box = area_.box();
  const TextStyle tic{15, colour::kGrey, Align::kCenter};
  for (const double value : log_tics(view_.intensity_low, view_.intensity_high)) {
    const double x = area_.x(value);
    canvas_.line(x, box.top, x, box.bottom, {colour::kGrid, 1});
    canvas_.text(x, box.bottom + 16, plain_number(value, 4), tic);
  }
  for (const double value : log_tics(view_.flops_low, view_.flops_high)) {
    const double y = area_.y(value);
    canvas_.line(box.left, y, box.right, y, {colour::kGrid, 1});
    const Scale scale = choose_scale(value, "FLOP/s");
    const std::string words = plain_number(value / scale.factor, 4) + " " + scale.unit;
    canvas_.text(box.left - 10, y, fit_text(words, kPlotLeft - 14, 15), {15, colour::kGrey, Align::kRight});
  }
  canvas_.line(box.left, box.bottom, box.right, box.bottom, {colour::kMidGrey, 1});
  canvas_.text(box.right, box.bottom + 46, "arithmetic intensity: FLOP per byte, as stated and not as moved",
               {16, colour::kGrey, Align::kRight});
}

// Points as blocks of their own: what is drawn over the rest comes last.
void RooflineChart::plot() {
  struct Kind {
    const char* name;
    double size;
    bool (*holds)(const PlacedPoint&);
  };
  static constexpr std::array<Kind, 3> kKinds{
      {{"bound", kMarkSize, [](const PlacedPoint& one) { return one.point.is_bound; }},
       {"plain", kMarkSize, [](const PlacedPoint& one) { return !one.point.is_bound && !one.best; }},
       {"best", kBestSize, [](const PlacedPoint& one) { return !one.point.is_bound && one.best; }}}};
  std::string plots;
  for (const auto& kind : kKinds)
    for (std::size_t group = 0; group < view_.groups.size(); ++group) {
      std::string rows;
      for (const auto& one : view_.points)
        if (one.group == group && kind.holds(one) && !picture_.outside(one))
          rows += plain_number(one.point.intensity(), 7) + " " + plain_number(one.point.flops_per_second, 7) +
                  "\n";
      if (rows.empty()) continue;
      const std::string block = std::string("$") + kind.name + std::to_string(group);
      data_ += block + " << EOD\n" + rows + "EOD\n";
      const bool bound = kind.name == kKinds[0].name;
      plots += (plots.empty() ? "plot " : ", \\\n     ") + block + " using 1:2 with points pt " +
               std::to_string(mark_of(group)) + " " + point_size(kind.size) + " lc " +
               rgb(bound ? colour::kMidGrey : colour_of(group));
    }
  canvas_.plot_area(area_.box());
  canvas_.command("set logscale xy");
  canvas_.command("set xrange [" + plain_number(view_.intensity_low) + ":" +
                  plain_number(view_.intensity_high) + "]");
  canvas_.command("set yrange [" + plain_number(view_.flops_low) + ":" + plain_number(view_.flops_high) +
                  "]");
  canvas_.command(plots);
  canvas_.command("unset logscale");
  canvas_.command("unset label");
  canvas_.command("unset arrow");
}

Chart RooflineChart::draw() {
  for (const char* line : {"reset", "unset key", "unset border", "unset tics", "set multiplot"})
    canvas_.command(line);
  heading();
  if (!view_.points.empty()) {
    legend();
    axes();
    for (const auto& one : view_.points)
      if (!picture_.outside(one)) {
        const double x = picture_.x(one);
        const double y = picture_.y(one);
        picture_.taken.push_back({x - 8, y - 8, x + 8, y + 8});
      }
    draw_roofs(picture_);
    draw_names(picture_);
    plot();
  }
  data_ += draw_bandwidth_strip(view_, kRooflineHeading + plot_height_, canvas_);
  canvas_.command("unset multiplot");
  return {{}, canvas_.width_px(), canvas_.height_px(), data_, canvas_.commands()};
}

}  // namespace

const char* colour_of(std::size_t group) {
  return kColours[group % kColours.size()];
}

std::optional<Chart> roofline_chart(const Roofline& roofline) {
  const RooflineView view = view_roofline(roofline);
  if (view.points.empty() && view.rows.empty()) return std::nullopt;
  return RooflineChart(roofline, view).draw();
}

namespace {

constexpr int kRooflineColumnsMin = 40;
constexpr int kLimitMax = 24;
constexpr int kNameMin = 8;

struct Line {
  std::string benchmark;
  std::string intensity;
  std::string rate;
  std::string share;
  std::string limit;
};

std::string pad(const std::string& text, int columns, bool left) {
  const std::string blanks(
      static_cast<std::size_t>(std::max(columns - static_cast<int>(display_width(text)), 0)), ' ');
  return left ? blanks + text : text + blanks;
}

Line line_of(const PlacedPoint& placed) {
  const RooflinePoint& point = placed.point;
  const bool moves_only = point.flops_per_second <= 0;
  return {point.benchmark, moves_only ? "–" : format_number(point.intensity()),
          moves_only ? rate_text(point.bytes_per_second, "B/s") : rate_text(point.flops_per_second, "FLOP/s"),
          placed.share ? share_text(*placed.share) : "–",
          placed.share ? fit_columns(placed.limit, kLimitMax) : ""};
}

// The fastest of a group and shape first.
std::vector<Line> lines_of(const RooflineView& view) {
  std::vector<Line> lines;
  for (auto at = view.points.begin(); at != view.points.end();) {
    const auto end =
        std::find_if_not(at, view.points.end(), [&](const auto& one) { return same_place(one, *at); });
    for (auto one = end; one != at;) lines.push_back(line_of(*--one));
    at = end;
  }
  for (const auto& row : view.rows)
    for (auto one = row.points.rbegin(); one != row.points.rend(); ++one) lines.push_back(line_of(*one));
  return lines;
}

std::string roofs_text(const RooflineView& view, int columns) {
  std::vector<std::string> roofs;
  if (view.bandwidth) roofs.push_back("bandwidth " + rate_text(view.bandwidth->value, "B/s"));
  if (view.measured)
    roofs.push_back("measured " + rate_text(view.measured->value, "B/s") + ", " + view.measured->label);
  for (const auto& peak : view.peaks) roofs.push_back(peak.label + " " + rate_text(peak.value, "FLOP/s"));
  if (roofs.empty()) roofs.push_back("no roof is known: the device states no theoretical peak");
  std::string text;
  for (const auto& roof : roofs) text += fit_columns(roof, columns) + "\n";
  return text;
}

}  // namespace

std::string draw_roofline_text(const Roofline& roofline, int columns) {
  columns = std::max(columns, kRooflineColumnsMin);
  const RooflineView view = view_roofline(roofline);
  if (view.points.empty() && view.rows.empty()) return "";
  std::string state = roofline.device;
  if (!roofline.commit.empty()) state += " · " + short_id(roofline.commit);
  if (const std::string clocks = clocks_note(roofline); !clocks.empty()) state += " · " + clocks;
  std::string text = fit_columns(state, columns) + "\n" + roofs_text(view, columns) + "\n";

  std::vector<Line> lines = lines_of(view);
  lines.insert(lines.begin(), {"benchmark", "FLOP/B", "rate", "of roof", "under"});
  const auto width = [&](std::string Line::*cell) {
    int most = 0;
    for (const auto& line : lines)
      most = std::max(most, static_cast<int>(display_width(printable(line.*cell))));
    return most;
  };
  const int numbers = width(&Line::intensity) + width(&Line::rate) + width(&Line::share) + 6;
  const int limit = width(&Line::limit) + 2;
  // The roof's name is left out where it would leave a benchmark's too little.
  const bool with_limit = columns - numbers - limit >= kRooflineColumnsMin / 2;
  const int names =
      std::clamp(columns - numbers - (with_limit ? limit : 0), kNameMin, width(&Line::benchmark));
  for (const auto& line : lines) {
    std::string shown = pad(fit_columns(line.benchmark, names), names, false) +
                        pad(line.intensity, width(&Line::intensity) + 2, true) +
                        pad(line.rate, width(&Line::rate) + 2, true) +
                        pad(line.share, width(&Line::share) + 2, true);
    if (with_limit) shown += "  " + line.limit;
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + "\n";
  }
  return text;
}

}  // namespace tracker::plot
