// A forest plot: one row a benchmark, its change with the interval, and what it was and is.
#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/plot/charts.hpp"
#include "tracker/plot/comparison_view.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/side_name.hpp"
#include "tracker/plot/verdict_style.hpp"

namespace tracker {
namespace {

constexpr int kWidthPx = 1200;
constexpr double kComparisonEdge = 24;
constexpr double kTop = 148;  // of the rows
constexpr double kComparisonRow = 28;
constexpr double kComparisonFoot = 66;  // tics and their title
constexpr double kComparisonNamesMax = 372;
constexpr double kComparisonText = 16;
constexpr double kChangeWidth = 84;
constexpr double kGap = 18;

// What is shaded behind a row: nothing where it has no change to hold against it.
double band_of(const ChangeRow& row) {
  return row.change ? row.threshold : 0;
}

class ComparisonChart {
 public:
  ComparisonChart(const ComparisonReport& report, const ComparisonView& view);
  Chart draw();

 private:
  void heading();
  void legend();
  void axis();
  void row(std::size_t index);
  void interval(const ChangeRow& row, double y);
  double x_px(double change) const { return plot_.left + view_.place(change) * plot_.width(); }
  double row_y(std::size_t index) const {
    return plot_.top + kComparisonRow * (static_cast<double>(index) + 0.5);
  }
  double values_right() const { return kWidthPx - kComparisonEdge; }

