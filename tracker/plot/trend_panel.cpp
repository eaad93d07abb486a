#include "tracker/plot/trend_panel.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"

namespace tracker::plot {
namespace {

using namespace trend;

constexpr double kStripPx = 26;    // a reference line that is off the axis
constexpr double kBaseRowPx = 28;  // the unit and the base's name
constexpr double kNewTrianglePx = 20;
constexpr double kOldTrianglePx = 12;
constexpr double kTriangleGapPx = 17;  // from the data to the middle of a step's mark
constexpr std::size_t kStepLabelsMax = 24;
constexpr double kStepRoomPx = 50;  // the mark and its name
constexpr double kTicPx = 36;       // the least distance of two values on the axis

const TextStyle kTrendReference{kSmallPx, colour::kPurple, Align::kRight};

// Which stretches between two points are drawn as one without runs.
class TrendGaps {
 public:
  // Of all points, those that are thinned out among them.
  explicit TrendGaps(const TrendView& view) : axis_(view.axis) {
    const auto& points = view.points;
    std::vector<int> distances;
    for (std::size_t i = 1; i < points.size(); ++i)
      distances.push_back(points[i].position - points[i - 1].position);
    if (distances.empty()) return;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>((distances.size() - 1) / 2);
    std::ranges::nth_element(distances, middle);
    dense_max_ = std::max(3.0 * *middle, 0.04 * (points.back().position - points.front().position));
    const bool has_marks = points.size() <= kMarkedPointsMax || axis_.is_split();
    marked_max_ = *middle == 1 && has_marks ? 1 : dense_max_;
  }
  bool between(const SeriesPoint& a, const SeriesPoint& b) const {
    const bool is_dense = axis_.is_split() && a.position < axis_.knee;
    return b.position - a.position > (is_dense ? dense_max_ : marked_max_);
  }

 private:
  const CommitAxis& axis_;
  // The largest distance that is no gap. Where points have marks, that is one commit if that is the usual
  // distance, so that every commit without a run shows; else three times the usual one, and some width.
  double marked_max_ = 0;
  double dense_max_ = 0;
};

// The numbers of a panel as rows "place median low high".
struct TrendRows {
  std::string line;
  std::string gaps;       // pairs of points on both sides of a stretch without runs
  std::string band;       // the points that are too dense for marks
  std::string marks;      // the others
  std::string clean;      // those of them that were measured undisturbed
  std::string disturbed;  // and those that were not
};

// Dense: only points behind the axis' knee have marks.
TrendRows rows_of(const std::vector<SeriesPoint>& points, const CommitAxis& axis, bool dense,
                  const TrendGaps& gaps) {
  const auto row_of = [&](const SeriesPoint& point) {
    return plain_number(axis.place(point.position)) + " " + plain_number(point.median, 7) + " " +
           plain_number(point.spread.low, 7) + " " + plain_number(point.spread.high, 7) + "\n";
  };
  TrendRows rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string own = row_of(points[i]);
    const bool has_mark = !dense || (axis.is_split() && points[i].position >= axis.knee);
    if (i > 0 && gaps.between(points[i - 1], points[i])) {
      rows.line += "\n";  // a blank row breaks gnuplot's line
      if (!rows.band.empty()) rows.band += "\n";
      rows.gaps += row_of(points[i - 1]) + own + "\n";
    }
    rows.line += own;
    (has_mark ? rows.marks : rows.band) += own;
    if (has_mark) (points[i].disturbed ? rows.disturbed : rows.clean) += own;
  }
  return rows;
}

class TrendPanel {
 public:
  TrendPanel(const Series& series, const TrendView& view, bool dense, std::size_t index, const Box& area,
             Canvas& canvas)
      : series_(series),
        view_(view),
        dense_(dense),
        index_(std::to_string(index)),
        area_(area),
        canvas_(canvas),
        shown_(shown_points(view, view.axis.is_split() ? kOldPointsMax : kPointsMax)) {}

  void draw() {
    canvas_.plot_area(area_);
    strips();
    canvas_.text_within(area_.left - 10, area_.top - 17, view_.scale.unit, area_.left - 20, kNoteRight);
    spikes();
    axes();
    cut_mark();
    newest_part();
    threshold_band();
    base_mark();
    occupy_data();
    if (!view_.steps.empty() && dense_) levels();
    if (!view_.drifts.empty()) drifts();
    references();
    steps();
    drift_labels();
    plot();
  }

