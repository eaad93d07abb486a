#include <algorithm>
#include <map>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/roofline.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

// The theoretical peak that shares of a rate are of; nothing where none is known.
std::optional<double> peak_in(const FamilyPanel& panel, const Metric& metric) {
  for (const auto& line : panel.references)
    if (metric.better == Better::kHigher && line.label.find("peak") != std::string::npos && line.value > 0)
      return line.value;
  return {};
}

std::vector<FamilyBar> best_first(const FamilyPanel& panel, const Metric& metric) {
  std::vector<FamilyBar> bars = panel.bars;
  std::ranges::stable_sort(bars, [&](const FamilyBar& a, const FamilyBar& b) {
    return metric.better == Better::kHigher ? a.median > b.median : a.median < b.median;
  });
  return bars;
}

// What happened at the point: a step, or the change that the comparison judged.
std::string point_change(const Series& series, std::size_t point) {
  const auto step = std::ranges::find(series.steps, point, &SeriesStep::point);
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
  return {point.benchmark,
          only_moves ? "–" : format_plain(point.intensity()),
          only_moves ? "–" : format_quantity(point.flops_per_second, "FLOP/s"),
          format_quantity(point.bytes_per_second, "B/s"),
          placed.share ? share_text(*placed.share) : "–",
          placed.share ? placed.limit : ""};
}

std::vector<std::string> invocation_row(const SamplesView& view, const SampleColumn& column) {
  const auto quantity = [&](double value) { return format_number(value) + unit_after(view.scale); };
  const auto [low, high] = std::ranges::minmax_element(column.values);
  return {column.candidate ? "candidate" : "base",
          std::to_string(column.job + 1),
          std::to_string(column.round),
          quantity(column.median),
          quantity(*low) + " … " + quantity(*high),
          std::to_string(column.values.size()),
          column.counts ? "yes" : "no"};
}

std::string step_sentence(const Series& series, const SeriesStep& step) {
  const SeriesPoint& point = series.points[step.point];
  std::string words = step.worse ? "Regressed by " : "Improved by ";
  words += format_percent(step.after / step.before - 1) + " at " + short_id(point.commit) + " (" +
           point.date.substr(0, 10) + ", " + point.subject.str() + ")";
  if (!step.accepted.empty()) words += ", accepted";
  if (!step.other_conditions.empty()) words += ", under other conditions";
  return words + ".";
}

std::string trend_sentences(const Series& series) {
  constexpr std::size_t kStepsNamed = 4;
  if (series.points.empty()) return "";
  const SeriesPoint& newest = series.points.back();
  std::vector<std::string> parts{metric_words(series.metric) + ", over " +
                                 count_of(series.points.size(), "commit") +
                                 ". Newest: " + format_quantity(newest.median, series.metric.unit) + " at " +
                                 short_id(newest.commit) + "."};
  for (auto step = series.steps.rbegin(); step != series.steps.rend() && parts.size() <= kStepsNamed; ++step)
    parts.push_back(step_sentence(series, *step));
  if (series.steps.size() > kStepsNamed)
    parts.push_back("And " + std::to_string(series.steps.size() - kStepsNamed) + " older steps.");
  for (const auto& drift : series.drifts)
    parts.push_back(std::string(drift.worse ? "Drifts for the worse" : "Drifts for the better") + " over " +
                    count_of(drift.commits, "commit") + ".");
  if (series.wanders > 0)
    parts.push_back("W" + wandering_of(series).substr(1) + ".");  // "wanders by up to …"
  else if (series.steps.empty() && series.drifts.empty())
    parts.emplace_back("No step and no drift.");
  return join(parts, " ");
}

constexpr std::size_t kRowsOfTrend = 20;

constexpr const char* kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:1200px;margin:0 auto;padding:16px;color:#24292f;"
    "background:#fff}img{max-width:100%;height:auto}figure{margin:24px 0 40px}nav li{margin:2px 0}"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}"
    "td,th{padding:2px 12px 2px 0;text-align:left;border-bottom:1px solid #e4e7eb}summary{cursor:pointer}"
    "a{color:#0072b2}@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}a{color:#56b4e9}"
    "td,th{border-color:#262c34}}";

std::string escaped(const std::string& text) {
  std::string out = xml_escaped(printable(text));
  replace_every(out, "\"", "&quot;");
  return out;
}

