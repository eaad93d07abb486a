#include <algorithm>
#include <array>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/roofline.hpp"
#include "tracker/plot/views.hpp"

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

// What is said of all points.
std::vector<std::string> facts_of(const Roofline& roofline) {
  std::vector<std::string> facts;
  if (!roofline.commit.empty()) facts.push_back(short_id(roofline.commit));
  if (const std::string clocks = clocks_note(roofline); !clocks.empty()) facts.push_back(clocks);
  return facts;
}

class RooflineChart {
 public:
  RooflineChart(const Roofline& roofline, const RooflineView& view)
      : roofline_(roofline),
        view_(view),
        plot_height_(view.points.empty() ? 0 : kLegend + kPlotHeight + kPlotFoot),
        canvas_(kRooflineWidthPx,
                static_cast<int>(kRooflineHeading + plot_height_ + bandwidth_strip_height_px(view))) {}

  Chart draw() {
    canvas_.begin({"unset border", "unset tics", "set multiplot"});
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
    draw_bandwidth_strip(view_, kRooflineHeading + plot_height_, canvas_);
    canvas_.command("unset multiplot");
    return canvas_.chart();
  }

 private:
  void heading() {
    const double room = kRooflineWidthPx - 2 * kRooflineEdge;
    canvas_.text(kRooflineEdge, 34, "Roofline", {26, colour::kInk, Align::kLeft, true});
    if (std::ranges::any_of(roofline_.points, &RooflinePoint::is_bound))
      canvas_.text(kRooflineWidthPx - kRooflineEdge, 34, "grey: the bound of others",
                   {16, colour::kGrey, Align::kRight});
    std::vector<std::string> parts = facts_of(roofline_);
    if (!view_.bandwidth && view_.peaks.empty()) parts.emplace_back("the device states no theoretical peak");
    const auto off =
        std::ranges::count_if(view_.points, [&](const auto& one) { return picture_.outside(one); });
    if (off > 0) parts.push_back(count_of(off, "benchmark") + " off the axes");
    const std::string tail = parts.empty() ? "" : "  ·  " + join(parts, "  ·  ");
    const std::string device = fit_text(roofline_.device, room - text_width_px(tail, 17), 17);
    canvas_.text_within(kRooflineEdge, 70, device + tail, room, {17, colour::kGrey});
  }

