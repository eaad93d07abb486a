#include <array>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/roofline.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

constexpr double kAxisMargin = 1.6;    // beyond the outermost point or roof, as a factor
constexpr double kRightMargin = 1.08;  // names stand there
constexpr double kSlopeShown =
    3;  // of the intensities below a ridge, as a factor: room for the names of roofs
// A ridge farther left of the points, as a factor, would leave half a picture empty.
constexpr double kRidgeReach = 8;
constexpr double kDecade = 10;
constexpr double kRooflineReachMax = 1e6;  // what is farther than this from the rest lies outside the axes
constexpr const char* kDevicePeak = "FP32 peak";

bool is_rate(double value) {
  return drawable(value) && value > 1e-30;
}

std::size_t group_index(RooflineView& view, const std::string& group) {
  const auto found = std::ranges::find(view.groups, group);
  if (found != view.groups.end()) return static_cast<std::size_t>(found - view.groups.begin());
  view.groups.push_back(group);
  return view.groups.size() - 1;
}

// One roof a value: the device's own, and those that benchmarks state, named by the groups that have them.
void add_peak(RooflineView& view, const Roofline& roofline, const RooflinePoint& point) {
  if (!point.peak_flops || !is_rate(*point.peak_flops)) return;
  const bool own = roofline.peak_flops && *roofline.peak_flops == *point.peak_flops;
  const std::string label = own ? kDevicePeak : "peak of " + point.group;
  for (auto& peak : view.peaks) {
    if (peak.value != *point.peak_flops) continue;
    const bool named = own || (", " + peak.label + ",").find(" " + point.group + ",") != std::string::npos;
    if (!named) peak.label += ", " + point.group;
    return;
  }
  view.peaks.push_back({label, *point.peak_flops});
}

const Roof* peak_of(const RooflineView& view, const RooflinePoint& point) {
  for (const auto& peak : view.peaks)
    if (point.peak_flops && peak.value == *point.peak_flops) return &peak;
  return nullptr;
}

// What it is under: the slope or the ceiling, whichever is lower at its intensity. The measured bandwidth
// takes the place of a theoretical one that is not known.
void place_under_roof(const RooflineView& view, PlacedPoint& placed) {
  const auto& slope = view.bandwidth ? view.bandwidth : view.measured;
  const RooflinePoint& point = placed.point;
  double limit = 0;
  const auto lower = [&](double value, const std::string& label) {
    if (limit > 0 && limit <= value) return;
    limit = value;
    placed.limit = label;
  };
  const bool moves_only = point.flops_per_second <= 0;
  if (slope) lower(slope->value * (moves_only ? 1 : point.intensity()), slope->label);
  if (const Roof* peak = moves_only ? nullptr : peak_of(view, point)) lower(peak->value, peak->label);
  if (limit > 0) placed.share = (moves_only ? point.bytes_per_second : point.flops_per_second) / limit;
}

// Those of one group and shape side by side, in the order they first appear, the slowest first.
void sort_points(std::vector<PlacedPoint>& points) {
  std::vector<PlacedPoint> sorted;
  for (const auto& point : points) {
    if (std::ranges::any_of(sorted, [&](const auto& one) { return same_place(one, point); })) continue;
    const auto first = static_cast<std::ptrdiff_t>(sorted.size());
    std::ranges::copy_if(points, std::back_inserter(sorted),
                         [&](const auto& one) { return same_place(one, point); });
    std::stable_sort(sorted.begin() + first, sorted.end(), [](const auto& a, const auto& b) {
      return std::pair(a.point.flops_per_second, a.point.bytes_per_second) <
             std::pair(b.point.flops_per_second, b.point.bytes_per_second);
    });
  }
  points = std::move(sorted);
}

// Behind the points that stand with the first one.
template <typename Iterator>
Iterator end_of_place(Iterator first, Iterator last) {
  return std::find_if_not(first, last, [&](const auto& one) { return same_place(one, *first); });
}

void mark_best(std::vector<PlacedPoint>& points) {
  for (auto at = points.begin(); at != points.end();) {
    const auto end = end_of_place(at, points.end());
    auto best = end - 1;
    for (auto one = at; one != end; ++one)
      if (!one->point.is_bound) best = one;
    best->best = true;
    at = end;
  }
}

// Rows of what only moves data: the points of one group and shape.
void make_rows(RooflineView& view, std::vector<PlacedPoint> points) {
  sort_points(points);
  mark_best(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == 0 || !same_place(points[i], points[i - 1])) {
      const RooflinePoint& point = points[i].point;
      const std::string shape = point.shape.empty() ? "" : " " + short_shape(point.shape);
      view.rows.push_back({point.group + shape, {}, {}});
    }
    BandwidthRow& row = view.rows.back();
    if (points[i].best) row.best = row.points.size();
    row.points.push_back(points[i]);
  }
}

// To a decade at least, so that an axis has tics to read it by.
void widen(Interval& range) {
  const double missing = kDecade / (range.high / range.low);
  if (missing <= 1) return;
  range.low /= std::sqrt(missing);
  range.high *= std::sqrt(missing);
}

