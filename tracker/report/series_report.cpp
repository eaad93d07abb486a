#include "tracker/report/series_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/event_words.hpp"

namespace tracker::report {
namespace {

constexpr const char* kRed = "\x1b[31m";
constexpr const char* kGreen = "\x1b[32m";
constexpr std::size_t kCommitColumns = 7;
constexpr std::size_t kNarrowColumns = 100;  // below, sparklines are short
constexpr std::size_t kColumnsLeast = 60;
constexpr std::size_t kShortestText = 5;
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

class SeriesText {
 public:
  explicit SeriesText(const SeriesOptions& options)
      : color_(options.color),
        columns_(options.columns <= 0 ? 0
                                      : std::max(static_cast<std::size_t>(options.columns), kColumnsLeast)) {}

  // All values of one series.
  void add_values(const Series& series);
  // A line for each of several.
  void add_overview(const std::vector<Series>& all, const std::vector<ChangeEvent>& together,
                    bool all_steady);
  void add_wrapped(const std::string& words, std::size_t indent);
  std::string text() const { return text_; }

 private:
  std::string colored_in(const char* color, const std::string& words) const {
    return color_ ? color + words + kReset : words;
  }
  std::size_t spark_columns() const { return columns_ > 0 && columns_ < kNarrowColumns ? 12 : 24; }
  std::string spark(const Series& series) const {
    return sparkline(series.points, 0, series.points.size(), spark_columns(), kSparkSpanMin);
  }
  // A character a value, as many before the step as from it on, as far as there are.
  std::string spark_around(const Series& series, std::size_t step) const {
    const std::size_t count = std::min(spark_columns(), series.points.size());
    const std::size_t from = std::min(step - std::min(step, count / 2), series.points.size() - count);
    return sparkline(series.points, from, from + count, count, kSparkSpanMin);
  }
  // What is left of the line after so many columns.
  std::size_t left_after(std::size_t used) const {
    return columns_ == 0 ? kTableUnlimited : std::max(columns_ - std::min(columns_, used), kShortestText);
  }
  std::string fit_end(const std::string& words, std::size_t used) const {
    return shorten_end(words, left_after(used));
  }
  std::string fit_middle(const std::string& words, std::size_t used) const {
    return shorten_middle(words, left_after(used));
  }
  void add_step(const Series& series, const SeriesStep& step);
  void add_drift(const Series& series, const SeriesDrift& drift);
  void add_wandering(const Series& series);
  void add_row(const Series& series, std::size_t point);
  void add_together(const ChangeEvent& event);
  void add_line(const Series& series, const std::string& line, const std::string& change, const char* color,
                const std::string& note);