  void legend() {
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

  void axes() {
    const Box& box = picture_.box;
    for (const double value : log_tics(view_.intensity_low, view_.intensity_high)) {
      const double x = picture_.x(value);
      canvas_.line(x, box.top, x, box.bottom, {colour::kGrid, 1});
      canvas_.text(x, box.bottom + 16, plain_number(value, 4), kNoteCenter);
    }
    for (const double value : log_tics(view_.flops_low, view_.flops_high)) {
      const double y = picture_.y(value);
      canvas_.line(box.left, y, box.right, y, {colour::kGrid, 1});
      const Scale scale = choose_scale(value, "FLOP/s");
      canvas_.text_within(box.left - 10, y, plain_number(value / scale.factor, 4) + " " + scale.unit,
                          kPlotLeft - 14, kNoteRight);
    }
    canvas_.line(box.left, box.bottom, box.right, box.bottom, {colour::kMidGrey, 1});
    canvas_.text(box.right, box.bottom + 46,
                 "arithmetic intensity: FLOP per byte, as stated and not as moved",
                 {16, colour::kGrey, Align::kRight});
  }

  // Points as blocks of their own: what is drawn over the rest comes last.
  void plot() {
    struct Kind {
      const char* name;
      double size;
      bool is_bound;
      bool is_best;
    };
    static constexpr std::array<Kind, 3> kKinds{{{"bound", kMarkSize, true, false},
                                                 {"plain", kMarkSize, false, false},
                                                 {"best", kBestSize, false, true}}};
    for (const auto& kind : kKinds)
      for (std::size_t group = 0; group < view_.groups.size(); ++group) {
        std::string rows;
        for (const auto& one : view_.points)
          if (one.group == group && one.point.is_bound == kind.is_bound &&
              (kind.is_bound || one.best == kind.is_best) && !picture_.outside(one))
            rows += plain_number(one.point.intensity(), 7) + " " +
                    plain_number(one.point.flops_per_second, 7) + "\n";
        canvas_.part_of(kind.name + std::to_string(group), rows,
                        "using 1:2 with points pt " + std::to_string(mark_of(group)) + " " +
                            point_size(kind.size) + " lc " +
                            rgb(kind.is_bound ? colour::kMidGrey : colour_of(group)));
      }
    canvas_.plot_area(picture_.box);
    canvas_.command("set logscale xy");
    canvas_.range('x', view_.intensity_low, view_.intensity_high);
    canvas_.range('y', view_.flops_low, view_.flops_high);
    canvas_.plot();
    for (const char* line : {"unset logscale", "unset label", "unset arrow"}) canvas_.command(line);
  }

  const Roofline& roofline_;
  const RooflineView& view_;
  double plot_height_;
  Canvas canvas_;
  RooflinePicture picture_{view_, plot_box(view_), canvas_};
};

constexpr std::size_t kLimitMax = 24;
constexpr std::size_t kNameMin = 8;

std::vector<TextCell> line_of(const PlacedPoint& placed) {
  const RooflinePoint& point = placed.point;
  const bool moves_only = point.flops_per_second <= 0;
  return {
      {point.benchmark},
      {moves_only ? "–" : format_number(point.intensity())},
      {moves_only ? rate_text(point.bytes_per_second, "B/s") : rate_text(point.flops_per_second, "FLOP/s")},
      {placed.share ? share_text(*placed.share) : "–"},
      {placed.share ? placed.limit : ""}};
}

std::string roofs_text(const RooflineView& view, std::size_t columns) {
  std::vector<std::string> roofs;
  if (view.bandwidth) roofs.push_back("bandwidth " + rate_text(view.bandwidth->value, "B/s"));
  if (view.measured)
    roofs.push_back("measured " + rate_text(view.measured->value, "B/s") + ", " + view.measured->label);
  for (const auto& peak : view.peaks) roofs.push_back(peak.label + " " + rate_text(peak.value, "FLOP/s"));
  if (roofs.empty()) roofs.emplace_back("no roof is known: the device states no theoretical peak");
  std::string text;
  for (const auto& roof : roofs) text += shorten_middle(roof, columns) + "\n";
  return text;
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

std::string draw_roofline_text(const Roofline& roofline, int columns_asked) {
  const RooflineView view = view_roofline(roofline);
  if (view.points.empty() && view.rows.empty()) return "";
  const std::size_t columns = text_columns(columns_asked);
  std::vector<std::string> state = facts_of(roofline);
  state.insert(state.begin(), roofline.device);
  TextRows lines;
  for (const PlacedPoint* point : fastest_first(view)) lines.push_back(line_of(*point));
  std::vector<TextColumn> table{{.head = "benchmark"},
                                {.head = "FLOP/B", .right = true},
                                {.head = "rate", .right = true},
                                {.head = "of roof", .right = true},
                                {.head = "under", .width_max = kLimitMax}};
  const auto widths = table_widths(table, lines);
  std::size_t taken = widths[1] + widths[2] + widths[3] + 6;
  // The roof's name is left out where it would leave a benchmark's too little.
  if (taken + widths[4] + 2 + kTextColumnsMin / 2 <= columns)
    taken += widths[4] + 2;
  else
    table.pop_back();
  table[0].width_max = std::max(kNameMin, columns - std::min(columns, taken));
  return shorten_middle(join(state, " · "), columns) + "\n" + roofs_text(view, columns) + "\n" +
         join(table_lines(table, lines), "\n") + "\n";
}

}  // namespace tracker::plot
