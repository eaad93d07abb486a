#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/trend_panel.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

// What stands under the axis of a trend: its commits by name.

// One commit of the axis.
struct FootCommit {
  const SeriesPoint* point = nullptr;
  double x = 0;                       // pixels
  const char* colour = colour::kInk;  // of its name
  bool is_step = false;               // some panel's level changed here
  bool is_newest = false;
  bool is_worse = false;  // of a step: a regression that nobody accepted
  std::string change;     // beside its name: "−1.20 % from base 1a2b3c4"
};

using namespace trend;

constexpr double kFootRowPx = 21;
constexpr double kFootGapPx = 14;        // between two names
constexpr double kNearEndPx = 14;        // from a commit to the nearer end of its words
constexpr double kOrdinaryPx = 84;       // a name or a date
constexpr double kNewestWidthMax = 230;  // with its subject
constexpr std::size_t kSubjectLines = 2;
constexpr std::array<double, 4> kStepWidthsPx{230, 170, 120, kOrdinaryPx};

// A span of the foot that a commit's words take.
struct Span {
  double left = 0;
  double right = 0;
};

double name_width(const FootCommit& commit) {
  const std::string name = short_id(commit.point->commit) + "  " + commit.change;
  return text_width_px(name, kTextPx, true) + 2;
}

// As much as its longest row needs.
double width_of(const FootCommit& commit, double width_max) {
  const double subject = text_width_px(printable(commit.point->subject), kSmallPx) + 2;
  return std::min(std::max({kOrdinaryPx, subject, name_width(commit)}), width_max);
}

class Foot {
 public:
  Foot(double bottom, double left, double right, Canvas& canvas)
      : bottom_(bottom), left_(left), right_(right), canvas_(canvas) {}

  // Names all of them, at most so wide; or none where one does not fit.
  bool put(const std::vector<const FootCommit*>& commits, double width_max) {
    const auto before = taken_;
    std::vector<Span> spans;
    for (const auto* commit : commits) {
      const auto span = find(*commit, width_of(*commit, width_max));
      if (!span) {
        taken_ = before;
        return false;
      }
      taken_.push_back(*span);
      spans.push_back(*span);
    }
    for (std::size_t i = 0; i < commits.size(); ++i) {
      write(*commits[i], spans[i]);
      named_.insert(commits[i]->point->position);
    }
    return true;
  }
  // The positions of those that are named.
  const std::set<int>& named() const { return named_; }
  void keep_apart(const std::vector<const FootCommit*>& steps) { steps_ = steps; }

 private:
  // Where the nearest of the steps is too near for both to stand around their commits.
  std::optional<double> away_from_neighbour(const FootCommit& commit, double width) const {
    const FootCommit* nearest = nullptr;
    for (const auto* step : steps_)
      if (step->x != commit.x &&
          (nearest == nullptr || std::abs(step->x - commit.x) < std::abs(nearest->x - commit.x)))
        nearest = step;
    if (!has_subject(commit) || nearest == nullptr) return {};
    const double distance = std::abs(nearest->x - commit.x);
    if (distance >= width + kFootGapPx) return {};
    const double towards = std::clamp((distance - kFootGapPx) / 2, 0.0, width / 2);
    return nearest->x > commit.x ? commit.x + towards - width : commit.x - towards;
  }

  static bool has_subject(const FootCommit& commit) { return commit.is_step || commit.is_newest; }
  // Away from another step that is near, else around the commit where that is free, else with the commit near
  // the span's end.
  std::optional<Span> find(const FootCommit& commit, double width) const {
    const double x = commit.x;
    const bool beside = has_subject(commit);
    std::vector<double> lefts;
    if (const auto away = away_from_neighbour(commit, width)) lefts.push_back(*away);
    lefts.push_back(x - width / 2);
    if (beside)
      for (const double near : {kOrdinaryPx / 2, kNearEndPx, 0.0}) {
        lefts.push_back(x + near - width);
        lefts.push_back(x - near);
      }
    for (double left : lefts) {
      left = std::clamp(left, left_, std::max(right_ - width, left_));
      const Span span{left, left + width};
      const bool is_free = std::ranges::none_of(taken_, [&](const Span& other) {
        return span.left < other.right + kFootGapPx && other.left < span.right + kFootGapPx;
      });
      if (is_free && span.left <= x + 1 && x <= span.right + 1) return span;
    }
    return {};
  }

