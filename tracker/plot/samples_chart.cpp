// Every repetition of every invocation of both sides, and the distribution beside it.
#include <algorithm>
#include <array>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

constexpr int kSamplesWidthPx = 1200;
constexpr int kHeightPx = 602;
constexpr int kNotesPx = 28;  // of that, where there are any
constexpr double kSamplesEdge = 24;
constexpr Box kColumns{92, 150, 800, 520};
constexpr Box kDensities{816, 150, 1040, 520};
constexpr std::array<Box, 2> kPanels{kColumns, kDensities};
constexpr double kSamplesText = 16;
constexpr double kLabelDistance = 46;  // between the two values at the right

// What one side is drawn with.
struct SideStyle {
  const char* dots;
  const char* strong;
  const char* fill;
};
constexpr SideStyle kBaseStyle{colour::kMidGrey, colour::kInk, colour::kPaleGrey};
constexpr SideStyle kCandidateStyle{colour::kPaleBlue, colour::kBlue, colour::kHazeBlue};

const SideStyle& style_of(bool candidate) {
  return candidate ? kCandidateStyle : kBaseStyle;
}

const char* side_word(bool candidate) {
  return candidate ? "candidate" : "base";
}

// "−53.4 % [−53.6, −53.2]"; without a change the verdict.
std::string change_words(const Comparison& comparison) {
  if (!comparison.change) return verdict_name(comparison.verdict);
  const std::string interval = interval_words(comparison);
  return format_percent(*comparison.change) + (interval.empty() ? "" : " " + interval);
}

// What the picture leaves out, and what its marks mean that the legend does not say.
std::vector<std::string> notes_of(const SamplesView& view) {
  std::vector<std::string> notes;
  if (!view.cut.empty()) notes.push_back(view.cut);
  if (view.left_out > 0)
    notes.push_back("○ excluded: " + count_of(view.left_out, "invocation") + " that " +
                    (view.left_out == 1 ? "does" : "do") + " not count");
  if (view.beyond > 0) {
    const std::string farthest = reference_text({"", view.farthest_beyond}, view.scale);
    notes.push_back(view.beyond == 1
                        ? "1 sample off the axis, at" + farthest
                        : std::to_string(view.beyond) + " samples off the axis, the farthest at" + farthest);
  }
  if (view.threshold) notes.emplace_back("shaded: within the threshold");
  if (view.parts.size() > 1) notes.emplace_back("≈ what lies between the sides is cut out");
  return notes;
}

// The rows of the data blocks: a place among the columns, and one on the height of the axis.

constexpr double kHeightMin = 0.004;   // of a distribution: below it is nothing to see
constexpr double kDotsWidth = 0.78;    // of a column
constexpr double kSamplesTop = 0.999;  // of the height
constexpr double kBreakMin = 0.03;     // of the height: what is farther apart is not connected
constexpr double kMedianWidth = 0.84;  // of a column

std::string row_of(double x, double y) {
  return plain_number(x, 6) + " " + plain_number(y, 5) + "\n";
}

std::string pair_rows(const SamplesView& view) {
  std::string rows;
  for (const auto& [base, candidate] : view.pairs) {
    for (const std::size_t i : {base, candidate})
      rows += row_of(view.columns[i].place, view.place(view.columns[i].median));
    rows += "\n";
  }
  return rows;
}

// The repetitions of an invocation side by side in their order, so that a drift shows.
std::string dot_rows(const SamplesView& view, bool candidate, bool counts) {
  std::string rows;
  for (const auto& column : view.columns) {
    if (column.candidate != candidate || column.counts != counts) continue;
    const auto count = static_cast<double>(column.values.size());
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      if (!view.holds(column.values[i])) continue;
      const double x = column.place + ((static_cast<double>(i) + 0.5) / count - 0.5) * kDotsWidth;
      rows += row_of(x, view.place(column.values[i]));
    }
  }
  return rows;
}

// Where samples are that the axis does not hold.
std::string beyond_rows(const SamplesView& view, bool candidate, bool above) {
  std::string rows;
  for (const auto& column : view.columns) {
    if (column.candidate != candidate) continue;
    for (const double value : column.values) {
      const double place = view.place(value);
      if (view.holds(value) || (place > kSamplesTop) != above) continue;
      rows += row_of(column.place, place + (above ? -0.015 : 0.015));
    }
  }
  return rows;
}

