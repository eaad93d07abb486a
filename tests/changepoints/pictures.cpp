#include "tests/changepoints/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::changepoints {
namespace {

constexpr double kEdge = 28;
constexpr double kGap = 30;
constexpr double kRow = 30;
constexpr double kBars = 150;
constexpr double kNumbers = 58;  // beside the bars
constexpr double kHeading = 158;
constexpr double kFoot = 26;
constexpr plot::TextStyle kName{17, plot::colour::kInk, plot::Align::kRight};

// "12.5"; gnuplot's own locale is not asked.
std::string number(double value) {
  return std::to_string(value);
}

std::string percent_of(double share) {
  return std::to_string(static_cast<int>(std::lround(100 * share))) + " %";
}

// One row of bars for each detector.
struct Panel {
  const char* title;
  const char* unit;
  std::optional<double> (*share)(const Report& report, const Findings& findings);
};

const Agreement* with_steps_put_in(const Findings& findings) {
  for (const auto& group : findings.groups)
    if (!group.recall.empty()) return &group;
  return nullptr;
}

const std::vector<Panel>& panels() {
  using Share = std::optional<double>;
  static const std::vector<Panel> all{
      {"Latency series", "F1 against labels",
       [](const Report& report, const Findings& one) -> Share {
         for (std::size_t i = 0; i < report.groups.size() && i < one.groups.size(); ++i)
           if (report.groups[i] == "latency" && one.groups[i].series > 0) return one.groups[i].f1;
         return {};
       }},
      {"Steps put in", "F1 of all points",
       [](const Report&, const Findings& one) -> Share {
         const Agreement* steps = with_steps_put_in(one);
         return steps == nullptr ? Share() : steps->pooled_f1;
       }},
      {"Windows without a step", "that are alarmed",
       [](const Report&, const Findings& one) -> Share {
         const Agreement* steps = with_steps_put_in(one);
         return steps == nullptr ? Share() : steps->alarmed.share();
       }},
      {"5 σ, two values after it", "found, recorded noise",
       [](const Report&, const Findings& one) -> Share {
         return one.newest ? Share(one.newest->found.at(2).share()) : Share();
       }},
      {"A drift of 0.05 σ a value", "told, recorded noise",
       [](const Report&, const Findings& one) -> Share {
         return one.creep ? Share(one.creep->drift_without_steps.share()) : Share();
       }},
      {"20 series lose 0.5 σ", "found, recorded noise",
       [](const Report&, const Findings& one) -> Share {
         return one.pooled ? Share(one.pooled->found.share()) : Share();
       }},
  };
  return all;
}

double row_y(const plot::Box& area, std::size_t row) {
  return area.top + kRow * (static_cast<double>(row) + 0.5);
}

void begin(plot::Canvas& canvas) {
  canvas.command("reset");
  canvas.command("unset key");
  canvas.command("set border 0");
  canvas.command("unset tics");
  canvas.command("set multiplot");
}

// Bars from 0 to 100 %, ours in blue; what was not measured has a dash.
void draw_panel(const Panel& panel, const Report& report, const std::string& block, const plot::Box& area,
                plot::Canvas& canvas, std::string& data) {
  canvas.text(area.left, area.top - 42, panel.title, {16, plot::colour::kInk, plot::Align::kLeft, true});
  canvas.text(area.left, area.top - 18, panel.unit, {15, plot::colour::kGrey});
  data += "$" + block + " << EOD\n";
  for (std::size_t row = 0; row < report.findings.size(); ++row) {
    const auto share = panel.share(report, report.findings[row]);
    const bool is_ours = report.findings[row].detector.name == stats::detectors().front().name;
    data += std::to_string(row) + " " + number(share.value_or(0)) + " " +
            (is_ours ? plot::colour::kBlue : plot::colour::kPaleGrey) + "\n";
    canvas.text(area.right + kNumbers, row_y(area, row), share ? percent_of(*share) : "–", kName);
  }
  data += "EOD\n";
  canvas.plot_area(area);
  canvas.command("set xrange [0:1]");
  canvas.command("set yrange [" + number(static_cast<double>(report.findings.size()) - 0.5) + ":-0.5]");
  canvas.command("plot $" + block + " using (0):1:(0):2:($1-0.34):($1+0.34):(" + plot::colour_in_column(3) +
                 ") with boxxyerror lc rgb variable fs solid noborder");
  canvas.command("unset label");
}

plot::Chart scores_chart(const Report& report) {
  double names = 0;
  for (const auto& one : report.findings)
    names = std::max(names, plot::text_width_px(one.detector.name, kName.size_px) + 14);
  const auto count = static_cast<double>(panels().size());
  const double width = 2 * kEdge + names + count * (kBars + kNumbers) + (count - 1) * kGap;
  const double height = kHeading + kRow * static_cast<double>(report.findings.size()) + kFoot;
  plot::Canvas canvas(static_cast<int>(width), static_cast<int>(height));
  std::string data;
  begin(canvas);
  canvas.text(kEdge, 34, "How good change points are", {26, plot::colour::kInk, plot::Align::kLeft, true});
  canvas.text(kEdge, 68, "more is better, but for the third; a dash: too slow, or not recorded",
              {17, plot::colour::kGrey});
  plot::Box area{kEdge + names, kHeading, kEdge + names + kBars, height - kFoot};
  for (std::size_t row = 0; row < report.findings.size(); ++row)
    canvas.text(area.left - 12, row_y(area, row), report.findings[row].detector.name, kName);
  for (std::size_t i = 0; i < panels().size(); ++i) {
    draw_panel(panels()[i], report, "panel" + std::to_string(i), area, canvas, data);
    area.left += kBars + kNumbers + kGap;
    area.right += kBars + kNumbers + kGap;
  }
  canvas.command("unset multiplot");
  return {"changepoint-quality", canvas.width_px(), canvas.height_px(), data, canvas.commands()};
}

struct Example {
  const char* group;
  const char* name;  // that it begins with
  const char* title;
};

constexpr Example kExamples[] = {
    {"latency", "", "A round-trip time, labelled by hand"},
    {"made_up_public", "licences", "A trend with jumps"},
    {"steps", "", "A benchmark’s history, steps put in"},
    {"made_up_public", "quality, outliers", "Outliers are no levels"},
    {"made_up", "seasons, a step", "A season, and a step"},
    {"made_up_public", "three paces", "A trend that changes its pace"},
    {"made_up", "following", "Values that follow one another"},
    {"made_up", "random walk", "A random walk has no steps"},
    {"made_up_public", "tourists", "A season, and growth that gets faster"},
    {"made_up_public", "counts", "Counts with three rates"},
};
constexpr std::size_t kColumns = 3;
constexpr double kPlotWidth = 380;
constexpr double kPlotHeight = 150;
constexpr double kTitle = 44;
constexpr std::size_t kValuesShown = 800;

// One with labels, but not more than can be seen; the first of the group for those without.
const LabelledSeries* example_of(const Example& example, const std::vector<Group>& groups) {
  const LabelledSeries* found = nullptr;
  for (const auto& group : groups)
    if (group.name == example.group)
      for (const auto& series : group.series) {
        const std::size_t labels = series.labels.empty() ? 0 : series.labels.front().size();
        if (!series.name.starts_with(example.name) || series.values.size() > kValuesShown || labels > 6)
          continue;
        const std::size_t most = found == nullptr || found->labels.empty() ? 0 : found->labels.front().size();
        if (found == nullptr || labels > most) found = &series;
      }
  return found;
}

// The level at each value: the line of a drift, or the median between two points.
std::vector<double> levels_of(const LabelledSeries& series, const stats::Changes& changes) {
  std::vector<double> levels(series.values.size(), std::nan(""));
  std::vector<std::size_t> ends{0};
  for (const auto& point : changes.points) ends.push_back(point.at);
  ends.push_back(series.values.size());
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    std::vector<double> values;
    for (std::size_t at = ends[i]; at < ends[i + 1]; ++at)
      if (std::isfinite(series.values[at])) values.push_back(series.values[at]);
    if (values.empty()) continue;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    for (std::size_t at = ends[i]; at < ends[i + 1]; ++at) levels[at] = values[values.size() / 2];
  }
  for (const auto& drift : changes.drifts)
    for (std::size_t at = drift.from; at < drift.to; ++at) {
      const double share = static_cast<double>(at - drift.from) /
                           static_cast<double>(std::max<std::size_t>(1, drift.to - 1 - drift.from));
      levels[at] = drift.is_exponential ? drift.before * std::pow(drift.after / drift.before, share)
                                        : drift.before + (drift.after - drift.before) * share;
    }
  return levels;
}