// A cell, or text between them: no sign of it means anything to Markdown.
std::string markdown_escaped(const std::string& text) {
  std::string out;
  for (const char c : escaped(text)) {
    if (std::string("\\`*_{}[]#|~!").find(c) != std::string::npos) out += '\\';
    out += c;
  }
  return out;
}

// File names are slugs: nothing in them needs escaping.
std::string light_name(const ChartFiles& files) {
  for (const auto* file : {&files.svg, &files.dark_svg, &files.png, &files.dark_png})
    if (!file->empty()) return file->filename().string();
  return "";
}

std::string picture_html(const IndexedChart& chart) {
  const std::string alt = escaped(chart.words.title + ". " + chart.words.description);
  const std::string image =
      "<img loading=\"lazy\" src=\"" + light_name(chart.files) + "\" alt=\"" + alt + "\">";
  if (chart.files.svg.empty() || chart.files.dark_svg.empty()) return image;
  return "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"" +
         chart.files.dark_svg.filename().string() + "\">" + image + "</picture>";
}

std::string table_html(const ChartTable& table) {
  std::string html = "<div class=\"scroll\"><table><tr>";
  for (const auto& cell : table.header) html += "<th scope=\"col\">" + escaped(cell) + "</th>";
  html += "</tr>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (const auto& cell : row) html += "<td>" + escaped(cell) + "</td>";
    html += "</tr>\n";
  }
  html += "</table></div>\n";
  if (!table.note.empty()) html += "<p>" + escaped(table.note) + "</p>\n";
  return html;
}

std::string row_markdown(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& cell : cells) line += " " + markdown_escaped(cell) + " |";
  return line + "\n";
}

std::string data_markdown(const IndexedChart& chart) {
  std::string text = "\n<details><summary>Data: " + escaped(chart.words.title) + "</summary>\n";
  for (const auto& table : chart.tables) {
    if (chart.tables.size() > 1) text += "\n" + markdown_escaped(table.title) + "\n";
    text += "\n" + row_markdown(table.header) + "|";
    for (std::size_t i = 0; i < table.header.size(); ++i) text += "---|";
    text += "\n";
    for (const auto& row : table.rows) text += row_markdown(row);
    if (!table.note.empty()) text += "\n" + markdown_escaped(table.note) + "\n";
  }
  return text + "\n</details>\n";
}

template <typename What>
std::vector<IndexedChart> index_of(const char* section, const std::vector<What>& all,
                                   const std::vector<ChartFiles>& files) {
  std::vector<IndexedChart> charts;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!light_name(files[i]).empty())
      charts.push_back({section, files[i], words_of(all[i]), {table_of(all[i])}});
  return charts;
}

}  // namespace

ChartTable table_of(const Series& series, std::size_t rows_max) {
  ChartTable table{.title = words_of(std::vector<Series>{series}).title,
                   .header = {"commit", "date", "value", "interval", "change", "subject"}};
  for (std::size_t i = series.points.size(); i-- > 0;) {
    const SeriesPoint& point = series.points[i];
    const bool is_step = std::ranges::find(series.steps, i, &SeriesStep::point) != series.steps.end();
    if (table.rows.size() >= rows_max && !is_step && point.commit != series.base) continue;
    table.rows.push_back({short_id(point.commit), point.date.substr(0, 10),
                          format_quantity(point_value(series, i), series.metric.unit),
                          "[" + format_quantity(point.spread.low, series.metric.unit) + ", " +
                              format_quantity(point.spread.high, series.metric.unit) + "]",
                          point_change(series, i), point.subject});
  }
  const std::size_t left_out = series.points.size() - table.rows.size();
  if (left_out > 0)
    table.note = std::to_string(left_out) + " older values: tracker log " + in_quotes(series.benchmark);
  return table;
}

ChartTable table_of(const FamilyOverview& overview) {
  ChartTable table{.title = words_of(overview).title,
                   .header = {"shape", "variant", metric_title(overview.metric), "of peak"}};
  for (const auto& panel : overview.panels) {
    const auto peak = peak_in(panel, overview.metric);
    for (const auto& bar : best_first(panel, overview.metric))
      table.rows.push_back({panel.shape, bar.variant, format_quantity(bar.median, overview.metric.unit),
                            peak ? format_share(bar.median / *peak) : ""});
  }
  return table;
}