 private:
  double x_px(double position) const {
    const CommitAxis& axis = view_.axis;
    return area_.left + (axis.place(position) - axis.first) / (axis.last - axis.first) * area_.width();
  }
  double y_px(double value) const {
    return area_.bottom - (value - view_.low) / (view_.high - view_.low) * area_.height();
  }
  double inside_y_px(double value) const { return std::clamp(y_px(value), area_.top, area_.bottom); }

  // Lines too far above to share the axis stand over it, the farthest on top, broken to say that no scale
  // holds.
  void strips() {
    double y = area_.top - strips_px(view_) + kStripPx / 2;
    for (auto line = view_.above.rbegin(); line != view_.above.rend(); ++line) {
      const std::string words =
          fit_text(reference_text(*line, view_.scale) + " ↑", area_.width() / 2, kTrendReference.size_px);
      const double left = area_.right - text_width_px(words, kTrendReference.size_px);
      canvas_.line(area_.left, y, left - 10, y, {colour::kPurple, 1.5, "(14,5)"});
      canvas_.text(area_.right, y, words, kTrendReference);
      y += kStripPx;
    }
    y = area_.bottom - 12;
    for (const auto& line : view_.below) {
      const std::string words =
          fit_text(reference_text(line, view_.scale) + " ↓", area_.width() / 2, kSmallPx);
      canvas_.text(area_.right - 2, y, words, kTrendReference);
      taken_.push_back(text_box(area_.right - 2, y, words, kTrendReference));
      y -= 20;
    }
  }

  void spikes() {
    const TextStyle style{kTextPx, colour::kBlue, Align::kCenter, true};
    for (const auto& point : view_.points) {
      if (point.median > view_.high) canvas_.text(x_px(point.position), area_.top - 11, "↑", style);
      if (point.median < view_.low) canvas_.text(x_px(point.position), area_.bottom - 9, "↓", style);
    }
  }

  void axes() {
    canvas_.range('x', view_.axis.first, view_.axis.last);
    canvas_.range('y', view_.low, view_.high);
    canvas_.command("set border 1 back lc " + rgb(colour::kMidGrey) + " lw 1");
    const int count_max = std::clamp(static_cast<int>(area_.height() / kTicPx), 2, 7);
    canvas_.tics('y', make_tics(view_.low, view_.high, count_max));
    canvas_.command("set grid ytics back lt 1 lw 1 lc " + rgb(colour::kGrid));
  }

  // The usual sign of an axis that does not begin at zero.
  void cut_mark() {
    if (!is_cut(view_)) return;
    const double x = area_.left + 2;
    double y = area_.bottom;
    double from = x;
    for (const auto& [aside, up] : {std::pair(0.0, 7.0), {-5.0, 4.0}, {5.0, 7.0}, {0.0, 4.0}, {0.0, 8.0}}) {
      canvas_.line(from, y, x + aside, y - up, {colour::kGrey, 1.5});
      from = x + aside;
      y -= up;
    }
  }

  // Where the newest commits begin to have more room than the others.
  void newest_part() {
    if (!view_.axis.is_split()) return;
    const double x = x_px(view_.axis.knee);
    canvas_.line(x, area_.top - 22, x, area_.bottom, {colour::kPaleGrey, 1});
    const std::string words = "the newest " + std::to_string(view_.axis.newest) + ", wider";
    const Box place = text_box(x + 8, area_.top - 14, words, kNote);
    constexpr double kBaseNamePx = 60;  // half of what stands over the base
    const double base = view_.base ? x_px(view_.points[*view_.base].position) : -kBaseNamePx;
    if (base + kBaseNamePx < place.left || base - kBaseNamePx > place.right)
      canvas_.text(place.left, area_.top - 14, words, kNote);
  }