void draw_example(const Example& example, const LabelledSeries& series, const std::string& block,
                  const plot::Box& area, plot::Canvas& canvas, std::string& data) {
  const auto changes = stats::detectors().front().find(series.values, {});
  const auto levels = levels_of(series, changes);
  canvas.text(area.left, area.top - 20, example.title, {16, plot::colour::kInk, plot::Align::kLeft, true});
  const auto [low, high] = std::minmax_element(
      series.values.begin(), series.values.end(),
      [](double a, double b) { return std::isfinite(a) && (!std::isfinite(b) || a < b); });
  const double margin = std::max(0.08 * (*high - *low), 1e-9);
  data += "$" + block + " << EOD\n";
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    const bool is_end = std::any_of(changes.points.begin(), changes.points.end(),
                                    [&](const stats::ChangePoint& point) { return point.at == i; });
    if (is_end) data += "\n";  // a line ends with its level
    const auto text = [](double value) { return std::isfinite(value) ? number(value) : std::string("NaN"); };
    data += std::to_string(i) + " " + text(series.values[i]) + " " + text(levels[i]) + "\n";
  }
  data += "EOD\n";
  canvas.plot_area(area);
  const auto count = static_cast<double>(series.values.size());
  canvas.command("set xrange [-1:" + number(count) + "]");
  canvas.command("set yrange [" + number(*low - margin) + ":" + number(*high + margin) + "]");
  const double unit = area.width() / (count + 1);
  const auto x_of = [&](std::size_t at) { return area.left + (static_cast<double>(at) + 0.5) * unit; };
  canvas.line(area.left, area.bottom, area.right, area.bottom, {plot::colour::kGrid, 1});
  for (const auto& point : changes.points)
    canvas.line(x_of(point.at), area.top, x_of(point.at), area.bottom,
                {point.bends ? plot::colour::kPurple : plot::colour::kVermilion, 1.5, "(5,4)"});
  if (!series.labels.empty())
    for (const std::size_t label : series.labels.front())
      if (label > 0) canvas.triangle(x_of(label), area.bottom + 9, 7, true, true, plot::colour::kGreen);
  canvas.command("plot $" + block + " using 1:2 with points pt 7 " + plot::point_size(0.35) + " lc " +
                 plot::rgb(plot::colour::kMidGrey) + ", \\\n     $" + block +
                 " using 1:3 with lines lw 2.5 lc " + plot::rgb(plot::colour::kBlue));
  for (const char* what : {"unset label", "unset arrow", "unset object"}) canvas.command(what);
}

