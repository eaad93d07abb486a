// Every repetition of every invocation of both sides, and the distribution beside it.
#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/samples_view.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

constexpr int kSamplesWidthPx = 1200;
constexpr int kHeightPx = 602;
constexpr int kNotesPx = 28;  // of that, where there are any
constexpr double kSamplesEdge = 24;
constexpr Box kColumns{92, 150, 800, 520};
constexpr Box kDensities{816, 150, 1040, 520};
constexpr double kSamplesText = 16;
constexpr double kLabelDistance = 46;  // between the two values at the right

const TextStyle kGreyText{kSamplesText, colour::kGrey};
const TextStyle kGreyCenter{15, colour::kGrey, Align::kCenter};
const TextStyle kGreyRight{15, colour::kGrey, Align::kRight};

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

std::string block(const std::string& name, const std::string& rows) {
  return "$" + name + " << EOD\n" + rows + "EOD\n";
}

class SamplesChart {
 public:
  SamplesChart(const BenchmarkSamples& samples, const SamplesView& view)
      : samples_(samples),
        view_(view),
        notes_(join(notes_of(view), "   ·   ")),
        canvas_(kSamplesWidthPx, notes_.empty() ? kHeightPx - kNotesPx : kHeightPx) {}
  Chart draw();

 private:
  void heading();
  void legend();
  void axis();
  void axis_break();
  void threshold();
  void sides();
  void column_names();
  void round_names();
  void side_names();
  void side_value(bool candidate, double y);
  void plot_columns();
  void plot_densities();
  void add(std::vector<std::string>& parts, const std::string& name, const std::string& rows,
           const std::string& how);
  double x_px(double place) const { return kColumns.left + place / view_.width * kColumns.width(); }
  double y_px(double value) const { return kColumns.bottom - view_.place(value) * kColumns.height(); }
  double column_px() const { return kColumns.width() / view_.width; }

  const BenchmarkSamples& samples_;
  const SamplesView& view_;
  std::string notes_;
  Canvas canvas_;
  std::string data_;
};

void SamplesChart::heading() {
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
  canvas_.text(kSamplesEdge, 36, fit_text(comparison.benchmark, room, 24, true),
               {24, colour::kInk, Align::kLeft, true});
  const std::string tail = "  ·  " + fit_text(metric_title(comparison.metric), 240, kSamplesText) + ", " +
                           better_text(comparison.metric);
  const double device = right - kSamplesEdge - text_width_px(verdict + tail, kSamplesText) - 30;
  canvas_.text(kSamplesEdge, 68, fit_text(samples_.device, device, kSamplesText) + tail, kGreyText);
}

void SamplesChart::legend() {
  const double y = 102;
  double x = kSamplesEdge;
  const auto words = [&](const std::string& text, const char* colour, bool bold) {
    canvas_.text(x, y, text, {kSamplesText, colour, Align::kLeft, bold});
    x += text_width_px(text, kSamplesText, bold) + 28;
  };
  const auto side = [&](bool candidate, const Side& of) {
    const SideStyle& style = style_of(candidate);
    canvas_.mark(x + 6, y, {7, 0.8, style.dots});
    canvas_.line(x, y, x + 26, y, {style.strong, 3});
    canvas_.mark(x + 20, y, {7, 0.8, style.dots});
    x += 36;
    words(fit_text((candidate ? "candidate " : "base ") + side_name(of), 330, kSamplesText), style.strong,
          false);
  };
  if (!samples_.base.empty()) side(false, samples_.base_side);
  if (!samples_.candidate.empty()) side(true, samples_.candidate_side);
  words("dot: a repetition, line: the median of an invocation", colour::kGrey, false);
}

void SamplesChart::axis() {
  const bool is_broken = view_.parts.size() > 1;
  const auto near_break = [&](double y) {
    const double middle = (view_.parts[0].top + view_.parts[1].bottom) / 2;
    return std::abs(y - (kColumns.bottom - middle * kColumns.height())) < 24;
  };
  const TextStyle unit{15, colour::kGrey};
  canvas_.text(kSamplesEdge, kColumns.top - 16, fit_text(view_.scale.unit, 300, unit.size_px), unit);
  for (const auto& part : view_.parts) {
    const double share = part.top - part.bottom;
    const int least = share * kColumns.height() > 60 ? 3 : 1;
    const int count = std::max(static_cast<int>(std::lround(share * 7)), least);
    for (const auto& tic : make_tics(part.low, part.high, count)) {
      const double y = y_px(tic.value);
      if (is_broken && near_break(y)) continue;
      canvas_.text(kColumns.left - 10, y, tic.label, kGreyRight);
      for (const Box* panel : {&kColumns, &kDensities})
        canvas_.line(panel->left, y, panel->right, y, {colour::kGrid, 1});
    }
  }
}

