#include "tracker/plot/chart_tables.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/chart_words.hpp"
#include "tracker/plot/comparison_view.hpp"
#include "tracker/plot/roofline_view.hpp"
#include "tracker/plot/samples_words.hpp"
#include "tracker/plot/side_name.hpp"
#include "tracker/plot/views.hpp"

namespace tracker {
namespace {

std::string range_text(double low, double high, const std::string& unit) {
  return "[" + format_quantity(low, unit) + ", " + format_quantity(high, unit) + "]";
}

// What happened at the point: a step, or the change that the comparison judged.
std::string point_change(const Series& series, std::size_t point) {
  const auto step = std::find_if(series.steps.begin(), series.steps.end(),
                                 [&](const SeriesStep& one) { return one.point == point; });
  const bool is_judged = series.judged && point + 1 == series.points.size();
  if (step == series.steps.end()) return is_judged ? format_percent(series.judged->change) : "";
  const double change = is_judged ? series.judged->change : step->after / step->before - 1;
  std::string words = change_in_words(series.metric, change);
  if (!step->accepted.empty()) words += ", accepted";
  if (!step->other_conditions.empty()) words += ", other conditions";
  return words;
}

double point_value(const Series& series, std::size_t point) {
  if (series.judged && point + 1 == series.points.size()) return series.judged->candidate;
  if (series.judged && series.points[point].commit == series.base) return series.judged->base;
  return series.points[point].median;
}

std::vector<std::string> roofline_row(const PlacedPoint& placed) {
  const RooflinePoint& point = placed.point;
  const bool only_moves = point.flops_per_second <= 0;
  return {printable(point.benchmark),
          only_moves ? "–" : format_plain(point.intensity()),
          only_moves ? "–" : format_quantity(point.flops_per_second, "FLOP/s"),
          format_quantity(point.bytes_per_second, "B/s"),
          placed.share ? share_text(*placed.share) : "–",
          placed.share ? printable(placed.limit) : ""};
}

std::vector<std::string> invocation_row(const SamplesView& view, const SampleColumn& column) {
  const auto quantity = [&](double value) {
    return format_number(value) + (view.scale.unit.empty() ? "" : " " + view.scale.unit);
  };
  const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
  return {column.candidate ? "candidate" : "base",
          std::to_string(column.job + 1),
          std::to_string(column.round),
          quantity(column.median),
          quantity(*low) + " … " + quantity(*high),
          std::to_string(column.values.size()),
          column.counts ? "yes" : "no"};
}

}  // namespace

ChartTable table_of(const Series& series, std::size_t rows_max) {
  ChartTable table{words_of(std::vector<Series>{series}).title,
                   {"commit", "date", "value", "interval", "change", "subject"},
                   {},
                   ""};
  for (std::size_t i = series.points.size(); i-- > 0;) {
    const SeriesPoint& point = series.points[i];
    const bool is_step = std::any_of(series.steps.begin(), series.steps.end(),
                                     [&](const SeriesStep& one) { return one.point == i; });
    if (table.rows.size() >= rows_max && !is_step && point.commit != series.base) continue;
    table.rows.push_back({printable(short_id(point.commit)), printable(point.date.substr(0, 10)),
                          format_quantity(point_value(series, i), series.metric.unit),
                          range_text(point.spread.low, point.spread.high, series.metric.unit),
                          point_change(series, i), printable(point.subject)});
  }
  const std::size_t left_out = series.points.size() - table.rows.size();
  if (left_out > 0)
    table.note =
        std::to_string(left_out) + " older values: tracker log '" + printable(series.benchmark) + "'";
  return table;
}

ChartTable table_of(const FamilyOverview& overview) {
  ChartTable table{
      words_of(overview).title, {"shape", "variant", metric_title(overview.metric), "of peak"}, {}, ""};
  for (const auto& panel : overview.panels) {
    const auto peak = peak_in(panel, overview.metric);
    for (const auto& bar : best_first(panel, overview.metric))
      table.rows.push_back({printable(panel.shape), printable(bar.variant),
                            format_quantity(bar.median, overview.metric.unit),
                            peak ? format_share(bar.median / *peak) : ""});
  }
  return table;
}

ChartTable table_of(const SweepGrid& grid) {
  ChartTable table{words_of(grid).title, {printable(grid.row_title)}, {}, ""};
  for (const auto& column : grid.columns) table.header.push_back(printable(column));
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    std::vector<std::string> row{printable(grid.rows[i])};
    for (const auto& cell : grid.cells[i])
      row.push_back(cell ? format_quantity(*cell, grid.metric.unit) : "–");
    table.rows.push_back(std::move(row));
  }
  return table;
}

ChartTable table_of(const Roofline& roofline) {
  ChartTable table{words_of(roofline).title,
                   {"benchmark", "FLOP per byte", "FLOP/s", "bandwidth", "of its roof", "roof"},
                   {},
                   ""};
  const RooflineView view = view_roofline(roofline);
  for (auto at = view.points.begin(); at != view.points.end();) {
    const auto end =
        std::find_if_not(at, view.points.end(), [&](const auto& one) { return same_place(one, *at); });
    for (auto one = end; one != at;) table.rows.push_back(roofline_row(*--one));
    at = end;
  }
  for (const auto& row : view.rows)
    for (auto one = row.points.rbegin(); one != row.points.rend(); ++one)
      table.rows.push_back(roofline_row(*one));
  return table;
}

ChartTable table_of(const ComparisonReport& report) {
  const ComparisonView view = view_comparison(report);
  ChartTable table{words_of(report).title,
                   {"benchmark", "verdict", "change", "interval", "base → candidate"},
                   {},
                   view.left_out};
  for (const auto& row : view.rows)
    table.rows.push_back({printable(row.benchmark),
                          verdict_name(row.verdict) + (row.excused ? std::string(", excused") : ""),
                          row.change ? row.change_text : "", row.interval_text, row.values});
  return table;
}

ChartTable table_of(const BenchmarkSamples& samples, std::size_t rows_max) {
  const SamplesView view = view_samples(samples);
  ChartTable table{words_of(samples).title,
                   {"side", "job", "round", "median", "lowest … highest", "repetitions", "counts"},
                   {},
                   ""};
  const std::size_t first = view.columns.size() > rows_max ? view.columns.size() - rows_max : 0;
  for (std::size_t i = first; i < view.columns.size(); ++i)
    table.rows.push_back(invocation_row(view, view.columns[i]));
  if (first > 0) table.note = count_of(first, "earlier invocation") + " not listed";
  return table;
}

}  // namespace tracker