  const ComparisonReport& report_;
  const ComparisonView& view_;
  Box plot_;
  double values_width_ = 0;
  Canvas canvas_;
};

int height_of(const ComparisonView& view) {
  const double words = view.left_out.empty() ? 0 : 24;
  return static_cast<int>(kTop + kComparisonRow * static_cast<double>(view.rows.size()) + kComparisonFoot +
                          words);
}

ComparisonChart::ComparisonChart(const ComparisonReport& report, const ComparisonView& view)
    : report_(report), view_(view), canvas_(kWidthPx, height_of(view)) {
  double names = 0;
  for (const auto& row : view.rows) {
    names = std::max(
        names,
        text_width_px(fit_text(row.benchmark, kComparisonNamesMax, kComparisonText), kComparisonText) + 1);
    values_width_ = std::max(values_width_, text_width_px(row.values, kComparisonText));
  }
  values_width_ = std::min(values_width_ + 1, 260.0);
  plot_.left = kComparisonEdge + names + kGap;
  plot_.right = values_right() - values_width_ - kGap - kChangeWidth - kGap;
  plot_.top = kTop;
  plot_.bottom = kTop + kComparisonRow * static_cast<double>(view.rows.size());
}

void ComparisonChart::heading() {
  const double room = kWidthPx - 2 * kComparisonEdge;
  const auto side = [&](const Side& of) { return fit_text(side_name(of), room / 2 - 20, 24, true); };
  canvas_.text(kComparisonEdge, 34, side(report_.base) + " → " + side(report_.candidate),
               {24, colour::kInk, Align::kLeft, true});
  const std::string tail =
      "  ·  change of each benchmark, with its interval: " + format_share(report_.confidence) +
      " for all of them together";
  const std::string device =
      fit_text(report_.device, room - text_width_px(tail, kComparisonText), kComparisonText);
  canvas_.text(kComparisonEdge, 66, device + tail, {kComparisonText, colour::kGrey});
}

// What the marks mean, and how many there are of each.
void ComparisonChart::legend() {
  double x = kComparisonEdge + 6;
  for (const auto& [verdict, count] : view_.counts) {
    const std::string words = std::to_string(count) + " " + verdict_name(verdict);
    canvas_.mark(x, 97, verdict_mark(verdict));
    canvas_.text(x + 13, 97, words, {kComparisonText, colour::kInk});
    x += 13 + text_width_px(words, kComparisonText) + 30;
  }
}

void ComparisonChart::axis() {
  // One piece where neighbours have the same threshold: seams would show.
  for (std::size_t i = 0; i < view_.rows.size();) {
    const double threshold = band_of(view_.rows[i]);
    std::size_t end = i + 1;
    while (end < view_.rows.size() && band_of(view_.rows[end]) == threshold) ++end;
    if (threshold > 0)
      canvas_.rectangle({x_px(-threshold), row_y(i) - kComparisonRow / 2, x_px(threshold),
                         row_y(end - 1) + kComparisonRow / 2},
                        colour::kBand);
    i = end;
  }
  const TextStyle tic_style{15, colour::kGrey, Align::kCenter};
  for (const auto& tic : change_tics(view_, 48 / plot_.width())) {
    const double x = x_px(tic.value);
    const bool zero = tic.value == 0;
    canvas_.line(x, plot_.top, x, plot_.bottom, {zero ? colour::kMidGrey : colour::kGrid, zero ? 1.5 : 1});
    canvas_.text(x, plot_.bottom + 16, tic.label, tic_style);
  }
  const double y = plot_.top - 16;
  canvas_.text(plot_.left, y, "← slower", {15, colour::kGrey});
  canvas_.text(plot_.right, y, "faster →", {15, colour::kGrey, Align::kRight});
  canvas_.text(plot_.right + kGap + kChangeWidth, y, "change", {15, colour::kGrey, Align::kRight});
  canvas_.text(values_right(), y, "base → candidate", {15, colour::kGrey, Align::kRight});
  std::vector<std::string> notes;
  if (std::any_of(view_.rows.begin(), view_.rows.end(), [](const auto& row) { return row.threshold > 0; }))
    notes.emplace_back("shaded: within the threshold");
  if (std::any_of(view_.rows.begin(), view_.rows.end(), [](const auto& row) { return row.excused; }))
    notes.emplace_back("hollow: fails nothing");
  if (view_.knee > 0) notes.emplace_back("the axis is narrower farther out");
  if (view_.signs == ChangeSigns::kMirrored) notes.emplace_back("+ is faster: times are mirrored");
  canvas_.text((plot_.left + plot_.right) / 2, plot_.bottom + 40, join(notes, "  ·  "), tic_style);
  if (!view_.left_out.empty())
    canvas_.text(kComparisonEdge, plot_.bottom + 66, view_.left_out, {kComparisonText, colour::kGrey});
}

// A line with caps, or with arrows where it goes on beyond the axis.
void ComparisonChart::interval(const ChangeRow& row, double y) {
  const MarkStyle mark = verdict_mark(row.verdict, row.excused);
  const double left = x_px(row.interval->low);
  const double right = x_px(row.interval->high);
  canvas_.line(left, y, right, y, {mark.colour, 2});
  const auto end = [&](double x, bool beyond, const char* arrow, Align align) {
    if (beyond)
      canvas_.text(x, y, arrow, {13, mark.colour, align});
    else
      canvas_.line(x, y - 5, x, y + 5, {mark.colour, 2});
  };
  end(left, row.interval->low < view_.low, "◄", Align::kLeft);
  end(right, row.interval->high > view_.high, "►", Align::kRight);
}

void ComparisonChart::row(std::size_t index) {
  const ChangeRow& row = view_.rows[index];
  const MarkStyle mark = verdict_mark(row.verdict, row.excused);
  const double y = row_y(index);
  const bool decided = is_decided(row.verdict);
  const char* ink = decided ? colour::kInk : colour::kGrey;
  canvas_.text(plot_.left - kGap, y, fit_text(row.benchmark, kComparisonNamesMax, kComparisonText),
               {kComparisonText, ink, Align::kRight});
  canvas_.text(values_right(), y, fit_text(row.values, values_width_, kComparisonText),
               {kComparisonText, ink, Align::kRight});
  const double change_right = plot_.right + kGap + kChangeWidth;
  canvas_.text(change_right, y, row.change_text,
               {kComparisonText, decided ? mark.colour : colour::kGrey, Align::kRight, decided});
  if (!row.change) {
    canvas_.mark(x_px(0), y, mark);
    return;
  }
  interval(row, y);
  canvas_.mark(x_px(*row.change), y, mark);
}

Chart ComparisonChart::draw() {
  canvas_.command("reset");
  canvas_.command("unset key");
  canvas_.command("unset border");
  canvas_.command("unset tics");
  heading();
  legend();
  axis();
  for (std::size_t i = 0; i < view_.rows.size(); ++i) row(i);
  canvas_.plot_area(plot_);
  canvas_.command("plot [0:1][0:1] 2");  // out of sight: a picture needs a plot
  canvas_.command("unset label");
  canvas_.command("unset arrow");
  canvas_.command("unset object");
  return {{}, canvas_.width_px(), canvas_.height_px(), {}, canvas_.commands()};
}

}  // namespace

std::optional<Chart> comparison_chart(const ComparisonReport& report) {
  const ComparisonView view = view_comparison(report);
  if (view.rows.empty()) return std::nullopt;
  return ComparisonChart(report, view).draw();
}

}  // namespace tracker