  void write(const FootCommit& commit, const Span& span) {
    const double width = span.right - span.left;
    const SeriesPoint& point = *commit.point;
    std::string name = short_id(point.commit);
    if (!commit.change.empty()) name += "  " + commit.change;
    const auto row = [&](int index, const std::string& words, TextStyle style, double block = 0) {
      const std::string fitted = fit_text(words, width, style.size_px, style.bold);
      const double own = std::max(block, text_width_px(fitted, style.size_px, style.bold));
      const double middle =
          std::clamp(commit.x, span.left + own / 2, std::max(span.right - own / 2, span.left + own / 2));
      style.align = Align::kCenter;
      canvas_.text(middle, bottom_ + 24 + kFootRowPx * index, fitted, style);
    };
    row(0, name, {kTextPx, commit.colour, Align::kCenter, has_subject(commit)});
    row(1, point.date.substr(0, 10), {kSmallPx, colour::kGrey});
    if (!has_subject(commit) || width <= kOrdinaryPx) return;
    const auto lines = wrap_text(point.subject, width, kSmallPx, kSubjectLines);
    double widest = 0;
    for (const auto& line : lines) widest = std::max(widest, text_width_px(line, kSmallPx));
    int index = 2;
    for (const auto& line : lines) row(index++, line, {kSmallPx, colour::kInk}, widest);
  }

  double bottom_;
  double left_;
  double right_;
  Canvas& canvas_;
  std::vector<Span> taken_;
  std::set<int> named_;
  std::vector<const FootCommit*> steps_;
};

// Names the commits that find room, below `bottom` and from `left` to `right`: the newest, all steps where
// they fit, else regressions first and from the newest on, and what is left in equal distances. The newest
// and steps have their subjects as well. Answers the positions of those that are named.
std::set<int> draw_foot(const std::vector<FootCommit>& commits, double bottom, double left, double right,
                        Canvas& canvas) {
  Foot foot(bottom, left, right, canvas);
  for (const auto& commit : commits) {
    if (!commit.is_newest) continue;
    double free_from = left;  // a step beside it needs a name as well
    for (const auto& step : commits)
      if (step.is_step && !step.is_newest) free_from = std::max(free_from, step.x + kStepWidthsPx.back() / 2);
    const double room = right - free_from - 2 * kFootGapPx;
    foot.put({&commit}, std::min(std::max(room, name_width(commit)), kNewestWidthMax));
  }
  std::vector<const FootCommit*> steps;
  for (auto commit = commits.rbegin(); commit != commits.rend(); ++commit)
    if (commit->is_step && !commit->is_newest) steps.push_back(&*commit);
  foot.keep_apart(steps);
  const bool all_fit =
      std::ranges::any_of(kStepWidthsPx, [&](double width_max) { return foot.put(steps, width_max); });
  if (!all_fit) {
    foot.keep_apart({});
    std::stable_partition(steps.begin(), steps.end(), [](const auto* step) { return step->is_worse; });
    for (const auto* step : steps)
      for (const double width_max : kStepWidthsPx)
        if (foot.put({step}, width_max)) break;
  }
  for (auto commit = commits.rbegin(); commit != commits.rend(); ++commit)
    if (!commit->is_step && !commit->is_newest) foot.put({&*commit}, kOrdinaryPx);
  return foot.named();
}

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

class TrendChart {
 public:
  TrendChart(std::vector<Panel> panels, std::size_t left_out)
      : panels_(on_one_line(std::move(panels))), left_out_(left_out), canvas_(kTrendWidthPx, height()) {
    for (auto& panel : panels_)
      if (!panel.is_short()) make_room(panel.view, plot_height());
  }

  Chart draw() {
    canvas_.begin({"set tics font ',16'", "unset xtics"});
    if (!alone()) canvas_.command("set multiplot");
    heading();
    legend();
    for (std::size_t i = 0; i < panels_.size(); ++i) panel(i);
    if (!alone()) canvas_.command("unset multiplot");
    return canvas_.chart();
  }