// Where a line of kMedianWidth begins.
std::string median_rows(const SamplesView& view, bool candidate) {
  std::string rows;
  for (const auto& column : view.columns)
    if (column.candidate == candidate && column.counts)
      rows += row_of(column.place - kMedianWidth / 2, view.place(column.median));
  return rows;
}

// Back to back: the base to the left of the middle, the candidate to the right of it.
std::string density_rows(const SamplesView& view, bool candidate) {
  std::string rows;
  const auto& density = candidate ? view.candidate : view.base;
  double last = 0;
  for (const auto& [value, height] : density) {
    const double place = view.place(value);
    if (height < kHeightMin) continue;
    if (!rows.empty() && place - last > kBreakMin) rows += "\n";  // nothing in between, or the axis is broken
    last = place;
    rows += plain_number(candidate ? height : -height, 5) + " " + plain_number(place, 5) + "\n";
  }
  return rows;
}

class SamplesChart {
 public:
  SamplesChart(const BenchmarkSamples& samples, const SamplesView& view)
      : samples_(samples),
        view_(view),
        notes_(join(notes_of(view), "   ·   ")),
        canvas_(kSamplesWidthPx, notes_.empty() ? kHeightPx - kNotesPx : kHeightPx) {}

  Chart draw() {
    canvas_.begin({"unset border", "unset tics", "set yrange [0:1]", "set multiplot"});
    heading();
    legend();
    if (view_.threshold)
      for (const Box& panel : kPanels)
        canvas_.rectangle({panel.left, y_px(view_.threshold->high), panel.right, y_px(view_.threshold->low)},
                          colour::kBand);
    axis();
    axis_break();
    sides();
    column_names();
    canvas_.text_within(kSamplesEdge, kHeightPx - 20, notes_, kSamplesWidthPx - 2 * kSamplesEdge, kNote);
    plot_columns();
    plot_densities();
    canvas_.command("unset multiplot");
    return canvas_.chart();
  }

 private:
  double x_px(double place) const { return kColumns.left + place / view_.width * kColumns.width(); }
  double y_px(double value) const { return share_px(view_.place(value)); }
  static double share_px(double share) { return kColumns.bottom - share * kColumns.height(); }

  // Across both panels.
  void across(double y, const LineStyle& style) {
    for (const Box& panel : kPanels) canvas_.line(panel.left, y, panel.right, y, style);
  }

  void heading() {
    const Comparison& comparison = samples_.comparison;
    const double right = kSamplesWidthPx - kSamplesEdge;
    const char* colour =
        is_decided(comparison.verdict) ? verdict_mark(comparison.verdict).colour : colour::kInk;
    const std::string change = change_words(comparison);
    canvas_.text(right, 36, change, {24, colour, Align::kRight, true});
    std::string verdict = comparison.change ? verdict_name(comparison.verdict) : "";
    if (comparison.change && comparison.threshold > 0 && drawable(comparison.threshold))
      verdict += ", the threshold is " + format_share(comparison.threshold);
    canvas_.text(right, 68, verdict, {kSamplesText, colour::kGrey, Align::kRight});
    const double room = right - kSamplesEdge - text_width_px(change, 24, true) - 30;
    canvas_.text_within(kSamplesEdge, 36, comparison.benchmark, room, {24, colour::kInk, Align::kLeft, true});
    const std::string tail = "  ·  " + fit_text(metric_title(comparison.metric), 240, kSamplesText) + ", " +
                             better_text(comparison.metric);
    const double device = right - kSamplesEdge - text_width_px(verdict + tail, kSamplesText) - 30;
    canvas_.text(kSamplesEdge, 68, fit_text(samples_.device, device, kSamplesText) + tail,
                 {kSamplesText, colour::kGrey});
  }