ChartTable table_of(const SweepGrid& grid) {
  ChartTable table{.title = words_of(grid).title, .header = {grid.row_title}};
  table.header.insert(table.header.end(), grid.columns.begin(), grid.columns.end());
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    std::vector<std::string> row{grid.rows[i]};
    for (const auto& cell : grid.cells[i])
      row.push_back(cell ? format_quantity(*cell, grid.metric.unit) : "–");
    table.rows.push_back(std::move(row));
  }
  return table;
}

ChartTable table_of(const Roofline& roofline) {
  ChartTable table{.title = words_of(roofline).title,
                   .header = {"benchmark", "FLOP per byte", "FLOP/s", "bandwidth", "of its roof", "roof"}};
  const RooflineView view = view_roofline(roofline);
  for (const PlacedPoint* point : fastest_first(view)) table.rows.push_back(roofline_row(*point));
  return table;
}

ChartTable table_of(const ComparisonReport& report) {
  const ComparisonView view = view_comparison(report);
  ChartTable table{.title = words_of(report).title,
                   .header = {"benchmark", "verdict", "change", "interval", "base → candidate"},
                   .note = view.left_out};
  for (const auto& row : view.rows)
    table.rows.push_back({row.benchmark,
                          verdict_name(row.verdict) + (row.excused ? std::string(", excused") : ""),
                          row.change ? row.change_text : "", row.interval_text, row.values});
  return table;
}

ChartTable table_of(const BenchmarkSamples& samples, std::size_t rows_max) {
  const SamplesView view = view_samples(samples);
  ChartTable table{.title = words_of(samples).title,
                   .header = {"side", "job", "round", "median", "lowest … highest", "repetitions", "counts"}};
  const std::size_t first = view.columns.size() > rows_max ? view.columns.size() - rows_max : 0;
  for (std::size_t i = first; i < view.columns.size(); ++i)
    table.rows.push_back(invocation_row(view, view.columns[i]));
  if (first > 0) table.note = count_of(first, "earlier invocation") + " not listed";
  return table;
}

Words words_of(const std::vector<Series>& devices) {
  Words words;
  if (devices.empty()) return words;
  const bool alone = devices.size() == 1;
  words.title = "Trend of " + devices[0].benchmark + " on " +
                (alone ? devices[0].device : count_of(devices.size(), "device"));
  std::vector<std::string> parts;
  for (const auto& series : devices)
    parts.push_back((alone ? "" : series.device + ": ") + trend_sentences(series));
  words.description = join(parts, " ");
  return words;
}

Words words_of(const FamilyOverview& overview) {
  std::vector<std::string> parts{metric_title(overview.metric) + " of all variants, " +
                                 better_text(overview.metric) + "."};
  for (const auto& panel : overview.panels) {
    const auto bars = best_first(panel, overview.metric);
    if (bars.empty()) continue;
    std::string best = panel.shape + ": best is " + bars[0].variant + " with " +
                       format_quantity(bars[0].median, overview.metric.unit);
    if (const auto peak = peak_in(panel, overview.metric))
      best += ", " + format_share(bars[0].median / *peak) + " of the peak";
    parts.push_back(best + ".");
  }
  return {
      "All variants of " + overview.family + " on " + overview.device + " at " + short_id(overview.commit),
      join(parts, " ")};
}

Words words_of(const SweepGrid& grid) {
  return {"Sweep of " + grid.title + " on " + grid.device + " at " + short_id(grid.commit),
          metric_words(grid.metric) + ": " + count_of(grid.rows.size(), "row") + " by " +
              count_of(grid.columns.size(), "column") + "."};
}

Words words_of(const Roofline& roofline) {
  std::string best;
  double highest = 0;
  for (const auto& point : roofline.points)
    if (!point.is_bound && point.flops_per_second > highest) {
      highest = point.flops_per_second;
      best = "The fastest is " + point.benchmark + " with " + format_quantity(highest, "FLOP/s") + ".";
    }
  return {"Roofline of " + roofline.device + " at " + short_id(roofline.commit),
          count_of(roofline.points.size(), "benchmark") +
              " under the limits of the device, by floating-point rate and arithmetic intensity. " + best};
}

Words words_of(const ComparisonReport& report) {
  return {"Changes of " + count_of(report.comparisons.size(), "benchmark") + " on " + report.device +
              " from " + side_name(report.base) + " to " + side_name(report.candidate),
          counts_in_words(count_verdicts(report)) + "."};
}

