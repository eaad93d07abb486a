// A forest plot: one row a benchmark, its change with the interval, and what it was and is.

#include <algorithm>
#include <cmath>
#include <limits>

#include "tracker/base/text.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
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
constexpr double kValuesRight = kWidthPx - kComparisonEdge;

// What is shaded behind a row: nothing where it has no change to hold against it.
double band_of(const ChangeRow& row) {
  return row.change ? row.threshold : 0;
}

class ComparisonChart {
 public:
  ComparisonChart(const ComparisonReport& report, const ComparisonView& view)
      : report_(report), view_(view), canvas_(kWidthPx, height_of(view)) {
    double names = 0;
    for (const auto& row : view.rows) {
      names = std::max(names, fitted_width_px(row.benchmark, kComparisonNamesMax, kComparisonText) + 1);
      values_width_ = std::max(values_width_, text_width_px(row.values, kComparisonText));
    }
    values_width_ = std::min(values_width_ + 1, 260.0);
    plot_.left = kComparisonEdge + names + kGap;
    plot_.right = kValuesRight - values_width_ - kGap - kChangeWidth - kGap;
    plot_.top = kTop;
    plot_.bottom = kTop + kComparisonRow * static_cast<double>(view.rows.size());
  }

  Chart draw() {
    canvas_.begin({"unset border", "unset tics"});
    heading();
    legend();
    thresholds();
    axis();
    notes();
    for (std::size_t i = 0; i < view_.rows.size(); ++i) row(i);
    canvas_.plot_area(plot_);
    canvas_.plot_nothing();
    canvas_.forget();
    return canvas_.chart();
  }

 private:
  static int height_of(const ComparisonView& view) {
    const double words = view.left_out.empty() ? 0 : 24;
    return static_cast<int>(kTop + kComparisonRow * static_cast<double>(view.rows.size()) + kComparisonFoot +
                            words);
  }
  double x_px(double change) const { return plot_.left + view_.place(change) * plot_.width(); }
  double row_y(std::size_t index) const {
    return plot_.top + kComparisonRow * (static_cast<double>(index) + 0.5);
  }