  void legend() {
    const double y = 102;
    double x = kSamplesEdge;
    const auto words = [&](const std::string& text, const char* colour) {
      canvas_.text(x, y, text, {kSamplesText, colour});
      x += text_width_px(text, kSamplesText) + 28;
    };
    const auto side = [&](bool candidate, const Side& of) {
      const SideStyle& style = style_of(candidate);
      canvas_.mark(x + 6, y, {7, 0.8, style.dots});
      canvas_.line(x, y, x + 26, y, {style.strong, 3});
      canvas_.mark(x + 20, y, {7, 0.8, style.dots});
      x += 36;
      words(fit_text(std::string(side_word(candidate)) + " " + side_name(of), 330, kSamplesText),
            style.strong);
    };
    if (!samples_.base.empty()) side(false, samples_.base_side);
    if (!samples_.candidate.empty()) side(true, samples_.candidate_side);
    words("dot: a repetition, line: the median of an invocation", colour::kGrey);
  }

  void axis() {
    const auto near_break = [&](double y) {
      const double middle = (view_.parts.front().top + view_.parts.back().bottom) / 2;
      return view_.parts.size() > 1 && std::abs(y - share_px(middle)) < 24;
    };
    canvas_.text_within(kSamplesEdge, kColumns.top - 16, view_.scale.unit, 300, kNote);
    for (const auto& part : view_.parts) {
      const double share = part.top - part.bottom;
      const int least = share * kColumns.height() > 60 ? 3 : 1;
      const int count = std::max(static_cast<int>(std::lround(share * 7)), least);
      for (const auto& tic : make_tics(part.low, part.high, count)) {
        const double y = y_px(tic.value);
        if (near_break(y)) continue;
        canvas_.text(kColumns.left - 10, y, tic.label, kNoteRight);
        across(y, {colour::kGrid, 1});
      }
    }
  }

  void axis_break() {
    if (view_.parts.size() < 2) return;
    const double low = share_px(view_.parts[0].top);
    const double high = share_px(view_.parts[1].bottom);
    for (const Box& panel : kPanels)
      for (const double y : {low, high})
        canvas_.line(panel.left, y, panel.right, y, {colour::kMidGrey, 1, "(3,5)"});
    canvas_.text(kColumns.left - 10, (low + high) / 2, "≈", kNoteRight);
  }

  // The values that are compared, as lines through both panels, with their figures at the right.
  void sides() {
    struct Value {
      double value;
      bool candidate;
      double y;  // of its figures
    };
    std::vector<Value> values;
    for (const bool candidate : {false, true})
      if (const auto& value = candidate ? view_.candidate_value : view_.base_value)
        values.push_back({*value, candidate, y_px(*value)});
    for (const auto& one : values) across(one.y, {style_of(one.candidate).strong, 1, "(7,5)"});
    if (values.size() == 2 && std::abs(values[0].y - values[1].y) < kLabelDistance) {
      const double middle = (values[0].y + values[1].y) / 2;
      const double half = values[0].y < values[1].y ? kLabelDistance / 2 : -kLabelDistance / 2;
      values[0].y = middle - half;
      values[1].y = middle + half;
    }
    const double x = kDensities.right + 12;
    for (const auto& [value, candidate, y] : values) {
      const char* colour = style_of(candidate).strong;
      canvas_.text_within(x, y - 10, format_number(value) + unit_after(view_.scale), kSamplesWidthPx - x - 6,
                          {18, colour, Align::kLeft, true});
      canvas_.text(x, y + 11, side_word(candidate), {15, colour});
    }
  }

  // Below each pair its round, as many as fit.
  void round_names() {
    double free_from = 0;
    for (std::size_t i = 0; i < view_.columns.size();) {
      std::size_t end = i;
      while (end < view_.columns.size() && view_.columns[end].round == view_.columns[i].round) ++end;
      const double x = x_px((view_.columns[i].place + view_.columns[end - 1].place) / 2);
      const std::string name = std::to_string(view_.columns[i].round);
      const double half = text_width_px(name, 15) / 2 + 7;
      if (x - half >= free_from) {
        canvas_.text(x, kColumns.bottom + 18, name, kNoteCenter);
        free_from = x + half;
      }
      i = end;
    }
    canvas_.text((kColumns.left + kColumns.right) / 2, kColumns.bottom + 42,
                 "round: both sides measured side by side, in one job", kNoteCenter);
  }