Words words_of(const BenchmarkSamples& samples) {
  const Comparison& comparison = samples.comparison;
  std::string words = count_of(samples.base.size(), "invocation") + " of the base and " +
                      std::to_string(samples.candidate.size()) +
                      " of the candidate: " + verdict_name(comparison.verdict);
  if (comparison.change) words += ", " + format_percent(*comparison.change);
  return {"Samples of " + comparison.benchmark + " on " + samples.device, words + "."};
}

std::vector<IndexedChart> index_charts(const std::vector<FamilyOverview>& overviews,
                                       const std::vector<ChartFiles>& overview_files,
                                       const std::vector<Series>& series,
                                       const std::vector<ChartFiles>& trend_files) {
  std::vector<IndexedChart> charts = index_of("Families", overviews, overview_files);
  // Series that share a picture are one chart.
  std::vector<std::vector<Series>> groups;
  std::vector<ChartFiles> files;
  std::map<std::string, std::size_t> group_of;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::string name = light_name(trend_files[i]);
    if (name.empty()) continue;
    const auto [at, is_new] = group_of.emplace(name, groups.size());
    if (is_new) {
      groups.emplace_back();
      files.push_back(trend_files[i]);
    }
    groups[at->second].push_back(series[i]);
  }
  const auto changes = [](const std::vector<Series>& group) {
    for (const auto& one : group)
      if (!one.steps.empty() || !one.drifts.empty()) return true;
    return false;
  };
  for (const bool changed : {true, false})
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (changes(groups[i]) != changed) continue;
      IndexedChart chart{changed ? "Changed" : "Without a change", files[i], words_of(groups[i]), {}};
      for (const auto& one : groups[i]) chart.tables.push_back(table_of(one, kRowsOfTrend));
      charts.push_back(std::move(chart));
    }
  return charts;
}

std::vector<IndexedChart> index_charts(const std::vector<SweepGrid>& grids,
                                       const std::vector<ChartFiles>& files) {
  return index_of("Sweeps", grids, files);
}

std::vector<IndexedChart> index_charts(const std::vector<Roofline>& rooflines,
                                       const std::vector<ChartFiles>& files) {
  return index_of("Rooflines", rooflines, files);
}

std::string index_html(const std::vector<IndexedChart>& charts) {
  const std::string heading = count_of(charts.size(), "chart");
  std::string nav;
  std::string body;
  std::string section;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const IndexedChart& chart = charts[i];
    if (chart.section != section) {
      if (!section.empty()) nav += "</ul></details>\n";
      section = chart.section;
      nav += "<details" + std::string(i == 0 || section == "Changed" ? " open" : "") + "><summary>" +
             escaped(section) + "</summary><ul>\n";
      body += "<h2>" + escaped(section) + "</h2>\n";
    }
    const std::string id = "c" + std::to_string(i);
    nav += "<li><a href=\"#" + id + "\">" + escaped(chart.words.title) + "</a></li>\n";
    body += "<figure id=\"" + id + "\">" + picture_html(chart) + "<figcaption>" +
            escaped(chart.words.description) + "</figcaption>\n<details><summary>Data</summary>\n";
    for (const auto& table : chart.tables)
      body += (chart.tables.size() > 1 ? "<p>" + escaped(table.title) + "</p>\n" : "") + table_html(table);
    body += "</details></figure>\n";
  }
  if (!section.empty()) nav += "</ul></details>\n";
  return "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
         heading + "</title><style>" + kStyle + "</style>\n<h1>" + heading + "</h1>\n<nav>" + nav +
         "</nav>\n" + body + "</html>\n";
}

std::string index_markdown(const std::vector<IndexedChart>& charts) {
  std::string text = "# " + count_of(charts.size(), "chart") + "\n";
  for (auto chart = charts.begin(); chart != charts.end();) {
    const auto end =
        std::find_if(chart, charts.end(), [&](const auto& one) { return one.section != chart->section; });
    text += "\n## " + chart->section + "\n| chart | what it shows |\n|---|---|\n";
    std::string data;
    for (; chart != end; ++chart) {
      text += "| [" + markdown_escaped(chart->words.title) + "](" + light_name(chart->files) + ") | " +
              markdown_escaped(chart->words.description) + " |\n";
      data += data_markdown(*chart);
    }
    text += data;
  }
  return text;
}

void write_index(const std::vector<IndexedChart>& charts, const std::filesystem::path& directory,
                 const std::string& name) {
  if (charts.empty()) return;
  write_file(directory / (name + ".html"), index_html(charts));
  write_file(directory / (name + ".md"), index_markdown(charts));
}

}  // namespace tracker::plot