  void threshold_band() {
    if (!view_.base || !(series_.threshold > 0)) return;
    const double median = view_.points[*view_.base].median;
    double low = median * (1 - series_.threshold);
    double high = median * (1 + series_.threshold);
    if (low > high) std::swap(low, high);
    if (high < view_.low || low > view_.high) return;
    canvas_.rectangle({area_.left, inside_y_px(high), area_.right, inside_y_px(low)}, colour::kBand);
    canvas_.line(area_.left, y_px(median), area_.right, y_px(median), {colour::kMidGrey, 1, "(2,4)"});
    const double x = area_.right + 8;
    const bool roomy = std::abs(y_px(low) - y_px(high)) > 3 * kSmallPx;
    const std::string share = format_share(series_.threshold);
    canvas_.text(x, y_px(median), roomy ? "base" : "±" + share, kNote);
    if (!roomy) return;
    if (high <= view_.high) canvas_.text(x, y_px(high), "+" + share, kNote);
    if (low >= view_.low) canvas_.text(x, y_px(low), "−" + share, kNote);
  }

  // Its name stands above the axes, where no data is.
  void base_mark() {
    if (!view_.base) return;
    const SeriesPoint& point = view_.points[*view_.base];
    const double x = x_px(point.position);
    canvas_.line(x, area_.top - 4, x, area_.bottom, {colour::kMidGrey, 1.2, "(6,4)"});
    const std::string words = "base " + short_id(point.commit);
    const double half = text_width_px(words, kSmallPx) / 2;
    const double middle = std::clamp(x, area_.left + half, area_.right - half);
    canvas_.text(middle, area_.top - 14, words, kNoteCenter);
    taken_.push_back({x - 3, area_.top, x + 3, area_.bottom});
  }

  void occupy_data() {
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      const double x = x_px(shown_[i].position);
      taken_.push_back(
          {x - 5, inside_y_px(shown_[i].spread.high) - 5, x + 5, inside_y_px(shown_[i].spread.low) + 5});
      if (i == 0) continue;
      // The line between two points, in short pieces.
      const double x0 = x_px(shown_[i - 1].position);
      const double y0 = inside_y_px(shown_[i - 1].median);
      const double y1 = inside_y_px(shown_[i].median);
      const int pieces = std::max(1, static_cast<int>((x - x0) / 20));
      for (int piece = 0; piece < pieces; ++piece) {
        const auto part = [&](double from, double to, int k) { return from + (to - from) * k / pieces; };
        const double a = part(y0, y1, piece);
        const double b = part(y0, y1, piece + 1);
        taken_.push_back(
            {part(x0, x, piece), std::min(a, b) - 2, part(x0, x, piece + 1), std::max(a, b) + 2});
      }
    }
  }

  void references() {
    for (const auto& line : view_.lines) {
      const double y = y_px(line.value);
      canvas_.line(area_.left, y, area_.right, y, {colour::kPurple, 1.5});
      taken_.push_back({area_.left, y - 1, area_.right, y + 1});
    }
    for (const auto& line : view_.lines) {
      const std::string words = fit_text(reference_text(line, view_.scale), area_.width() / 2, kSmallPx);
      const double width = text_width_px(words, kSmallPx);
      const double y = y_px(line.value);
      std::vector<Box> places;
      for (double right = area_.right - 2; right - width > area_.left; right -= 40)
        for (const double middle : {y - 12, y + 13})
          places.push_back({right - width, middle - 9, right, middle + 9});
      const Box place = first_free(places, taken_, {area_.left, area_.top - 4, area_.right, area_.bottom});
      taken_.push_back(place);
      canvas_.text(place.right, place.middle_y(), words, kTrendReference);
    }
  }

  // The levels that the steps lie between, as far as there are runs of them, and no drift.
  void levels() {
    std::string rows;
    std::string last;
    bool is_open = false;
    double level = view_.steps.front().before;
    auto next = view_.steps.begin();
    for (std::size_t i = 0; i < view_.points.size(); ++i) {
      const int position = view_.points[i].position;
      const bool is_step = next != view_.steps.end() && next->point == i;
      if (is_step) level = (next++)->after;
      const auto drift = std::ranges::find_if(
          view_.drifts, [&](const SeriesDrift& one) { return one.from <= i && i < one.to; });
      if (is_open && (is_step || drift != view_.drifts.end())) {
        rows += last + "\n";  // a blank row breaks gnuplot's line
        is_open = false;
      }
      if (drift != view_.drifts.end()) {
        level = drift->after;
        continue;
      }
      last = plain_number(view_.axis.place(position)) + " " + plain_number(level, 7) + "\n";
      if (!is_open) rows += last;
      is_open = true;
    }
    if (is_open) rows += last;
    canvas_.data("levels" + index_, rows);
  }

