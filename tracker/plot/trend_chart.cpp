#include <algorithm>
#include <cmath>
#include <map>

#include "tracker/base/text.hpp"
#include "tracker/plot/charts.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/side_name.hpp"
#include "tracker/plot/trend_blocks.hpp"
#include "tracker/plot/trend_panel.hpp"

namespace tracker {
namespace {

using namespace trend;

constexpr int kTrendWidthPx = 1200;
constexpr double kTrendEdge = 24;
constexpr double kLeft = 92;
constexpr double kRight = 1116;
constexpr double kTrendHeading = 120;   // name, device and metric, legend
constexpr double kPlotAlone = 360;      // the axes of the only panel
constexpr double kPlotOfFew = 220;      // of one that has a point or two
constexpr double kPlotOfSeveral = 210;  // of each of two or three
constexpr double kPlotOfMany = 150;
constexpr double kTrendPanelHead = 40;  // its device, where there are several
constexpr double kTrendPanelGap = 18;
constexpr double kTrendFoot = 76;  // commits and dates
constexpr double kCommitPx = 98;
constexpr std::size_t kTrendPanelsMax = 6;

struct Panel {
  const Series* series = nullptr;
  TrendView view;
};

class TrendChart {
 public:
  explicit TrendChart(std::vector<Panel> panels, std::size_t left_out);
  Chart draw();

 private:
  bool alone() const { return panels_.size() == 1; }
  double plot_height() const {
    if (alone()) return panels_[0].view.points.size() > 2 ? kPlotAlone : kPlotOfFew;
    return panels_.size() <= 3 ? kPlotOfSeveral : kPlotOfMany;
  }
  std::size_t points_max() const;
  double panel_height(const Panel& panel) const;
  int height() const;
  void heading();
  double latest(const Panel& panel, double y, double size);
  void legend();
  void panel(std::size_t index);
  void commits(double bottom);

