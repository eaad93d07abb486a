#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/charts.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/side_name.hpp"
#include "tracker/plot/trend_foot.hpp"
#include "tracker/plot/trend_panel.hpp"

namespace tracker {
namespace {

using namespace trend;

constexpr int kTrendWidthPx = 1200;
constexpr double kTrendEdge = 24;
constexpr double kLeft = 92;
constexpr double kRight = 1116;
constexpr double kLegendY = 100;
constexpr double kTrendHeading = 120;   // name, device and metric, legend
constexpr double kPlotAlone = 360;      // the axes of the only panel
constexpr double kPlotOfSeveral = 210;  // of each of two or three
constexpr double kPlotOfMany = 150;
constexpr double kTrendPanelHead = 40;  // its device, where there are several
constexpr double kTrendPanelGap = 18;
constexpr double kTrendFoot = 116;  // commits, dates and subjects
constexpr double kSentencePx = 28;  // a line of a history that is too short to draw
constexpr std::size_t kTrendPanelsMax = 6;

struct Panel {
  const Series* series = nullptr;
  TrendView view;
  std::vector<std::string> sentences;  // in place of a plot, where there are too few points for one

  bool is_short() const { return !sentences.empty(); }
};

class TrendChart {
 public:
  explicit TrendChart(std::vector<Panel> panels, std::size_t left_out);
  Chart draw();

 private:
  bool alone() const { return panels_.size() == 1; }
  double plot_height() const {
    return alone() ? kPlotAlone : panels_.size() <= 3 ? kPlotOfSeveral : kPlotOfMany;
  }
  // How many panels are plots: they come before those that are sentences.
  std::size_t plots() const {
    return static_cast<std::size_t>(
        std::count_if(panels_.begin(), panels_.end(), [](const Panel& panel) { return !panel.is_short(); }));
  }
  std::size_t points_max() const;
  double panel_height(const Panel& panel) const;
  int height() const;
  void heading();
  double latest(const Panel& panel, double y, double size);
  void legend();
  void legend_words(const std::string& text);
  void legend_of_values();
  void legend_of_changes();
  void legend_of_cut();
  template <typename Test>
  bool any_plot(const Test& test) const {
    return std::any_of(panels_.begin(), panels_.end(),
                       [&](const Panel& panel) { return !panel.is_short() && test(panel); });
  }
  template <typename Test>
  bool any_point(const Test& test) const {
    return any_plot([&](const Panel& panel) {
      return std::any_of(panel.view.points.begin(), panel.view.points.end(), test);
    });
  }
  template <typename Test>
  bool any_step(const Test& test) const {
    return any_plot([&](const Panel& panel) {
      return std::any_of(panel.view.steps.begin(), panel.view.steps.end(), test);
    });
  }
  void panel(std::size_t index);
  void sentences(const Panel& panel, double top);
  void commits(double bottom);