// Where slopes meet ceilings: those near the points, or where all are far to their left, the nearest.
std::vector<double> ridges_to_show(const RooflineView& view, const Interval& points) {
  std::vector<double> ridges;
  double nearest = 0;
  for (const auto& peak : view.peaks)
    for (const auto& slope : {view.bandwidth, view.measured}) {
      if (!slope) continue;
      const double ridge = peak.value / slope->value;
      if (ridge > points.high * kRooflineReachMax) continue;
      nearest = std::max(nearest, ridge);
      if (ridge * kRidgeReach >= points.low) ridges.push_back(ridge);
    }
  if (ridges.empty() && nearest * kRooflineReachMax >= points.low) ridges.push_back(nearest);
  return ridges;
}

// Holds all points but those that are off by so much that they would squash the others, and the ridges: where
// a slope meets a ceiling is what a roofline is read by.
void choose_axes(RooflineView& view) {
  if (view.points.empty()) return;
  Interval intensity{0, 0};
  Interval flops{0, 0};
  for (const auto& [point, group, share, limit, best] : view.points) {
    intensity.high = std::max(intensity.high, point.intensity());
    flops.high = std::max(flops.high, point.flops_per_second);
  }
  intensity.low = intensity.high;
  flops.low = flops.high;
  for (const auto& one : view.points) {
    const double x = one.point.intensity();
    const double y = one.point.flops_per_second;
    if (x * kRooflineReachMax > intensity.high) intensity.low = std::min(intensity.low, x);
    if (y * kRooflineReachMax > flops.high) flops.low = std::min(flops.low, y);
  }
  const Interval points = intensity;
  for (const auto& peak : view.peaks)
    if (peak.value < flops.high * kRooflineReachMax) flops.high = std::max(flops.high, peak.value);
  for (const double ridge : ridges_to_show(view, points)) {
    intensity.low = std::min(intensity.low, ridge / kSlopeShown);
    intensity.high = std::max(intensity.high, ridge);
  }
  widen(intensity);
  widen(flops);
  view.intensity_low = intensity.low / kAxisMargin;
  view.intensity_high = intensity.high * kRightMargin;
  view.flops_low = flops.low / kAxisMargin;
  view.flops_high = flops.high * kAxisMargin;
}

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

bool same_place(const PlacedPoint& a, const PlacedPoint& b) {
  return a.group == b.group && a.point.shape == b.point.shape;
}

std::vector<const PlacedPoint*> fastest_first(const RooflineView& view) {
  std::vector<const PlacedPoint*> all;
  for (auto at = view.points.begin(); at != view.points.end();) {
    const auto end = end_of_place(at, view.points.end());
    for (auto one = end; one != at;) all.push_back(&*--one);
    at = end;
  }
  for (const auto& row : view.rows)
    for (auto one = row.points.rbegin(); one != row.points.rend(); ++one) all.push_back(&*one);
  return all;
}

RooflineView view_roofline(const Roofline& roofline) {
  RooflineView view;
  if (roofline.peak_bytes_per_second && is_rate(*roofline.peak_bytes_per_second))
    view.bandwidth = {"bandwidth", *roofline.peak_bytes_per_second};
  if (roofline.measured && is_rate(roofline.measured->value))
    view.measured = {roofline.measured->label, roofline.measured->value};
  std::vector<PlacedPoint> moving;
  RooflineView of_moving;  // for its groups alone
  for (const auto& point : roofline.points) {
    if (!is_rate(point.bytes_per_second)) continue;
    if (point.flops_per_second == 0) {
      moving.push_back({point, group_index(of_moving, point.group), {}, {}, false});
    } else if (is_rate(point.flops_per_second) && is_rate(point.intensity())) {
      view.points.push_back({point, group_index(view, point.group), {}, {}, false});
      add_peak(view, roofline, point);
    }
  }
  std::ranges::sort(view.peaks, {}, &Roof::value);
  for (auto* points : {&view.points, &moving})
    for (auto& point : *points) place_under_roof(view, point);
  sort_points(view.points);
  mark_best(view.points);
  make_rows(view, std::move(moving));
  choose_axes(view);
  return view;
}

std::string short_shape(const std::string& shape) {
  const auto sides = split(shape, 'x');
  const bool equal = std::ranges::all_of(sides, [&](const auto& side) { return side == sides[0]; });
  const bool number = !sides[0].empty() && sides[0].find_first_not_of("0123456789") == std::string::npos;
  if (!equal || !number || sides.size() < 2 || sides.size() > 3) return shape;
  return sides[0] + (sides.size() == 2 ? "²" : "³");
}

std::string clocks_note(const Roofline& roofline) {
  std::vector<std::string> clocks;
  const auto add = [&](const std::optional<double>& peak, const std::optional<double>& mhz,
                       const char* what) {
    if (peak && mhz && drawable(*mhz))
      clocks.push_back(std::to_string(std::lround(std::clamp(*mhz, 0.0, 1e6))) + " MHz (" + what + ")");
  };
  add(roofline.peak_flops, roofline.core_clock_mhz, "cores");
  add(roofline.peak_bytes_per_second, roofline.memory_clock_mhz, "memory");
  return clocks.empty() ? "" : "theoretical peaks at " + join(clocks, " and ");
}

std::string rate_text(double value, const char* unit) {
  const Scale scale = choose_scale(value, unit);
  return format_number(value / scale.factor) + unit_after(scale);
}

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
