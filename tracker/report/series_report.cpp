#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/event_report.hpp"
#include "tracker/report/event_words.hpp"

namespace tracker::report {
namespace {

constexpr const char* kRed = "\x1b[31m";
constexpr const char* kGreen = "\x1b[32m";
constexpr std::size_t kCommitColumns = 7;
constexpr std::size_t kNarrowColumns = 100;  // below, sparklines are short
constexpr std::size_t kColumnsLeast = 60;
constexpr std::size_t kShortestText = 5;
constexpr std::size_t kNoteIndent = 14;
constexpr std::size_t kSteadyShown = 12;  // series without a change, where there are many
constexpr double kSparkSpanMin = 0.04;

std::string commit_of(const SeriesPoint& point) {
  return printable(point.commit.substr(0, kCommitColumns));
}

std::string day_of(const SeriesPoint& point) {
  return printable(point.date.substr(0, 10));
}

double middle_change(const SeriesDrift& drift) {
  return std::sqrt((1 + drift.change.low) * (1 + drift.change.high)) - 1;
}

const char* step_color(const SeriesStep& step) {
  if (!step.other_conditions.empty() || !step.accepted.empty()) return kDim;
  return step.worse ? kRed : kGreen;
}

std::string step_words(const Series& series, const SeriesStep& step) {
  return change_in_words(series.metric, step.after / step.before - 1);
}

// "not settled yet", "accepted: needed for odd sizes"; empty where there is nothing to say.
std::string step_state(const SeriesStep& step) {
  if (!step.other_conditions.empty()) return "measured under other conditions: " + step.other_conditions;
  if (!step.accepted.empty()) return "accepted: " + step.accepted;
  return step.settled ? "" : "not settled yet";
}

// The terminal that is written to.
struct SeriesPage {
  explicit SeriesPage(const SeriesOptions& options)
      : color(options.color),
        columns(options.columns <= 0 ? 0
                                     : std::max(static_cast<std::size_t>(options.columns), kColumnsLeast)),
        spark_columns(columns > 0 && columns < kNarrowColumns ? 12 : 24) {}

  std::string in(const char* style, const std::string& words) const {
    return color && style != nullptr ? style + words + kReset : words;
  }
  // What is left of the line after so many columns.
  std::size_t left_after(std::size_t used) const {
    return columns == 0 ? kTableUnlimited : std::max(columns - std::min(columns, used), kShortestText);
  }
  std::string indented(const std::string& words, std::size_t indent) const {
    return wrapped(words, columns, std::string(indent, ' '));
  }
  std::string spark(const Series& series) const {
    return sparkline(series.points, 0, series.points.size(), spark_columns, kSparkSpanMin);
  }
  // A character a value, as many before the step as from it on, as far as there are.
  std::string spark_around(const Series& series, std::size_t step) const {
    const std::size_t count = std::min(spark_columns, series.points.size());
    const std::size_t from = std::min(step - std::min(step, count / 2), series.points.size() - count);
    return sparkline(series.points, from, from + count, count, kSparkSpanMin);
  }