  std::vector<Panel> panels_;
  std::size_t left_out_;
  Canvas canvas_;
  double legend_x_ = kTrendEdge;
  double top_ = kTrendHeading;  // of the next panel
  std::string data_;
};

// All panels have the same commits from left to right; plots come first.
std::vector<Panel> on_one_line(std::vector<Panel> panels) {
  std::stable_partition(panels.begin(), panels.end(), [](const Panel& panel) { return !panel.is_short(); });
  std::set<int> positions;
  for (const auto& panel : panels)
    if (!panel.is_short() || panels[0].is_short())
      for (const auto& point : panel.view.points) positions.insert(point.position);
  const CommitAxis axis = commit_axis({positions.begin(), positions.end()});
  for (auto& panel : panels) panel.view.axis = axis;
  return panels;
}

std::size_t TrendChart::points_max() const {
  std::size_t most = 0;
  for (const auto& panel : panels_)
    if (!panel.is_short()) most = std::max(most, panel.view.points.size());
  return most;
}

double TrendChart::panel_height(const Panel& panel) const {
  if (panel.is_short())
    return kSentencePx * static_cast<double>(panel.sentences.size()) +
           (alone() ? 0 : kTrendPanelHead + kTrendPanelGap);
  return plot_height() + TrendPanel::strips_px(panel.view) + (alone() ? 0 : kTrendPanelHead + kTrendPanelGap);
}

int TrendChart::height() const {
  double height = kTrendHeading + (plots() > 0 ? kTrendFoot : kTrendEdge) - (alone() ? 0 : kTrendPanelGap);
  for (const auto& panel : panels_) height += panel_height(panel);
  return static_cast<int>(std::ceil(height));
}

TrendChart::TrendChart(std::vector<Panel> panels, std::size_t left_out)
    : panels_(on_one_line(std::move(panels))), left_out_(left_out), canvas_(kTrendWidthPx, height()) {
  for (auto& panel : panels_)
    if (!panel.is_short()) TrendPanel::make_room(panel.view, plot_height());
}

std::string with_unit(double value, const Scale& scale) {
  return format_number(value) + (scale.unit.empty() ? "" : " " + scale.unit);
}

// The newest value and where it is, right-aligned; answers what is left of the line.
double TrendChart::latest(const Panel& panel, double y, double size) {
  const TrendView& view = panel.view;
  const SeriesPoint& point = view.points.back();
  const double right = kTrendWidthPx - kTrendEdge;
  const std::string value = with_unit(newest_value(view), view.scale);
  canvas_.text(right, y, value, {size, colour::kInk, Align::kRight, true});
  std::string note = "at " + short_id(point.commit);
  if (const auto change = newest_change(view))
    note += ", " + format_percent(change->share) + " from " + change->from;
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

void TrendChart::legend_words(const std::string& text) {
  canvas_.text(legend_x_, kLegendY, text, {kSmallPx, colour::kGrey});
  legend_x_ += text_width_px(text, kSmallPx) + 26;
}

void TrendChart::legend_of_values() {
  const double y = kLegendY;
  const std::size_t most = points_max();
  const CommitAxis& line = panels_[0].view.axis;
  const bool intervals = any_point([](const auto& point) { return point.spread.low < point.spread.high; });
  double& x = legend_x_;
  if (most > kMarkedPointsMax) {
    if (intervals) canvas_.rectangle({x, y - 8, x + 26, y + 8}, colour::kHazeBlue);
    canvas_.line(x, y, x + 26, y, {colour::kBlue, 2});
    x += 34;
    const std::size_t thinned = line.is_split() ? most - line.newest : most;
    const std::size_t thinned_max = line.is_split() ? kOldPointsMax : kPointsMax;
    const std::size_t runs = (thinned + thinned_max - 1) / thinned_max;
    legend_words(thinned > thinned_max ? "median and range of every " + std::to_string(runs) + " commits"
                 : intervals           ? "median and its interval"
                                       : "median");
    if (any_step([](const auto&) { return true; })) {
      canvas_.line(x, y, x + 26, y, {colour::kInk, 2});
      x += 34;
      legend_words("level");
    }
  } else {
    canvas_.text(x, y, "●", {kSmallPx, colour::kBlue});
    x += 16;
    legend_words(intervals ? "median and its interval" : "median");
  }
  if ((most <= kMarkedPointsMax || line.is_split()) &&
      any_point([](const auto& point) { return point.disturbed; })) {
    canvas_.text(x, y, "○", {kSmallPx, colour::kBlue, Align::kLeft, true});
    x += 16;
    legend_words("disturbed: dirty, throttled or shared");
  }
  if (any_plot([](const Panel& p) { return TrendGaps(p.view.points, p.view.axis).any(p.view.points); })) {
    canvas_.line(x, y, x + 28, y, {colour::kBlue, 1.5, "(5,5)"});
    x += 36;
    legend_words("no runs");
  }
}

void TrendChart::legend_of_changes() {
  const double y = kLegendY;
  double& x = legend_x_;
  for (const bool worse : {true, false}) {
    if (!any_step([&](const auto& step) { return !step.other_conditions && step.worse == worse; })) continue;
    canvas_.triangle(x + 7, y, 13, !worse, true, worse ? colour::kVermilion : colour::kGreen);
    x += 21;
    legend_words(worse ? "regressed" : "improved");
  }
  if (any_step([](const auto& step) { return step.accepted; })) legend_words("hollow: accepted");
  if (any_step([](const auto& step) { return step.other_conditions; }))
    legend_words("hollow, grey: measured under other conditions");
  if (any_plot([](const Panel& p) { return !p.view.drifts.empty(); })) {
    canvas_.line(x, y, x + 28, y, {colour::kInk, 2.5});
    x += 36;
    legend_words("drift: no single commit");
  }
}

void TrendChart::legend_of_cut() {
  if (!any_plot([](const Panel& p) { return TrendPanel::is_cut(p.view); })) return;
  double along = 0;
  double aside = 0;
  for (const auto& [to_along, to_aside] : {std::pair(6.0, -5.0), {13.0, 5.0}, {19.0, 0.0}}) {
    canvas_.line(legend_x_ + along, kLegendY + aside, legend_x_ + to_along, kLegendY + to_aside,
                 {colour::kGrey, 1.5});
    along = to_along;
    aside = to_aside;
  }
  legend_x_ += 27;
  legend_words("axis does not start at 0");
}

// What the marks of this chart mean; those that it has, and no others.
void TrendChart::legend() {
  if (plots() == 0) return;
  legend_of_values();
  legend_of_changes();
  legend_of_cut();
  if (!alone() || panels_[0].view.spikes == 0) return;
  const std::string note =
      fit_text(spike_note(panels_[0].view), kTrendWidthPx - kTrendEdge - legend_x_ - 20, kSmallPx);
  canvas_.text(kTrendWidthPx - kTrendEdge, kLegendY, note, {kSmallPx, colour::kBlue, Align::kRight});
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
  const double below_head = top_ + (alone() ? 0 : kTrendPanelHead);
  area.top = area.bottom - plot_height();
  top_ += panel_height(panel);
  if (index + 1 == plots()) {
    commits(area.bottom);
    top_ += kTrendFoot;
  }
  if (panel.is_short()) {
    sentences(panel, below_head);
    return;
  }
  TrendPanel drawn(*panel.series, panel.view, points_max() > kMarkedPointsMax, index, area, canvas_);
  drawn.draw();
  data_ += drawn.data();
  canvas_.command("unset label");
  canvas_.command("unset arrow");
  canvas_.command("unset object");
}

void TrendChart::sentences(const Panel& panel, double top) {
  double y = top + kSentencePx / 2;
  for (const auto& line : panel.sentences) {
    canvas_.text(kTrendEdge, y, fit_text(line, kTrendWidthPx - 2 * kTrendEdge, 18), {18, colour::kInk});
    y += kSentencePx;
  }
  canvas_.plot_area({0, 0, 1.0 * kTrendWidthPx, 1.0 * canvas_.height_px()});
  canvas_.command("unset border");
  canvas_.command("unset tics");
  canvas_.command("plot [0:1][0:1] 2");  // out of sight: a picture needs a plot
  canvas_.command("unset label");
}

// Under the last plot.
void TrendChart::commits(double bottom) {
  std::map<int, FootCommit> line;
  for (std::size_t i = 0; i < plots(); ++i) {
    const TrendView& view = panels_[i].view;
    for (const auto& point : view.points) line[point.position].point = &point;
    for (const auto& step : view.steps) {
      FootCommit& commit = line[view.points[step.point].position];
      const bool is_plain = !step.other_conditions && !step.accepted;
      commit.colour = !is_plain ? colour::kGrey : step.worse ? colour::kVermilion : colour::kGreen;
      commit.is_step = true;
      commit.is_worse = commit.is_worse || (is_plain && step.worse);
    }
  }
  const CommitAxis& axis = panels_[0].view.axis;
  std::vector<FootCommit> commits;
  for (auto& [position, commit] : line) {
    commit.x = kLeft + (axis.place(position) - axis.first) / (axis.last - axis.first) * (kRight - kLeft);
    commits.push_back(commit);
  }
  commits.back().is_newest = true;
  const auto change = alone() ? newest_change(panels_[0].view) : std::nullopt;
  if (change) commits.back().change = format_percent(change->share);
  std::string tics;
  for (const int position : draw_foot(commits, bottom, kTrendEdge, kTrendWidthPx - kTrendEdge / 2, canvas_))
    tics += (tics.empty() ? "'' " : ", '' ") + plain_number(axis.place(position));
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
    if (panels.size() == kTrendPanelsMax) {
      ++left_out;
      continue;
    }
    auto sentences = short_history(series, view);
    panels.push_back({&series, std::move(view), std::move(sentences)});
  }
  if (panels.empty()) return std::nullopt;
  return TrendChart(std::move(panels), left_out).draw();
}

std::optional<Chart> trend_chart(const Series& series) {
  return trend_chart(std::vector<Series>{series});
}

}  // namespace tracker