void SamplesChart::axis_break() {
  if (view_.parts.size() < 2) return;
  const auto edge = [&](double share) { return kColumns.bottom - share * kColumns.height(); };
  const double low = edge(view_.parts[0].top);
  const double high = edge(view_.parts[1].bottom);
  for (const Box* panel : {&kColumns, &kDensities})
    for (const double y : {low, high})
      canvas_.line(panel->left, y, panel->right, y, {colour::kMidGrey, 1, "(3,5)"});
  const double middle = (low + high) / 2;
  canvas_.text(kColumns.left - 10, middle, "≈", kGreyRight);
}

void SamplesChart::threshold() {
  if (!view_.threshold) return;
  for (const Box* panel : {&kColumns, &kDensities})
    canvas_.rectangle({panel->left, y_px(view_.threshold->high), panel->right, y_px(view_.threshold->low)},
                      colour::kBand);
}

void SamplesChart::side_value(bool candidate, double y) {
  const auto& value = candidate ? view_.candidate_value : view_.base_value;
  const SideStyle& style = style_of(candidate);
  const double x = kDensities.right + 12;
  const std::string unit = view_.scale.unit.empty() ? "" : " " + view_.scale.unit;
  canvas_.text(x, y - 10, fit_text(format_number(*value) + unit, kSamplesWidthPx - x - 6, 18, true),
               {18, style.strong, Align::kLeft, true});
  canvas_.text(x, y + 11, candidate ? "candidate" : "base", {15, style.strong});
}

// The values that are compared, as lines through both panels, with their figures at the right.
void SamplesChart::sides() {
  for (const bool candidate : {false, true}) {
    const auto& value = candidate ? view_.candidate_value : view_.base_value;
    if (!value) continue;
    for (const Box* panel : {&kColumns, &kDensities})
      canvas_.line(panel->left, y_px(*value), panel->right, y_px(*value),
                   {style_of(candidate).strong, 1, "(7,5)"});
  }
  if (!view_.base_value && !view_.candidate_value) return;
  double base = view_.base_value ? y_px(*view_.base_value) : 0;
  double candidate = view_.candidate_value ? y_px(*view_.candidate_value) : 0;
  if (view_.base_value && view_.candidate_value && std::abs(base - candidate) < kLabelDistance) {
    const double middle = (base + candidate) / 2;
    const double half = base < candidate ? kLabelDistance / 2 : -kLabelDistance / 2;
    base = middle - half;
    candidate = middle + half;
  }
  if (view_.base_value) side_value(false, base);
  if (view_.candidate_value) side_value(true, candidate);
}

// Below each pair its round, as many as fit.
void SamplesChart::round_names() {
  double free_from = 0;
  for (std::size_t i = 0; i < view_.columns.size();) {
    std::size_t end = i;
    while (end < view_.columns.size() && view_.columns[end].round == view_.columns[i].round) ++end;
    const double x = x_px((view_.columns[i].place + view_.columns[end - 1].place) / 2);
    const std::string name = std::to_string(view_.columns[i].round);
    const double half = text_width_px(name, 15) / 2 + 7;
    if (x - half >= free_from) {
      canvas_.text(x, kColumns.bottom + 18, name, kGreyCenter);
      free_from = x + half;
    }
    i = end;
  }
  canvas_.text((kColumns.left + kColumns.right) / 2, kColumns.bottom + 42,
               "round: both sides measured side by side, in one job", kGreyCenter);
}

void SamplesChart::side_names() {
  for (const bool candidate : {false, true}) {
    const auto is_side = [&](const SampleColumn& column) { return column.candidate == candidate; };
    const auto first = std::find_if(view_.columns.begin(), view_.columns.end(), is_side);
    if (first == view_.columns.end()) continue;
    const auto last = std::find_if(view_.columns.rbegin(), view_.columns.rend(), is_side);
    const int jobs = last->job + 1;
    const auto count = std::count_if(view_.columns.begin(), view_.columns.end(), is_side);
    const std::string words = std::string(candidate ? "candidate: " : "base: ") +
                              count_of(count, "invocation") +
                              (jobs > 1 ? " in " + count_of(jobs, "job") : "");
    const double x = x_px((first->place + last->place) / 2);
    canvas_.text(x, kColumns.bottom + 18, words, kGreyCenter);
  }
  for (std::size_t i = 1; i < view_.columns.size(); ++i) {
    const SampleColumn& before = view_.columns[i - 1];
    const SampleColumn& after = view_.columns[i];
    if (before.candidate != after.candidate || before.job == after.job) continue;
    const double x = x_px((before.place + after.place) / 2);
    canvas_.line(x, kColumns.top, x, kColumns.bottom, {colour::kMidGrey, 1, "(2,5)"});
  }
}