  // The lines of the drifts.
  void drifts() {
    std::string rows;
    for (const auto& drift : view_.drifts) {
      for (std::size_t i = drift.from; i < drift.to; ++i) {
        const double share =
            static_cast<double>(i - drift.from) / static_cast<double>(drift.to - 1 - drift.from);
        rows += plain_number(view_.axis.place(view_.points[i].position)) + " " +
                plain_number(drift.before * std::pow(drift.after / drift.before, share), 7) + "\n";
      }
      rows += "\n";
    }
    canvas_.data("drifts" + index_, rows);
  }

  // Beside the middle of each drift's line.
  void drift_labels() {
    for (const auto& drift : view_.drifts) {
      const std::string words = "drift " + format_percent(drift_change(drift)) + " over " +
                                count_of(drift.commits, "commit") +
                                (drift.other_conditions.empty() ? "" : ", other conditions");
      const double width = text_width_px(words, kSmallPx, true);
      std::vector<Box> places;
      for (const double share : {0.5, 0.35, 0.65, 0.2, 0.8})
        for (const double away : {-26.0, 26.0, -44.0, 44.0, -70.0, 70.0, -100.0, 100.0}) {
          const auto at =
              drift.from + static_cast<std::size_t>(share * static_cast<double>(drift.to - drift.from));
          const double x = x_px(view_.points[at].position);
          const double y = inside_y_px(drift.before * std::pow(drift.after / drift.before, share)) + away;
          places.push_back({x - width / 2, y - 9, x + width / 2, y + 9});
        }
      put_label(places, words,
                {kSmallPx, change_colour(drift.worse, !drift.other_conditions.empty()), Align::kLeft, true});
    }
  }

  // Text that is left out where none of these places is free.
  void put_label(const std::vector<Box>& places, const std::string& words, const TextStyle& style) {
    const auto place = find_free(places, taken_, {area_.left + 2, area_.top, area_.right + 60, area_.bottom});
    if (!place) return;
    taken_.push_back(*place);
    canvas_.text(place->left, place->middle_y(), words, style);
  }

  // The middle of the step's mark: at its first point, on the side that the value moved to.
  double mark_y(const SeriesStep& step) const {
    const Interval& spread = view_.points[step.point].spread;
    return step.after < step.before ? inside_y_px(spread.low) + kTriangleGapPx
                                    : inside_y_px(spread.high) - kTriangleGapPx;
  }

  void steps() {
    for (const auto& step : view_.steps) {
      const double x = x_px(view_.points[step.point].position);
      const double y = std::clamp(mark_y(step), area_.top + 9, area_.bottom - 9);
      const double size = is_new(view_, step) ? kNewTrianglePx : kOldTrianglePx;
      canvas_.triangle(x, y, size, !step.worse, is_plain(step),
                       change_colour(step.worse, !step.other_conditions.empty()));
      taken_.push_back({x - 0.6 * size, y - size / 2, x + 0.6 * size, y + size / 2});
    }
    // The largest are named first, as not all may find a place.
    std::vector<SeriesStep> order = view_.steps;
    std::ranges::stable_sort(order, std::greater(), [](const SeriesStep& step) {
      return std::abs(std::log(step.after / step.before));
    });
    if (order.size() > kStepLabelsMax) order.resize(kStepLabelsMax);
    for (const auto& step : order) step_label(step);
  }

  void step_label(const SeriesStep& step) {
    const double x = x_px(view_.points[step.point].position);
    const double y = mark_y(step);
    const std::string words =
        format_percent(step_change(view_, step)) + (!step.other_conditions.empty() ? " other conditions"
                                                    : !step.accepted.empty()       ? " accepted"
                                                    : step.settled                 ? ""
                                                                                   : " new");
    const bool bold = is_new(view_, step);
    const double width = text_width_px(words, kSmallPx, bold);
    std::vector<Box> places;
    const auto add = [&](double left, double middle) {
      places.push_back({left, middle - 9, left + width, middle + 9});
    };
    const double outward = step.after < step.before ? 1 : -1;
    for (const double away : {20.0, 38.0}) {
      add(x - width / 2, y + outward * away);
      add(x - width, y + outward * away);
      add(x, y + outward * away);
    }
    add(x + 14, y);
    add(x - 14 - width, y);
    put_label(places, words,
              {kSmallPx, change_colour(step.worse, !step.other_conditions.empty()), Align::kLeft, bold});
  }