 private:
  bool alone() const { return panels_.size() == 1; }
  double plot_height() const {
    return alone() ? kPlotAlone : panels_.size() <= 3 ? kPlotOfSeveral : kPlotOfMany;
  }
  // How many panels are plots: they come before those that are sentences.
  std::size_t plots() const {
    return static_cast<std::size_t>(std::ranges::count(panels_, false, &Panel::is_short));
  }
  std::size_t points_max() const {
    std::size_t most = 0;
    for (const auto& panel : panels_)
      if (!panel.is_short()) most = std::max(most, panel.view.points.size());
    return most;
  }
  double panel_height(const Panel& panel) const {
    const double around = alone() ? 0 : kTrendPanelHead + kTrendPanelGap;
    return around + (panel.is_short() ? kSentencePx * static_cast<double>(panel.sentences.size())
                                      : plot_height() + strips_px(panel.view));
  }
  int height() const {
    double height = kTrendHeading + (plots() > 0 ? kTrendFoot : kTrendEdge) - (alone() ? 0 : kTrendPanelGap);
    for (const auto& panel : panels_) height += panel_height(panel);
    return static_cast<int>(std::ceil(height));
  }

  template <typename Test>
  bool any_plot(const Test& test) const {
    return std::ranges::any_of(panels_,
                               [&](const Panel& panel) { return !panel.is_short() && test(panel.view); });
  }
  template <typename Test>
  bool any_point(const Test& test) const {
    return any_plot([&](const TrendView& view) { return std::ranges::any_of(view.points, test); });
  }
  template <typename Test>
  bool any_step(const Test& test) const {
    return any_plot([&](const TrendView& view) { return std::ranges::any_of(view.steps, test); });
  }

  // The newest value and where it is, right-aligned; answers what is left of the line.
  double latest(const Panel& panel, double y, double size) {
    const TrendView& view = panel.view;
    const SeriesPoint& point = view.points.back();
    const double right = kTrendWidthPx - kTrendEdge;
    const std::string value = format_number(newest_value(view)) + unit_after(view.scale);
    canvas_.text(right, y, value, {size, colour::kInk, Align::kRight, true});
    std::string note = "at " + short_id(point.commit);
    if (const auto change = newest_change(view))
      note += ", " + format_percent(change->share) + " from " + change->from;
    const double value_left = right - text_width_px(value, size, true) - 12;
    canvas_.text(value_left, y + 1, note, {kTextPx, colour::kGrey, Align::kRight});
    return value_left - text_width_px(note, kTextPx) - 30;
  }

  void heading() {
    const Series& series = *panels_[0].series;
    const double room = (alone() ? latest(panels_[0], 36, 24) : kTrendWidthPx - kTrendEdge) - kTrendEdge;
    canvas_.text_within(kTrendEdge, 36, series.benchmark, room, {24, colour::kInk, Align::kLeft, true});
    const std::string metric = fit_text(metric_words(series.metric), 400, 17);
    std::string device = alone() ? series.device : std::to_string(panels_.size()) + " devices";
    if (left_out_ > 0) device += " (" + std::to_string(left_out_) + " more do not fit)";
    const double device_room = kTrendWidthPx - 2 * kTrendEdge - text_width_px("  ·  " + metric, 17);
    canvas_.text(kTrendEdge, 68, fit_text(device, device_room, 17) + "  ·  " + metric, {17, colour::kGrey});
  }

  void legend_words(const std::string& text) {
    canvas_.text(legend_x_, kLegendY, text, kNote);
    legend_x_ += text_width_px(text, kSmallPx) + 26;
  }
  void legend_line(double width, const LineStyle& style, const std::string& text) {
    canvas_.line(legend_x_, kLegendY, legend_x_ + width, kLegendY, style);
    legend_x_ += width + 8;
    legend_words(text);
  }
  void legend_mark(const char* mark, bool bold, const std::string& text) {
    canvas_.text(legend_x_, kLegendY, mark, {kSmallPx, colour::kBlue, Align::kLeft, bold});
    legend_x_ += 16;
    legend_words(text);
  }