  bool color;
  std::size_t columns;
  std::size_t spark_columns;
  std::size_t change_columns = 0;  // of an overview
};

// "  23.1 % slower  344c960  2026-06-10  Take the padding out of the tile".
std::string step_line(const Series& series, const SeriesStep& step, const SeriesPage& page) {
  const SeriesPoint& point = series.points[step.point];
  const std::string head = step_words(series, step);
  const std::string middle = "  " + commit_of(point) + "  " + day_of(point) + "  ";
  const std::size_t used = 2 + display_width(head) + display_width(middle);
  std::string text = "  " + page.in(step_color(step), head) + middle +
                     shorten_end(point.subject, page.left_after(used)) + "\n";
  const std::string state = step_state(step);
  return state.empty() ? text : text + page.indented("[" + state + "]", kNoteIndent);
}

// "drifts: 4.87 % less bandwidth (−5.2 % … −4.55 %) from 1a2b3c4 to 5d6e7f8: 400 commits, no single one".
std::string drift_words(const Series& series, const SeriesDrift& drift) {
  return "drifts: " + change_in_words(series.metric, middle_change(drift)) + " (" +
         format_percent(drift.change.low) + " … " + format_percent(drift.change.high) + ") from " +
         drift.since.substr(0, kCommitColumns) + " to " + commit_of(series.points[drift.to - 1]) + ": " +
         count_of(drift.commits, "commit") + ", no single one" +
         (drift.other_conditions.empty() ? ""
                                         : "; measured under other conditions: " + drift.other_conditions);
}

// "✗ 344c960  2026-06-10   1.001 TB/s  −23.0 %  ±0.3 %  Take the padding out of the tile": marked where a
// step is; the share is the difference from the row below.
std::string value_line(const Series& series, std::size_t at, const SeriesPage& page) {
  const SeriesPoint& point = series.points[at];
  const auto step =
      std::ranges::find_if(series.steps, [&](const SeriesStep& one) { return one.point == at; });
  std::size_t before = at;  // measured in the same setting
  while (before > 0 && (before == at || series.points[before].setting != point.setting)) --before;
  const bool has_before = before < at && series.points[before].setting == point.setting;
  const std::string change = !has_before || series.points[before].median == 0
                                 ? ""
                                 : format_percent(point.median / series.points[before].median - 1);
  const double half = point.median == 0 ? 0 : (point.spread.high - point.spread.low) / 2 / point.median;
  const std::string mark = step == series.steps.end() ? " " : step->worse ? "✗" : "✓";
  const std::string head = commit_of(point) + "  " + day_of(point) + "  " +
                           right_aligned(format_quantity(point.median, series.metric.unit), 11) + "  " +
                           right_aligned(change, 8) + "  " +
                           left_aligned(half > 0 ? "±" + format_share(half) : "", 7) + "  ";
  std::string tail = point.subject;
  if (point.disturbed) tail = "[disturbed] " + tail;
  if (at > 0 && series.points[at - 1].setting != point.setting)
    tail = (series.points[at - 1].method == point.method ? "[another machine] " : "[measured otherwise] ") +
           tail;
  return page.in(step == series.steps.end() ? nullptr : step_color(*step), mark) + " " + head +
         shorten_end(tail, page.left_after(2 + display_width(head))) + "\n";
}

// All values of one series.
std::string values_of(const Series& series, const SeriesPage& page) {
  const SeriesPoint& newest = series.points.back();
  std::string text = page.in(kBold, printable(series.benchmark)) + ", " + printable(series.metric.name) +
                     "\n  " + page.spark(series) + "  " + format_quantity(newest.median, series.metric.unit) +
                     " at " + commit_of(newest) +
                     (series.ended ? "; ended " + day_of(newest) + ": newer runs do not have it" : "") + "\n";
  for (auto step = series.steps.rbegin(); step != series.steps.rend(); ++step)
    text += step_line(series, *step, page);
  for (const auto& drift : series.drifts) text += page.indented(drift_words(series, drift), 2);
  // "~ wanders by up to 3.1 %: the level moves by itself, and no single commit made it"
  if (const std::string words = wandering_of(series); !words.empty()) text += page.indented("~ " + words, 2);
  for (std::size_t i = series.points.size(); i-- > 0;) text += value_line(series, i, page);
  return text;
}

// "  23.1 % less bandwidth  ▇▇▇▁▁▁   1.001 TB/s  transpose/smem_padded/f32/1024x1024".
std::string series_line(const Series& series, const std::string& line, const std::string& change,
                        const char* color, const std::string& note, const SeriesPage& page) {
  // Where nothing changed, its room is the name's.
  const std::string head = change.empty() ? "" : left_aligned(change, page.change_columns) + "  ";
  const std::string middle =
      left_aligned(line, page.spark_columns) + "  " +
      right_aligned(format_quantity(series.points.back().median, series.metric.unit), 11) + "  ";
  const std::size_t used = 2 + display_width(head) + display_width(middle);
  std::string text =
      "  " + page.in(color, head) + middle + shorten_middle(series.benchmark, page.left_after(used)) + "\n";
  return note.empty() ? text : text + page.indented("[" + note + "]", kNoteIndent);
}

// "  0.48 % slower  ▁▁▂▁▅▆▆▅  transpose f32 family (20)  since 1a2b3c4 Check bounds in the tile loader".
std::string together_line(const ChangeEvent& event, const SeriesPage& page) {
  const auto& points = event.together->pooled.points;
  const std::string head = left_aligned(event_size_in_words(event), page.change_columns) + "  ";
  const std::string middle =
      left_aligned(sparkline(points, 0, points.size(), page.spark_columns), page.spark_columns) + "  ";
  const std::string what = event_benchmarks(event) + "  " + event_since(event) +
                           (event.shape == EventShape::kStep ? " " + event.first_seen.subject : "");
  const bool is_over = event.state == EventState::kUndone;
  const char* const color = is_over ? kDim : is_mostly_slower(event) ? kRed : kGreen;
  return "  " + page.in(color, head) + middle +
         shorten_end(what, page.left_after(2 + display_width(head) + display_width(middle))) + "\n" +
         page.indented("[" + event_together(event) + (is_over ? "; " + event_state(event) : "") + "]",
                       kNoteIndent);
}

// The steps of all series, each below its commit, the newest commit on top.
std::string steps_by_commit(const std::vector<Series>& all, const SeriesPage& page) {
  struct Change {
    const Series* series;
    const SeriesStep* step;
  };
  std::map<int, std::vector<Change>, std::greater<>> by_commit;
  for (const auto& series : all)
    for (const auto& step : series.steps)
      by_commit[series.points[step.point].position].push_back({&series, &step});
  const auto size = [](const Change& one) { return std::abs(std::log(one.step->after / one.step->before)); };
  std::string text;
  for (auto& [position, changes] : by_commit) {
    std::ranges::stable_sort(changes, std::greater{}, size);
    const SeriesPoint& point = changes[0].series->points[changes[0].step->point];
    const std::string head = commit_of(point) + "  " + day_of(point) + "  ";
    text +=
        "\n" + page.in(kBold, head + shorten_end(point.subject, page.left_after(display_width(head)))) + "\n";
    for (const auto& [series, step] : changes)
      text += series_line(*series, page.spark_around(*series, step->point), step_words(*series, *step),
                          step_color(*step), step_state(*step), page);
  }
  return text;
}

// A line for each of several.
std::string overview_of(const std::vector<Series>& all, const std::vector<ChangeEvent>& together,
                        bool all_steady, SeriesPage page) {
  const auto widen = [&](const std::string& words) {
    page.change_columns = std::max(page.change_columns, display_width(words));
  };
  for (const auto& series : all) {
    for (const auto& step : series.steps) widen(step_words(series, step));
    for (const auto& drift : series.drifts) widen(change_in_words(series.metric, middle_change(drift)));
  }
  for (const auto& event : together) widen(event_size_in_words(event));
  std::string drifting;
  std::string wandering;
  std::vector<const Series*> steady;
  for (const auto& series : all) {
    for (const auto& drift : series.drifts) {
      const std::string& others = drift.other_conditions;
      drifting +=
          series_line(series, page.spark(series), change_in_words(series.metric, middle_change(drift)),
                      !others.empty() ? kDim
                      : drift.worse   ? kRed
                                      : kGreen,
                      others.empty() ? "" : "measured under other conditions: " + others, page);
    }
    if (!series.steps.empty() || !series.drifts.empty()) continue;
    if (series.wanders > 0)
      wandering +=
          series_line(series, page.spark(series), "~ " + format_share(series.wanders), nullptr, "", page);
    else
      steady.push_back(&series);
  }
  const auto section = [&](const std::string& heading, const std::string& lines) {
    return lines.empty() ? "" : "\n" + page.in(kBold, heading) + "\n" + lines;
  };
  std::string pooled;
  for (const auto& event : together) pooled += together_line(event, page);
  const std::size_t shown = all_steady ? steady.size() : std::min(steady.size(), kSteadyShown);
  std::string unchanged;
  for (std::size_t i = 0; i < shown; ++i)
    unchanged += series_line(*steady[i], page.spark(*steady[i]), "", nullptr, "", page);
  if (shown < steady.size())
    unchanged +=
        page.indented("…" + and_more(steady.size() - shown) + ": --values lists all, with every value", 2);
  return steps_by_commit(all, page) + section("drifts, made by no single commit", drifting) +
         section("only together", pooled) + section(kWanderByThemselves, wandering) +
         section(std::to_string(steady.size()) + " without a change", unchanged);
}

// "nvidia-h200: 7 of 113 benchmarks changed".
std::string heading_of(const std::vector<Series>& all) {
  const auto changed = std::ranges::count_if(
      all, [](const Series& series) { return !series.steps.empty() || !series.drifts.empty(); });
  return all[0].device + (all.size() == 1 ? ""
                                          : ": " + std::to_string(changed) + " of " +
                                                count_of(all.size(), "benchmark") + " changed");
}

}  // namespace

std::string write_series(const std::vector<Series>& all, const SeriesOptions& options,
                         const std::vector<ChangeEvent>& together) {
  if (all.empty()) return "";
  const SeriesPage page(options);
  const bool is_one = all.size() == 1;
  std::string out = heading_of(all) + "\n";
  if (!is_one) out += overview_of(all, together, options.values, page);
  if (is_one || options.values)
    for (const auto& series : all) out += (is_one ? "" : "\n") + values_of(series, page);
  const std::string small = below_threshold_among(all, "");
  return small.empty() ? out : out + "\n" + page.indented(small, 2);
}

}  // namespace tracker::report