std::optional<plot::Chart> examples_chart(const std::vector<Group>& groups) {
  std::vector<std::pair<Example, const LabelledSeries*>> drawn;
  for (const auto& example : kExamples)
    if (const auto* series = example_of(example, groups)) drawn.emplace_back(example, series);
  if (drawn.empty()) return {};
  const std::size_t rows = (drawn.size() + kColumns - 1) / kColumns;
  const double heading = 112;
  const double width = 2 * kEdge + kColumns * kPlotWidth + (kColumns - 1) * kGap;
  const double height = heading + static_cast<double>(rows) * (kTitle + kPlotHeight + 28) + 10;
  plot::Canvas canvas(static_cast<int>(width), static_cast<int>(height));
  std::string data;
  begin(canvas);
  canvas.text(kEdge, 34, "What is found", {26, plot::colour::kInk, plot::Align::kLeft, true});
  double x = kEdge;
  const auto legend = [&](const char* words, const char* colour) {
    canvas.text(x, 70, words, {16, colour, plot::Align::kLeft, true});
    x += plot::text_width_px(words, 16) * 1.12 + 24;
  };
  legend("levels and drifts", plot::colour::kBlue);
  legend("where the level changes", plot::colour::kVermilion);
  legend("where the pace changes", plot::colour::kPurple);
  legend("▲ the truth, or a person's label", plot::colour::kGreen);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::size_t row = i / kColumns;
    const double left = kEdge + static_cast<double>(i % kColumns) * (kPlotWidth + kGap);
    const double top = heading + static_cast<double>(row) * (kTitle + kPlotHeight + 28) + kTitle;
    draw_example(drawn[i].first, *drawn[i].second, "example" + std::to_string(i),
                 {left, top, left + kPlotWidth, top + kPlotHeight}, canvas, data);
  }
  canvas.command("unset multiplot");
  return plot::Chart{"changepoint-examples", canvas.width_px(), canvas.height_px(), data, canvas.commands()};
}

}  // namespace

void write_pictures(const Report& report, const std::vector<Group>& groups,
                    const std::filesystem::path& directory) {
  std::vector<plot::Chart> charts{scores_chart(report)};
  if (auto examples = examples_chart(groups)) charts.push_back(std::move(*examples));
  plot::Drawing drawing;
  drawing.svg = false;
  plot::write_charts(charts, directory, drawing);
}

}  // namespace tracker::changepoints
