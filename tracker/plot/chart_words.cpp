#include "tracker/plot/chart_words.hpp"

#include <algorithm>
#include <cctype>

#include "tracker/base/text.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/side_name.hpp"
#include "tracker/plot/views.hpp"

namespace tracker {
namespace {

std::string short_commit(const std::string& commit) {
  return printable(short_id(commit));
}

std::string as_sentence(std::string words) {
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words + ".";
}

std::string step_sentence(const Series& series, const SeriesStep& step) {
  const SeriesPoint& point = series.points[step.point];
  std::string words = step.worse ? "Regressed by " : "Improved by ";
  words += format_percent(step.after / step.before - 1) + " at " + short_commit(point.commit) + " (" +
           printable(point.date.substr(0, 10)) + ", " + printable(point.subject) + ")";
  if (!step.accepted.empty()) words += ", accepted";
  if (!step.other_conditions.empty()) words += ", under other conditions";
  return words + ".";
}

std::string trend_sentences(const Series& series) {
  constexpr std::size_t kStepsNamed = 4;
  if (series.points.empty()) return "";
  const SeriesPoint& newest = series.points.back();
  std::vector<std::string> parts{metric_title(series.metric) + ", " + better_text(series.metric) + ", over " +
                                 count_of(series.points.size(), "commit") +
                                 ". Newest: " + format_quantity(newest.median, series.metric.unit) + " at " +
                                 short_commit(newest.commit) + "."};
  for (auto step = series.steps.rbegin(); step != series.steps.rend() && parts.size() <= kStepsNamed; ++step)
    parts.push_back(step_sentence(series, *step));
  if (series.steps.size() > kStepsNamed)
    parts.push_back("And " + std::to_string(series.steps.size() - kStepsNamed) + " older steps.");
  for (const auto& drift : series.drifts)
    parts.push_back(std::string(drift.worse ? "Drifts for the worse" : "Drifts for the better") + " over " +
                    count_of(drift.commits, "commit") + ".");
  if (series.wanders > 0)
    parts.push_back(as_sentence(wandering_of(series)));
  else if (series.steps.empty() && series.drifts.empty())
    parts.emplace_back("No step and no drift.");
  return join(parts, " ");
}

}  // namespace

ChartWords words_of(const std::vector<Series>& devices) {
  ChartWords words;
  if (devices.empty()) return words;
  const bool alone = devices.size() == 1;
  words.title = "Trend of " + printable(devices[0].benchmark) + " on " +
                (alone ? printable(devices[0].device) : count_of(devices.size(), "device"));
  std::vector<std::string> parts;
  for (const auto& series : devices)
    parts.push_back((alone ? "" : printable(series.device) + ": ") + trend_sentences(series));
  words.description = join(parts, " ");
  return words;
}

ChartWords words_of(const FamilyOverview& overview) {
  std::vector<std::string> parts{metric_title(overview.metric) + " of all variants, " +
                                 better_text(overview.metric) + "."};
  for (const auto& panel : overview.panels) {
    const auto bars = best_first(panel, overview.metric);
    if (bars.empty()) continue;
    std::string best = printable(panel.shape) + ": best is " + printable(bars[0].variant) + " with " +
                       format_quantity(bars[0].median, overview.metric.unit);
    if (const auto peak = peak_in(panel, overview.metric))
      best += ", " + format_share(bars[0].median / *peak) + " of the peak";
    parts.push_back(best + ".");
  }
  return {"All variants of " + printable(overview.family) + " on " + printable(overview.device) + " at " +
              short_commit(overview.commit),
          join(parts, " ")};
}

ChartWords words_of(const SweepGrid& grid) {
  return {"Sweep of " + printable(grid.title) + " on " + printable(grid.device) + " at " +
              short_commit(grid.commit),
          metric_title(grid.metric) + ", " + better_text(grid.metric) + ": " +
              count_of(grid.rows.size(), "row") + " by " + count_of(grid.columns.size(), "column") + "."};
}

ChartWords words_of(const Roofline& roofline) {
  std::string best;
  double highest = 0;
  for (const auto& point : roofline.points)
    if (!point.is_bound && point.flops_per_second > highest) {
      highest = point.flops_per_second;
      best = "The fastest is " + printable(point.benchmark) + " with " + format_quantity(highest, "FLOP/s") +
             ".";
    }
  return {"Roofline of " + printable(roofline.device) + " at " + short_commit(roofline.commit),
          count_of(roofline.points.size(), "benchmark") +
              " under the limits of the device, by floating-point rate and arithmetic intensity. " + best};
}

ChartWords words_of(const ComparisonReport& report) {
  std::vector<std::string> counts;
  const auto by_verdict = count_verdicts(report);
  for (const Verdict verdict : all_verdicts())
    if (const auto found = by_verdict.find(verdict); found != by_verdict.end())
      counts.push_back(std::to_string(found->second) + " " + verdict_name(verdict));
  return {"Changes of " + count_of(report.comparisons.size(), "benchmark") + " on " +
              printable(report.device) + " from " + side_name(report.base) + " to " +
              side_name(report.candidate),
          join(counts, ", ") + "."};
}

ChartWords words_of(const BenchmarkSamples& samples) {
  const Comparison& comparison = samples.comparison;
  std::string words = count_of(samples.base.size(), "invocation") + " of the base and " +
                      std::to_string(samples.candidate.size()) +
                      " of the candidate: " + verdict_name(comparison.verdict);
  if (comparison.change) words += ", " + format_percent(*comparison.change);
  return {"Samples of " + printable(comparison.benchmark) + " on " + printable(samples.device), words + "."};
}

}  // namespace tracker