  std::vector<Panel> panels_;
  std::size_t left_out_;
  Canvas canvas_;
  double top_ = kTrendHeading;  // of the next panel
  std::string data_;
};

// All panels have the same commits from left to right.
std::vector<Panel> on_one_line(std::vector<Panel> panels) {
  double first = panels[0].view.first;
  double last = panels[0].view.last;
  for (const auto& panel : panels) {
    first = std::min(first, panel.view.first);
    last = std::max(last, panel.view.last);
  }
  for (auto& panel : panels) {
    panel.view.first = first;
    panel.view.last = last;
  }
  return panels;
}

std::size_t TrendChart::points_max() const {
  std::size_t most = 0;
  for (const auto& panel : panels_) most = std::max(most, panel.view.points.size());
  return most;
}

double TrendChart::panel_height(const Panel& panel) const {
  return plot_height() + TrendPanel::strips_px(panel.view) + (alone() ? 0 : kTrendPanelHead + kTrendPanelGap);
}

int TrendChart::height() const {
  double height = kTrendHeading + kTrendFoot - (alone() ? 0 : kTrendPanelGap);
  for (const auto& panel : panels_) height += panel_height(panel);
  return static_cast<int>(std::ceil(height));
}

TrendChart::TrendChart(std::vector<Panel> panels, std::size_t left_out)
    : panels_(on_one_line(std::move(panels))), left_out_(left_out), canvas_(kTrendWidthPx, height()) {
  for (auto& panel : panels_) TrendPanel::make_room(panel.view, plot_height());
}

std::string with_unit(double value, const Scale& scale) {
  return format_number(value) + (scale.unit.empty() ? "" : " " + scale.unit);
}

// The newest value and where it is, right-aligned; answers what is left of the line.
double TrendChart::latest(const Panel& panel, double y, double size) {
  const TrendView& view = panel.view;
  const SeriesPoint& point = view.points.back();
  const double right = kTrendWidthPx - kTrendEdge;
  const std::string value = with_unit(point.median, view.scale);
  canvas_.text(right, y, value, {size, colour::kInk, Align::kRight, true});
  std::string note = "at " + point.commit.substr(0, kShortId);
  if (view.base && *view.base + 1 != view.points.size()) {
    const double base = view.points[*view.base].median;
    if (base != 0) note += ", " + format_percent(point.median / base - 1) + " from base";
  }
  const double value_left = right - text_width_px(value, size, true) - 12;
  canvas_.text(value_left, y + 1, note, {kTextPx, colour::kGrey, Align::kRight});
  return value_left - text_width_px(note, kTextPx) - 30;
}

void TrendChart::heading() {
  const Series& series = *panels_[0].series;
  const double room = (alone() ? latest(panels_[0], 36, 24) : kTrendWidthPx - kTrendEdge) - kTrendEdge;
  canvas_.text(kTrendEdge, 36, fit_text(series.benchmark, room, 24, true),
               {24, colour::kInk, Align::kLeft, true});
  const std::string metric =
      fit_text(metric_title(series.metric) + ", " + better_text(series.metric), 400, 17);
  std::string device = alone() ? series.device : std::to_string(panels_.size()) + " devices";
  if (left_out_ > 0) device += " (" + std::to_string(left_out_) + " more do not fit)";
  const double device_room = kTrendWidthPx - 2 * kTrendEdge - text_width_px("  ·  " + metric, 17);
  canvas_.text(kTrendEdge, 68, fit_text(device, device_room, 17) + "  ·  " + metric, {17, colour::kGrey});
}

// What the marks of this chart mean; those that it has, and no others.
void TrendChart::legend() {
  double x = kTrendEdge;
  const double y = 100;
  const auto words = [&](const std::string& text) {
    canvas_.text(x, y, text, {kSmallPx, colour::kGrey});
    x += text_width_px(text, kSmallPx) + 26;
  };
  const auto any = [&](const auto& test) { return std::any_of(panels_.begin(), panels_.end(), test); };
  const auto any_point = [&](const auto& test) {
    return any([&](const Panel& p) { return std::any_of(p.view.points.begin(), p.view.points.end(), test); });
  };
  const auto any_step = [&](const auto& test) {
    return any([&](const Panel& p) { return std::any_of(p.view.steps.begin(), p.view.steps.end(), test); });
  };
  const std::size_t most = points_max();
  const bool intervals = any_point([](const auto& point) { return point.spread.low < point.spread.high; });
  if (most > kMarkersMax) {
    if (intervals) canvas_.rectangle({x, y - 8, x + 26, y + 8}, colour::kHazeBlue);
    canvas_.line(x, y, x + 26, y, {colour::kBlue, 2});
    x += 34;
    const std::size_t runs = (most + kPointsMax - 1) / kPointsMax;
    words(most > kPointsMax ? "median and range of every " + std::to_string(runs) + " commits"
          : intervals       ? "median and its interval"
                            : "median");
    if (any_step([](const auto&) { return true; })) {
      canvas_.line(x, y, x + 26, y, {colour::kInk, 2});
      x += 34;
      words("level");
    }
  } else {
    canvas_.text(x, y, "●", {kSmallPx, colour::kBlue});
    x += 16;
    words(intervals ? "median and its interval" : "median");
  }
  if (most <= kMarkersMax && any_point([](const auto& point) { return point.disturbed; })) {
    canvas_.text(x, y, "○", {kSmallPx, colour::kBlue, Align::kLeft, true});
    x += 16;
    words("disturbed: dirty, throttled or shared");
  }
  if (any([](const Panel& p) { return has_gap(p.view.points); })) {
    canvas_.line(x, y, x + 28, y, {colour::kBlue, 1.5, "(5,5)"});
    x += 36;
    words("no runs");
  }
  const auto triangle = [&](bool worse, bool filled, const std::string& text) {
    canvas_.triangle(x + 7, y, 13, !worse, filled, worse ? colour::kVermilion : colour::kGreen);
    x += 21;
    words(text);
  };
  const auto of_code = [&](bool worse) {
    return any_step([&](const auto& step) { return !step.other_conditions && step.worse == worse; });
  };
  if (of_code(true)) triangle(true, true, "regressed");
  if (of_code(false)) triangle(false, true, "improved");
  if (any_step([](const auto& step) { return !step.other_conditions && !step.settled; }))
    words("hollow: new, not settled");
  if (any_step([](const auto& step) { return step.other_conditions; }))
    words("hollow, grey: measured under other conditions");
  if (any([](const Panel& p) { return !p.view.drifts.empty(); })) {
    canvas_.line(x, y, x + 28, y, {colour::kInk, 2, "(8,4)"});
    x += 36;
    words("drift: no single commit");
  }
  if (alone() && panels_[0].view.spikes > 0) {
    const std::string note =
        fit_text(spike_note(panels_[0].view), kTrendWidthPx - kTrendEdge - x - 20, kSmallPx);
    canvas_.text(kTrendWidthPx - kTrendEdge, y, note, {kSmallPx, colour::kBlue, Align::kRight});
  }
}

void TrendChart::panel(std::size_t index) {
  const Panel& panel = panels_[index];
  Box area{kLeft, 0, kRight, top_ + panel_height(panel)};
  if (!alone()) {
    area.bottom -= kTrendPanelGap;
    std::string device = panel.series->device;
    const double y = top_ + kTrendPanelHead / 2;
    const double room = latest(panel, y, 19) - kTrendEdge;
    if (panel.view.spikes > 0) device += "  ·  " + spike_note(panel.view);
    canvas_.text(kTrendEdge, y, fit_text(device, room, 19, true), {19, colour::kInk, Align::kLeft, true});
  }
  area.top = area.bottom - plot_height();
  top_ += panel_height(panel);
  if (index + 1 == panels_.size()) commits(area.bottom);
  TrendPanel drawn(*panel.series, panel.view, points_max() > kMarkersMax, index, area, canvas_);
  drawn.draw();
  data_ += drawn.data();
  canvas_.command("unset label");
  canvas_.command("unset arrow");
  canvas_.command("unset object");
}

// From the right, so that the latest commit is always named.
void TrendChart::commits(double bottom) {
  std::map<int, const SeriesPoint*> line;
  for (const auto& panel : panels_)
    for (const auto& point : panel.view.points) line.emplace(point.position, &point);
  const TrendView& view = panels_[0].view;
  std::string tics;
  double free_to = kTrendWidthPx;
  for (auto at = line.rbegin(); at != line.rend(); ++at) {
    const SeriesPoint& point = *at->second;
    const double x = kLeft + (at->first - view.first) / (view.last - view.first) * (kRight - kLeft);
    if (x > free_to) continue;
    free_to = x - kCommitPx;
    tics += (tics.empty() ? "'' " : ", '' ") + std::to_string(at->first);
    canvas_.text(x, bottom + 24, point.commit.substr(0, kShortId), {kTextPx, colour::kInk, Align::kCenter});
    canvas_.text(x, bottom + 46, point.date.substr(0, 10), {kSmallPx, colour::kGrey, Align::kCenter});
  }
  canvas_.command("set xtics scale 0.6 nomirror out (" + tics + ")");
}

Chart TrendChart::draw() {
  canvas_.command("reset");
  canvas_.command("unset key");
  canvas_.command("set tics font ',16'");
  canvas_.command("unset xtics");
  if (!alone()) canvas_.command("set multiplot");
  heading();
  legend();
  for (std::size_t i = 0; i < panels_.size(); ++i) panel(i);
  if (!alone()) canvas_.command("unset multiplot");
  return {{}, kTrendWidthPx, canvas_.height_px(), data_, canvas_.commands()};
}

}  // namespace

std::optional<Chart> trend_chart(const std::vector<Series>& devices) {
  std::vector<Panel> panels;
  std::size_t left_out = 0;
  for (const auto& series : devices) {
    TrendView view = view_trend(series);
    if (view.points.empty()) continue;
    if (panels.size() == kTrendPanelsMax)
      ++left_out;
    else
      panels.push_back({&series, std::move(view)});
  }
  if (panels.empty()) return std::nullopt;
  return TrendChart(std::move(panels), left_out).draw();
}

std::optional<Chart> trend_chart(const Series& series) {
  return trend_chart(std::vector<Series>{series});
}

}  // namespace tracker