void SamplesChart::column_names() {
  view_.paired ? round_names() : side_names();
  const double middle = (kDensities.left + kDensities.right) / 2;
  canvas_.text(middle - 10, kDensities.bottom + 18, "base", kGreyRight);
  canvas_.text(middle + 10, kDensities.bottom + 18, "candidate", {15, colour::kGrey});
  canvas_.text(middle, kDensities.bottom + 42, "how often", kGreyCenter);
}

void SamplesChart::add(std::vector<std::string>& parts, const std::string& name, const std::string& rows,
                       const std::string& how) {
  if (rows.empty()) return;
  data_ += block(name, rows);
  parts.push_back("$" + name + " " + how);
}

void SamplesChart::plot_columns() {
  const std::string size = point_size(std::clamp(column_px() / 40, 0.4, 0.75));
  std::vector<std::string> parts;
  add(parts, "pairs", pair_rows(view_), "using 1:2 with lines lw 1.2 lc " + rgb(colour::kPaleGrey));
  for (const bool candidate : {false, true}) {
    const std::string side = candidate ? "candidate" : "base";
    const SideStyle& style = style_of(candidate);
    add(parts, side + "_dots", dot_rows(view_, candidate, true),
        "using 1:2 with points pt 7 " + size + " lc " + rgb(style.dots));
    add(parts, side + "_left_out", dot_rows(view_, candidate, false),
        "using 1:2 with points pt 6 " + size + " lw 1.2 lc " + rgb(style.dots));
    for (const bool above : {false, true})
      add(parts, side + (above ? "_above" : "_below"), beyond_rows(view_, candidate, above),
          "using 1:2 with points " + point_size(1) + (above ? " pt 9" : " pt 11") + " lc " +
              rgb(style.strong));
    add(parts, side + "_medians", median_rows(view_, candidate),
        "using 1:2:(" + plain_number(kMedianWidth) + "):(0) with vectors nohead lw 3 lc " +
            rgb(style.strong));
  }
  if (parts.empty()) parts.emplace_back("2");  // out of sight: a picture needs a plot
  canvas_.plot_area(kColumns);
  canvas_.command("set xrange [0:" + plain_number(view_.width) + "]");
  canvas_.command("plot " + join(parts, ", \\\n     "));
  canvas_.command("unset label");
  canvas_.command("unset arrow");
  canvas_.command("unset object");
}

// Back to back: the base to the left of the middle, the candidate to the right of it.
void SamplesChart::plot_densities() {
  std::vector<std::string> parts;
  for (const bool candidate : {false, true}) {
    const std::string rows = density_rows(view_, candidate);
    const SideStyle& style = style_of(candidate);
    const std::string name = candidate ? "candidate_density" : "base_density";
    add(parts, name, rows, "using 1:2 with filledcurves x=0 fs solid noborder fc " + rgb(style.fill));
    if (!rows.empty()) parts.push_back("$" + name + " using 1:2 with lines lw 1.6 lc " + rgb(style.strong));
  }
  if (parts.empty()) return;
  canvas_.plot_area(kDensities);
  canvas_.command("set xrange [-1.05:1.05]");
  canvas_.command("plot " + join(parts, ", \\\n     "));
}

Chart SamplesChart::draw() {
  canvas_.command("reset");
  canvas_.command("unset key");
  canvas_.command("unset border");
  canvas_.command("unset tics");
  canvas_.command("set yrange [0:1]");
  canvas_.command("set multiplot");
  heading();
  legend();
  threshold();
  axis();
  axis_break();
  sides();
  column_names();
  canvas_.text(kSamplesEdge, kHeightPx - 20, fit_text(notes_, kSamplesWidthPx - 2 * kSamplesEdge, 15),
               {15, colour::kGrey});
  plot_columns();
  plot_densities();
  canvas_.command("unset multiplot");
  return {{}, canvas_.width_px(), canvas_.height_px(), data_, canvas_.commands()};
}

}  // namespace

std::optional<Chart> samples_chart(const BenchmarkSamples& samples) {
  const SamplesView view = view_samples(samples);
  if (view.columns.empty()) return std::nullopt;
  return SamplesChart(samples, view).draw();
}

}  // namespace tracker::plot