  bool color_;
  std::size_t columns_;
  std::size_t change_columns_ = 0;  // of an overview
  std::string text_;
};

void SeriesText::add_wrapped(const std::string& words, std::size_t indent) {
  text_ += wrapped(words, columns_, std::string(indent, ' '));
}

// "  23.1 % slower  344c960  2026-06-10  Take the padding out of the tile".
void SeriesText::add_step(const Series& series, const SeriesStep& step) {
  const SeriesPoint& point = series.points[step.point];
  const std::string head = step_words(series, step);
  const std::string middle = "  " + commit_of(point) + "  " + day_of(point) + "  ";
  const std::size_t used = 2 + display_width(head) + display_width(middle);
  text_ += "  " + colored_in(step_color(step), head) + middle + fit_end(point.subject, used) + "\n";
  if (const std::string state = step_state(step); !state.empty()) add_wrapped("[" + state + "]", 14);
}

// "  drifts: 4.87 % less bandwidth (−5.2 % … −4.55 %) from 1a2b3c4 to 5d6e7f8: 400 commits, no single one".
void SeriesText::add_drift(const Series& series, const SeriesDrift& drift) {
  const bool is_of_code = drift.other_conditions.empty();
  add_wrapped("drifts: " + change_in_words(series.metric, middle_change(drift)) + " (" +
                  format_percent(drift.change.low) + " … " + format_percent(drift.change.high) + ") from " +
                  drift.since.substr(0, kCommitColumns) + " to " + commit_of(series.points[drift.to - 1]) +
                  ": " + count_of(static_cast<std::size_t>(drift.commits), "commit") + ", no single one" +
                  (is_of_code ? "" : "; measured under other conditions: " + drift.other_conditions),
              2);
}

// "  ~ wanders by up to 3.1 %: the level moves by itself, and no single commit made it".
void SeriesText::add_wandering(const Series& series) {
  if (const std::string words = wandering_of(series); !words.empty()) add_wrapped("~ " + words, 2);
}

// "✗ 344c960  2026-06-10   1.001 TB/s  −23.0 %  ±0.3 %  Take the padding out of the tile": marked where a
// step is; the share is the difference from the row below.
void SeriesText::add_row(const Series& series, std::size_t at) {
  const SeriesPoint& point = series.points[at];
  const auto step = std::find_if(series.steps.begin(), series.steps.end(),
                                 [&](const SeriesStep& one) { return one.point == at; });
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
  const char* color = step == series.steps.end() ? nullptr : step_color(*step);
  text_ += (color == nullptr ? mark : colored_in(color, mark)) + " " + head +
           fit_end(tail, 2 + display_width(head)) + "\n";
}

void SeriesText::add_values(const Series& series) {
  const SeriesPoint& newest = series.points.back();
  text_ += colored_in(kBold, printable(series.benchmark)) + ", " + printable(series.metric.name) + "\n";
  text_ += "  " + spark(series) + "  " + format_quantity(newest.median, series.metric.unit) + " at " +
           commit_of(newest) +
           (series.ended ? "; ended " + day_of(newest) + ": newer runs do not have it" : "") + "\n";
  for (auto step = series.steps.rbegin(); step != series.steps.rend(); ++step) add_step(series, *step);
  for (const auto& drift : series.drifts) add_drift(series, drift);
  add_wandering(series);
  for (std::size_t i = series.points.size(); i-- > 0;) add_row(series, i);
}

// "  23.1 % less bandwidth  ▇▇▇▁▁▁   1.001 TB/s  transpose/smem_padded/f32/1024x1024".
void SeriesText::add_line(const Series& series, const std::string& line, const std::string& change,
                          const char* color, const std::string& note) {
  // Where nothing changed, its room is the name's.
  const std::string head = change.empty() ? "" : left_aligned(change, change_columns_) + "  ";
  const std::string middle =
      left_aligned(line, spark_columns()) + "  " +
      right_aligned(format_quantity(series.points.back().median, series.metric.unit), 11) + "  ";
  const std::size_t used = 2 + display_width(head) + display_width(middle);
  text_ += "  " + (color == nullptr ? head : colored_in(color, head)) + middle +
           fit_middle(series.benchmark, used) + "\n";
  if (!note.empty()) add_wrapped("[" + note + "]", 14);
}

// "  0.48 % slower  ▁▁▂▁▅▆▆▅  transpose f32 family (20)  since 1a2b3c4 Check bounds in the tile loader".
void SeriesText::add_together(const ChangeEvent& event) {
  const auto& points = event.together->pooled.points;
  const std::string head = left_aligned(event_size_in_words(event), change_columns_) + "  ";
  const std::string middle =
      left_aligned(sparkline(points, 0, points.size(), spark_columns()), spark_columns()) + "  ";
  const std::string what = event_benchmarks(event) + "  " + event_since(event) +
                           (event.shape == EventShape::kStep ? " " + event.first_seen.subject : "");
  const bool is_over = event.state == EventState::kUndone;
  text_ += "  " +
           colored_in(is_over                   ? kDim
                      : is_mostly_slower(event) ? kRed
                                                : kGreen,
                      head) +
           middle + fit_end(what, 2 + display_width(head) + display_width(middle)) + "\n";
  add_wrapped("[" + event_together(event) + (is_over ? "; " + event_state(event) : "") + "]", 14);
}

void SeriesText::add_overview(const std::vector<Series>& all, const std::vector<ChangeEvent>& together,
                              bool all_steady) {
  struct Change {
    const Series* series;
    const SeriesStep* step;
  };
  std::map<int, std::vector<Change>, std::greater<>> by_commit;  // newest first
  std::vector<const Series*> drifting;
  std::vector<const Series*> wandering;
  std::vector<const Series*> steady;
  for (const auto& series : all) {
    for (const auto& step : series.steps)
      by_commit[series.points[step.point].position].push_back({&series, &step});
    if (!series.drifts.empty()) drifting.push_back(&series);
    if (!series.steps.empty() || !series.drifts.empty()) continue;
    (series.wanders > 0 ? wandering : steady).push_back(&series);
  }
  const auto widen = [&](const std::string& words) {
    change_columns_ = std::max(change_columns_, display_width(words));
  };
  for (const auto& series : all) {
    for (const auto& step : series.steps) widen(step_words(series, step));
    for (const auto& drift : series.drifts) widen(change_in_words(series.metric, middle_change(drift)));
  }
  for (const auto& event : together) widen(event_size_in_words(event));
  const auto size = [](const SeriesStep& step) { return std::abs(std::log(step.after / step.before)); };
  for (auto& [position, changes] : by_commit) {
    std::stable_sort(changes.begin(), changes.end(),
                     [&](const Change& a, const Change& b) { return size(*a.step) > size(*b.step); });
    const SeriesPoint& point = changes[0].series->points[changes[0].step->point];
    const std::string head = commit_of(point) + "  " + day_of(point) + "  ";
    text_ += "\n" + colored_in(kBold, head + fit_end(point.subject, display_width(head))) + "\n";
    for (const auto& [series, step] : changes)
      add_line(*series, spark_around(*series, step->point), step_words(*series, *step), step_color(*step),
               step_state(*step));
  }
  if (!drifting.empty()) text_ += "\n" + colored_in(kBold, "drifts, made by no single commit") + "\n";
  for (const Series* series : drifting)
    for (const auto& drift : series->drifts)
      add_line(
          *series, spark(*series), change_in_words(series->metric, middle_change(drift)),
          drift.other_conditions.empty() ? (drift.worse ? kRed : kGreen) : kDim,
          drift.other_conditions.empty() ? "" : "measured under other conditions: " + drift.other_conditions);
  if (!together.empty()) text_ += "\n" + colored_in(kBold, "only together") + "\n";
  for (const auto& event : together) add_together(event);
  if (!wandering.empty()) text_ += "\n" + colored_in(kBold, kWanderByThemselves) + "\n";
  for (const Series* series : wandering)
    add_line(*series, spark(*series), "~ " + format_share(series->wanders), nullptr, "");
  if (steady.empty()) return;
  text_ += "\n" + colored_in(kBold, std::to_string(steady.size()) + " without a change") + "\n";
  const std::size_t shown = all_steady ? steady.size() : std::min(steady.size(), kSteadyShown);
  for (std::size_t i = 0; i < shown; ++i) add_line(*steady[i], spark(*steady[i]), "", nullptr, "");
  if (shown < steady.size())
    add_wrapped("…" + and_more(steady.size() - shown) + ": --values lists all, with every value", 2);
}

// "nvidia-h200: 7 of 113 benchmarks changed".
std::string heading_of(const std::vector<Series>& all) {
  const auto changed = std::count_if(all.begin(), all.end(), [](const Series& series) {
    return !series.steps.empty() || !series.drifts.empty();
  });
  return all[0].device + (all.size() == 1 ? ""
                                          : ": " + std::to_string(changed) + " of " +
                                                count_of(all.size(), "benchmark") + " changed");
}

}  // namespace

std::string write_series(const std::vector<Series>& all, const SeriesOptions& options,
                         const std::vector<ChangeEvent>& together) {
  if (all.empty()) return "";
  SeriesText text(options);
  if (all.size() > 1) text.add_overview(all, together, options.values);
  std::string out = heading_of(all) + "\n" + text.text();
  std::string small = below_threshold_among(all, "");
  if (!small.empty()) {
    SeriesText line(options);
    line.add_wrapped(small, 2);
    small = "\n" + line.text();
  }
  if (all.size() > 1 && !options.values) return out + small;
  for (const auto& series : all) {
    SeriesText values(options);
    values.add_values(series);
    out += (all.size() > 1 ? "\n" : "") + values.text();
  }
  return out + small;
}

}  // namespace tracker::report