  void plot() {
    const TrendRows rows = rows_of(shown_, view_.axis, dense_, TrendGaps(view_));
    for (const auto& [name, own] : {std::pair("line", &rows.line), std::pair("gaps", &rows.gaps),
                                    std::pair("band", &rows.band), std::pair("marks", &rows.marks),
                                    std::pair("clean", &rows.clean), std::pair("disturbed", &rows.disturbed)})
      if (!own->empty()) canvas_.data(name + index_, *own);
    const std::string blue = " lc " + rgb(colour::kBlue);
    const std::string dot = point_size(1.1);
    const auto part = [&](bool is_there, const std::string& block, const std::string& how) {
      if (is_there) canvas_.part(block + index_, "using " + how);
    };
    part(!rows.band.empty(), "band",
         "1:3:4 with filledcurves fc " + rgb(colour::kHazeBlue) + " fs solid noborder");
    part(!rows.gaps.empty(), "gaps", "1:2 with lines lw 1.5 dt (5,5)" + blue);
    part(true, "line", "1:2 with lines lw " + std::string(dense_ ? "1.6" : "2") + blue);
    part(!view_.steps.empty() && dense_, "levels", "1:2 with lines lw 2 lc " + rgb(colour::kInk));
    part(!view_.drifts.empty(), "drifts", "1:2 with lines lw 2.5 lc " + rgb(colour::kInk));
    // Not yerrorbars, around whose middle SVG clears a disc.
    part(!rows.marks.empty(), "marks",
         "1:3:(0):($4-$3) with vectors heads size screen 0.0025,90 fixed lw 1.3" + blue);
    part(!rows.clean.empty(), "clean", "1:2 with points pt 7 " + dot + blue);
    part(!rows.disturbed.empty(), "disturbed", "1:2 with points pt 7 " + dot + " lc " + rgb(colour::kGround));
    part(!rows.disturbed.empty(), "disturbed", "1:2 with points pt 6 " + dot + " lw 1.6" + blue);
    canvas_.plot();
    canvas_.forget();
  }

  const Series& series_;
  const TrendView& view_;
  bool dense_;
  std::string index_;
  Box area_;
  Canvas& canvas_;
  std::vector<SeriesPoint> shown_;  // thinned out
  std::vector<Box> taken_;          // by data and labels
};

}  // namespace

const char* change_colour(bool worse, bool says_nothing_of_the_code) {
  if (says_nothing_of_the_code) return colour::kGrey;
  return worse ? colour::kVermilion : colour::kGreen;
}

bool has_gaps(const TrendView& view) {
  const TrendGaps gaps(view);
  const auto is_gap = [&](const auto& a, const auto& b) { return gaps.between(a, b); };
  return std::ranges::adjacent_find(view.points, is_gap) != view.points.end();
}

double strips_px(const TrendView& view) {
  return kStripPx * static_cast<double>(view.above.size()) + kBaseRowPx;
}

void make_room(TrendView& view, double height_px) {
  const double share = kStepRoomPx / height_px;
  const bool positive = view.low >= 0;
  for (const auto& step : view.steps) {
    const Interval& spread = view.points[step.point].spread;
    if (spread.low < view.low || spread.high > view.high) continue;
    if (step.after < step.before)
      view.low = std::min(view.low, (spread.low - share * view.high) / (1 - share));
    else
      view.high = std::max(view.high, (spread.high - share * view.low) / (1 - share));
  }
  if (positive) view.low = std::max(view.low, 0.0);
}

void draw_panel(const Series& series, const TrendView& view, bool dense, std::size_t index, const Box& area,
                Canvas& canvas) {
  TrendPanel(series, view, dense, index, area, canvas).draw();
}

}  // namespace tracker::plot