  void side_names() {
    for (const bool candidate : {false, true}) {
      std::vector<const SampleColumn*> own;
      for (const auto& column : view_.columns)
        if (column.candidate == candidate) own.push_back(&column);
      if (own.empty()) continue;
      const int jobs = own.back()->job + 1;
      canvas_.text(x_px((own.front()->place + own.back()->place) / 2), kColumns.bottom + 18,
                   std::string(side_word(candidate)) + ": " + count_of(own.size(), "invocation") +
                       (jobs > 1 ? " in " + count_of(jobs, "job") : ""),
                   kNoteCenter);
    }
    for (std::size_t i = 1; i < view_.columns.size(); ++i) {
      const SampleColumn& before = view_.columns[i - 1];
      const SampleColumn& after = view_.columns[i];
      if (before.candidate != after.candidate || before.job == after.job) continue;
      const double x = x_px((before.place + after.place) / 2);
      canvas_.line(x, kColumns.top, x, kColumns.bottom, {colour::kMidGrey, 1, "(2,5)"});
    }
  }

  void column_names() {
    view_.paired ? round_names() : side_names();
    const double middle = (kDensities.left + kDensities.right) / 2;
    canvas_.text(middle - 10, kDensities.bottom + 18, "base", kNoteRight);
    canvas_.text(middle + 10, kDensities.bottom + 18, "candidate", kNote);
    canvas_.text(middle, kDensities.bottom + 42, "how often", kNoteCenter);
  }

  void plot_columns() {
    const double column_px = kColumns.width() / view_.width;
    const std::string points = "using 1:2 with points ";
    const std::string size = point_size(std::clamp(column_px / 40, 0.4, 0.75));
    canvas_.part_of("pairs", pair_rows(view_), "using 1:2 with lines lw 1.2 lc " + rgb(colour::kPaleGrey));
    for (const bool candidate : {false, true}) {
      const std::string side = side_word(candidate);
      const std::string dots = rgb(style_of(candidate).dots);
      const std::string strong = rgb(style_of(candidate).strong);
      canvas_.part_of(side + "_dots", dot_rows(view_, candidate, true),
                      points + "pt 7 " + size + " lc " + dots);
      canvas_.part_of(side + "_left_out", dot_rows(view_, candidate, false),
                      points + "pt 6 " + size + " lw 1.2 lc " + dots);
      for (const bool above : {false, true})
        canvas_.part_of(side + (above ? "_above" : "_below"), beyond_rows(view_, candidate, above),
                        points + point_size(1) + (above ? " pt 9" : " pt 11") + " lc " + strong);
      canvas_.part_of(
          side + "_medians", median_rows(view_, candidate),
          "using 1:2:(" + plain_number(kMedianWidth) + "):(0) with vectors nohead lw 3 lc " + strong);
    }
    canvas_.plot_area(kColumns);
    canvas_.range('x', 0, view_.width);
    canvas_.plot();
    canvas_.forget();
  }

  // Back to back: the base to the left of the middle, the candidate to the right of it.
  void plot_densities() {
    if (view_.base.empty() && view_.candidate.empty()) return;
    canvas_.plot_area(kDensities);
    canvas_.range('x', -1.05, 1.05);
    for (const bool candidate : {false, true}) {
      const std::string rows = density_rows(view_, candidate);
      const SideStyle& style = style_of(candidate);
      const std::string name = std::string(side_word(candidate)) + "_density";
      if (rows.empty()) continue;
      canvas_.part_of(name, rows, "using 1:2 with filledcurves x=0 fs solid noborder fc " + rgb(style.fill));
      canvas_.part(name, "using 1:2 with lines lw 1.6 lc " + rgb(style.strong));
    }
    canvas_.plot();
  }

  const BenchmarkSamples& samples_;
  const SamplesView& view_;
  std::string notes_;
  Canvas canvas_;
};

}  // namespace

std::optional<Chart> samples_chart(const BenchmarkSamples& samples) {
  const SamplesView view = view_samples(samples);
  if (view.columns.empty()) return std::nullopt;
  return SamplesChart(samples, view).draw();
}

}  // namespace tracker::plot