  void legend_of_values() {
    const std::size_t most = points_max();
    const CommitAxis& line = panels_[0].view.axis;
    const bool intervals = any_point([](const auto& point) { return point.spread.low < point.spread.high; });
    const std::string median = intervals ? "median and its interval" : "median";
    if (most > kMarkedPointsMax) {
      if (intervals)
        canvas_.rectangle({legend_x_, kLegendY - 8, legend_x_ + 26, kLegendY + 8}, colour::kHazeBlue);
      const std::size_t thinned = line.is_split() ? most - line.newest : most;
      const std::size_t thinned_max = line.is_split() ? kOldPointsMax : kPointsMax;
      const std::size_t runs = (thinned + thinned_max - 1) / thinned_max;
      legend_line(
          26, {colour::kBlue, 2},
          thinned > thinned_max ? "median and range of every " + std::to_string(runs) + " commits" : median);
      if (any_step([](const auto&) { return true; })) legend_line(26, {colour::kInk, 2}, "level");
    } else {
      legend_mark("●", false, median);
    }
    if ((most <= kMarkedPointsMax || line.is_split()) && any_point(&SeriesPoint::disturbed))
      legend_mark("○", true, "disturbed: dirty, throttled or shared");
    if (any_plot(has_gaps)) legend_line(28, {colour::kBlue, 1.5, "(5,5)"}, "no runs");
  }

  void legend_of_changes() {
    for (const bool worse : {true, false}) {
      if (!any_step([&](const auto& step) { return step.other_conditions.empty() && step.worse == worse; }))
        continue;
      canvas_.triangle(legend_x_ + 7, kLegendY, 13, !worse, true, change_colour(worse, false));
      legend_x_ += 21;
      legend_words(worse ? "regressed" : "improved");
    }
    if (any_step([](const auto& step) { return !step.accepted.empty(); })) legend_words("hollow: accepted");
    if (any_step([](const auto& step) { return !step.other_conditions.empty(); }))
      legend_words("hollow, grey: measured under other conditions");
    if (any_plot([](const TrendView& view) { return !view.drifts.empty(); }))
      legend_line(28, {colour::kInk, 2.5}, "drift: no single commit");
  }

  void legend_of_cut() {
    if (!any_plot(is_cut)) return;
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
  void legend() {
    if (plots() == 0) return;
    legend_of_values();
    legend_of_changes();
    legend_of_cut();
    if (!alone() || panels_[0].view.spikes == 0) return;
    canvas_.text_within(kTrendWidthPx - kTrendEdge, kLegendY, spike_note(panels_[0].view),
                        kTrendWidthPx - kTrendEdge - legend_x_ - 20,
                        {kSmallPx, colour::kBlue, Align::kRight});
  }

  void panel(std::size_t index) {
    const Panel& panel = panels_[index];
    Box area{kLeft, 0, kRight, top_ + panel_height(panel)};
    if (!alone()) {
      area.bottom -= kTrendPanelGap;
      std::string device = panel.series->device;
      const double y = top_ + kTrendPanelHead / 2;
      const double room = latest(panel, y, 19) - kTrendEdge;
      if (panel.view.spikes > 0) device += "  ·  " + spike_note(panel.view);
      canvas_.text_within(kTrendEdge, y, device, room, {19, colour::kInk, Align::kLeft, true});
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
    draw_panel(*panel.series, panel.view, points_max() > kMarkedPointsMax, index, area, canvas_);
  }

  void sentences(const Panel& panel, double top) {
    double y = top + kSentencePx / 2;
    for (const auto& line : panel.sentences) {
      canvas_.text_within(kTrendEdge, y, line, kTrendWidthPx - 2 * kTrendEdge, {18, colour::kInk});
      y += kSentencePx;
    }
    canvas_.plot_area({0, 0, 1.0 * kTrendWidthPx, 1.0 * canvas_.height_px()});
    for (const char* line : {"unset border", "unset tics"}) canvas_.command(line);
    canvas_.plot_nothing();
    canvas_.command("unset label");
  }

  // Under the last plot.
  void commits(double bottom) {
    std::map<int, FootCommit> line;
    for (std::size_t i = 0; i < plots(); ++i) {
      const TrendView& view = panels_[i].view;
      for (const auto& point : view.points) line[point.position].point = &point;
      for (const auto& step : view.steps) {
        FootCommit& commit = line[view.points[step.point].position];
        commit.colour = change_colour(step.worse, !is_plain(step));
        commit.is_step = true;
        commit.is_worse = commit.is_worse || (is_plain(step) && step.worse);
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

  std::vector<Panel> panels_;
  std::size_t left_out_;
  Canvas canvas_;
  double legend_x_ = kTrendEdge;
  double top_ = kTrendHeading;  // of the next panel
};

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

}  // namespace tracker::plot