  void heading() {
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
  void legend() {
    double x = kComparisonEdge + 6;
    for (const auto& [verdict, count] : view_.counts) {
      const std::string words = std::to_string(count) + " " + verdict_name(verdict);
      canvas_.mark(x, 97, verdict_mark(verdict));
      canvas_.text(x + 13, 97, words, {kComparisonText, colour::kInk});
      x += 13 + text_width_px(words, kComparisonText) + 30;
    }
  }

  // One piece where neighbours have the same threshold: seams would show.
  void thresholds() {
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
  }

  void axis() {
    for (const auto& tic : change_tics(view_, 48 / plot_.width())) {
      const double x = x_px(tic.value);
      const bool zero = tic.value == 0;
      canvas_.line(x, plot_.top, x, plot_.bottom, {zero ? colour::kMidGrey : colour::kGrid, zero ? 1.5 : 1});
      canvas_.text(x, plot_.bottom + 16, tic.label, kNoteCenter);
    }
    const double y = plot_.top - 16;
    canvas_.text(plot_.left, y, "← slower", kNote);
    canvas_.text(plot_.right, y, "faster →", kNoteRight);
    canvas_.text(plot_.right + kGap + kChangeWidth, y, "change", kNoteRight);
    canvas_.text(kValuesRight, y, "base → candidate", kNoteRight);
  }

  void notes() {
    std::vector<std::string> notes;
    if (std::ranges::any_of(view_.rows, [](const auto& row) { return row.threshold > 0; }))
      notes.emplace_back("shaded: within the threshold");
    if (std::ranges::any_of(view_.rows, &ChangeRow::excused)) notes.emplace_back("hollow: fails nothing");
    if (view_.knee > 0) notes.emplace_back("the axis is narrower farther out");
    if (view_.signs == ChangeSigns::kMirrored) notes.emplace_back("+ is faster: times are mirrored");
    canvas_.text((plot_.left + plot_.right) / 2, plot_.bottom + 40, join(notes, "  ·  "), kNoteCenter);
    if (!view_.left_out.empty())
      canvas_.text(kComparisonEdge, plot_.bottom + 66, view_.left_out, {kComparisonText, colour::kGrey});
  }

  // A line with caps, or with arrows where it goes on beyond the axis.
  void interval(const ChangeRow& row, double y) {
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

  void row(std::size_t index) {
    const ChangeRow& row = view_.rows[index];
    const MarkStyle mark = verdict_mark(row.verdict, row.excused);
    const double y = row_y(index);
    const bool decided = is_decided(row.verdict);
    const TextStyle style{kComparisonText, decided ? colour::kInk : colour::kGrey, Align::kRight};
    canvas_.text_within(plot_.left - kGap, y, row.benchmark, kComparisonNamesMax, style);
    canvas_.text_within(kValuesRight, y, row.values, values_width_, style);
    canvas_.text(plot_.right + kGap + kChangeWidth, y, row.change_text,
                 {kComparisonText, decided ? mark.colour : colour::kGrey, Align::kRight, decided});
    if (row.change) interval(row, y);
    canvas_.mark(x_px(row.change.value_or(0)), y, mark);
  }

  const ComparisonReport& report_;
  const ComparisonView& view_;
  Box plot_;
  double values_width_ = 0;
  Canvas canvas_;
};

constexpr std::size_t kComparisonRowsMax = 40;
constexpr std::size_t kFilledTo = 24;  // with rows that say little, where fewer say something
constexpr double kLinearMax = 8;  // thresholds that a linear axis holds before they get too narrow to see
constexpr double kThresholdsShown = 1.5;
constexpr double kIntervalReach = 2;  // times the largest change: an interval that is longer is cut off
constexpr double kSpanMin = 0.002;
constexpr double kThresholdMin = 1e-6;  // a share: with less there is no band to see
constexpr double kMargin = 0.05;
constexpr int kTicsMax = 10;

bool faster_is_less(const Comparison& comparison) {
  return comparison.metric.better == Better::kLower;
}

bool has_change(const Comparison& comparison) {
  return comparison.change && drawable(*comparison.change) && is_compared(comparison);
}

// Turned round, so that faster is positive.
Interval as_speed(const Interval& interval, bool turned) {
  return turned ? Interval{-interval.high, -interval.low} : interval;
}

// "3.482 → 1.641 TB/s": both in the unit of the larger.
std::string values_of(const Comparison& comparison) {
  double largest = 0;
  for (const auto& value : {comparison.base, comparison.candidate})
    if (value && drawable(*value)) largest = std::max(largest, std::abs(*value));
  const Scale scale = choose_scale(largest, comparison.metric.unit);
  const auto text = [&](const std::optional<double>& value) {
    return value && drawable(*value) ? format_number(*value / scale.factor) : std::string("–");
  };
  return text(comparison.base) + " → " + text(comparison.candidate) + unit_after(scale);
}

ChangeRow row_of(const Comparison& comparison) {
  ChangeRow row;
  row.benchmark = comparison.benchmark;
  row.verdict = comparison.verdict;
  row.values = values_of(comparison);
  if (drawable(comparison.threshold) && comparison.threshold > kThresholdMin)
    row.threshold = comparison.threshold;
  Comparison strict = comparison;
  strict.report_only = false;
  strict.waiver = {};
  row.excused = fails_gate(strict) && !fails_gate(comparison);
  if (!has_change(comparison)) {
    row.change_text = verdict_name(comparison.verdict);
    return row;
  }
  const bool turned = faster_is_less(comparison);
  row.change = turned ? -*comparison.change : *comparison.change;
  row.change_text = format_percent(*comparison.change);
  row.interval_text = interval_words(comparison);
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  row.interval = Interval{-kUnknown, kUnknown};
  if (comparison.interval && !noise_hides_everything(comparison)) {
    const auto [low, high] = as_speed(*comparison.interval, turned);
    if (drawable(low)) row.interval->low = std::min(low, *row.change);
    if (drawable(high)) row.interval->high = std::max(high, *row.change);
  }
  return row;
}

// What is decided comes before what is not, and that before what is the same; among equals the largest.
bool chosen_before(const ChangeRow& a, const ChangeRow& b) {
  const auto rank = [](Verdict verdict) {
    return verdict == Verdict::kUnchanged ? 2 : verdict == Verdict::kInconclusive ? 1 : 0;
  };
  if (rank(a.verdict) != rank(b.verdict)) return rank(a.verdict) < rank(b.verdict);
  return std::abs(a.change.value_or(0)) > std::abs(b.change.value_or(0));
}

bool slower(const ChangeRow& a, const ChangeRow& b) {
  if (a.change && b.change) return *a.change < *b.change;
  return a.change.has_value() && !b.change;
}

std::string words_for(const std::vector<ChangeRow>& rows) {
  std::map<Verdict, int> counts;
  for (const auto& row : rows) ++counts[row.verdict];
  double largest = 0;
  for (const auto& row : rows) largest = std::max(largest, std::abs(row.change.value_or(0)));
  return count_of(rows.size(), "row") + " more: " + counts_in_words(counts) + ", none beyond " +
         format_share(std::round(largest * 1e4 + 0.5) / 1e4);
}

void set_range(ComparisonView& view) {
  double size = 0;
  double threshold = 0;
  for (const auto& row : view.rows) {
    size = std::max(size, std::abs(row.change.value_or(0)));
    threshold = std::max(threshold, row.threshold);
  }
  const double least = std::max(threshold * kThresholdsShown, kSpanMin);
  const double reach = kIntervalReach * std::max(size, least);
  view.low = -least;
  view.high = least;
  for (const auto& row : view.rows) {
    if (!row.change) continue;
    view.low = std::min({view.low, *row.change, std::max(row.interval->low, -reach)});
    view.high = std::max({view.high, *row.change, std::min(row.interval->high, reach)});
  }
  // The least threshold, so that all bands can be seen.
  double knee = 0;
  for (const auto& row : view.rows)
    if (row.threshold > 0) knee = knee == 0 ? row.threshold : std::min(knee, row.threshold);
  const double extent = std::max(-view.low, view.high);
  if (knee > 0 && extent > kLinearMax * knee) view.knee = knee;
  const double margin = kMargin * (view.high - view.low);
  if (view.knee == 0) {
    view.low -= margin;
    view.high += margin;
    return;
  }
  const double low = std::asinh(view.low / view.knee);
  const double high = std::asinh(view.high / view.knee);
  view.low = view.knee * std::sinh(low - kMargin * (high - low));
  view.high = view.knee * std::sinh(high + kMargin * (high - low));
}

ChangeSigns signs_of(const ComparisonReport& report) {
  bool any_less = false;
  bool any_more = false;
  for (const auto& comparison : report.comparisons)
    if (has_change(comparison)) (faster_is_less(comparison) ? any_less : any_more) = true;
  if (any_less && any_more) return ChangeSigns::kMirrored;
  return any_less ? ChangeSigns::kTurned : ChangeSigns::kAsDrawn;
}

std::string tic_label(double change, ChangeSigns signs) {
  if (change == 0) return "0";
  const bool negative = (change < 0) != (signs == ChangeSigns::kTurned);
  return (negative ? "−" : "+") + format_share(std::abs(change));
}

}  // namespace

std::optional<Chart> comparison_chart(const ComparisonReport& report) {
  const ComparisonView view = view_comparison(report);
  if (view.rows.empty()) return std::nullopt;
  return ComparisonChart(report, view).draw();
}

double ComparisonView::place(double change) const {
  const double inside = std::clamp(change, low, high);
  if (knee == 0) return (inside - low) / (high - low);
  const double from = std::asinh(low / knee);
  return (std::asinh(inside / knee) - from) / (std::asinh(high / knee) - from);
}

ComparisonView view_comparison(const ComparisonReport& report) {
  ComparisonView view;
  if (std::ranges::none_of(report.comparisons, has_change)) return view;
  for (const auto& comparison : report.comparisons) view.rows.push_back(row_of(comparison));
  std::ranges::stable_sort(view.rows, chosen_before);
  const auto telling = static_cast<std::size_t>(
      std::ranges::count_if(view.rows, [](const ChangeRow& row) { return is_decided(row.verdict); }));
  const std::size_t shown = std::clamp(telling, kFilledTo, kComparisonRowsMax);
  if (view.rows.size() > shown) {
    const auto rest = view.rows.begin() + static_cast<std::ptrdiff_t>(shown);
    view.left_out = words_for({rest, view.rows.end()});
    view.rows.erase(rest, view.rows.end());
  }
  std::ranges::stable_sort(view.rows, slower);
  view.counts = count_verdicts(report);
  view.signs = signs_of(report);
  set_range(view);
  return view;
}

std::vector<Tic> change_tics(const ComparisonView& view, double distance_min) {
  std::vector<Tic> tics;
  if (view.knee == 0) {
    const int count = std::clamp(static_cast<int>(1 / distance_min), 2, kTicsMax);
    for (const auto& tic : make_tics(view.low, view.high, count))
      tics.push_back({tic.value, tic_label(std::abs(tic.value) < 1e-12 ? 0 : tic.value, view.signs)});
    return tics;
  }
  tics.push_back({0, tic_label(0, view.signs)});
  for (const double side : {-1.0, 1.0}) {
    const double end = side < 0 ? view.low : view.high;
    double last = view.place(0);
    for (int power = -6; power <= 6; ++power)
      for (const double step : {1.0, 2.0, 5.0}) {
        const double change = side * step * std::pow(10.0, power);
        if (std::abs(change) > std::abs(end)) break;
        const double place = view.place(change);
        if (std::abs(place - last) < distance_min) continue;
        tics.push_back({change, tic_label(change, view.signs)});
        last = place;
      }
  }
  return tics;
}

}  // namespace tracker::plot
