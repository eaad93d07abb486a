#include "tracker/stats/summary.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/site/pages.hpp"

namespace tracker::site {
namespace {

const SeriesDrift* drift_at(const Series& series, std::size_t point) {
  for (const auto& drift : series.drifts)
    if (drift.from <= point && point < drift.to) return &drift;
  return nullptr;
}

// The logarithm of the drift's line at a point within it.
double log_line(const SeriesDrift& drift, std::size_t point) {
  const double steps = static_cast<double>(drift.to - drift.from) - 1;
  const double part = steps > 0 ? static_cast<double>(point - drift.from) / steps : 0;
  return std::log(drift.before) * (1 - part) + std::log(drift.after) * part;
}

// The points [first, last) of the stretch that a point lies in.
std::pair<std::size_t, std::size_t> stretch_of(const Series& series, std::size_t point) {
  std::size_t first = 0;
  std::size_t last = series.points.size();
  const auto cut = [&](std::size_t at) {
    if (at <= point)
      first = std::max(first, at);
    else
      last = std::min(last, at);
  };
  for (const auto& step : series.steps) cut(step.point);
  for (const auto& drift : series.drifts) {
    cut(drift.from);
    cut(drift.to);
  }
  return {first, last};
}

std::size_t first_in_range(const Series& series, const std::string& first_day) {
  if (first_day.empty()) return 0;
  const auto found = std::ranges::find_if(
      series.points, [&](const SeriesPoint& point) { return point.date.str() >= first_day; });
  return static_cast<std::size_t>(found - series.points.begin());
}

// The levels of a series, each stretch looked at once.
class Levels {
 public:
  explicit Levels(const Series& series) : series_(series) {}

  double at(std::size_t point) {
    if (const auto* drift = drift_at(series_, point)) return std::exp(log_line(*drift, point));
    const auto stretch = stretch_of(series_, point);
    const auto [known, is_new] = of_stretches_.try_emplace(stretch);
    if (is_new) known->second = level_of(stretch);
    return known->second;
  }
  double newest() {
    if (series_.points.size() < kPointsToTellChange) return newest_value();
    return at(series_.points.size() - 1);
  }

 private:
  // Of an undisturbed point, or of the last one where there is none.
  double newest_value() const {
    const auto found = std::find_if(series_.points.rbegin(), series_.points.rend(),
                                    [](const SeriesPoint& point) { return !point.disturbed; });
    return joined_value(found == series_.points.rend() ? series_.points.back() : *found);
  }

  // The median of the undisturbed values, or of all where none is; in the setting of the stretch's last
  // point.
  double level_of(const std::pair<std::size_t, std::size_t>& stretch) const {
    std::vector<double> values;
    const auto setting = series_.points[stretch.second - 1].setting;
    for (const bool disturbed_too : {false, true}) {
      for (std::size_t i = stretch.first; i < stretch.second; ++i)
        if (series_.points[i].setting == setting && (disturbed_too || !series_.points[i].disturbed))
          values.push_back(joined_value(series_.points[i]));
      if (!values.empty()) break;
    }
    return stats::median(std::move(values));
  }

  const Series& series_;
  std::map<std::pair<std::size_t, std::size_t>, double> of_stretches_;
};

// All but the levels, which take a look at every point.
SeriesSummary without_levels(const Series& series, std::size_t first) {
  SeriesSummary summary;
  const std::size_t count = series.points.size();
  summary.change = std::expm1(log_change(series, first, count, CountedSteps::kSettled));
  const auto has_step = [&](bool settled) {
    return std::ranges::any_of(series.steps, [&](const SeriesStep& step) {
      return step.point >= first && step.settled == settled && step.other_conditions.empty();
    });
  };
  const auto choose = [&](SeriesState worse, SeriesState better) {
    return is_worse(series.metric, summary.change) ? worse : better;
  };
  if (has_step(true) && std::abs(summary.change) >= series.threshold) {
    summary.state = choose(SeriesState::kSlower, SeriesState::kFaster);
  } else if (has_step(false)) {
    summary.change = std::expm1(log_change(series, first, count, CountedSteps::kAll));
    summary.state = choose(SeriesState::kNewlySlower, SeriesState::kNewlyFaster);
  } else if (!has_step(true) && summary.change != 0) {
    summary.state = SeriesState::kDrifting;
  }
  return summary;
}

SeriesSummary summarize(const Series& series, const std::string& first_day, Levels& levels) {
  const std::size_t first = first_in_range(series, first_day);
  SeriesSummary summary = without_levels(series, first);
  summary.first = first;
  summary.lost_lately = std::ranges::any_of(series.steps, [&](const SeriesStep& step) {
    return step.point >= first && !step.settled && step.worse && step.other_conditions.empty();
  });
  summary.now = levels.newest();
  if (series.points.size() >= kPointsToTellChange) summary.before = levels.at(first > 0 ? first - 1 : 0);
  return summary;
}

std::optional<LimitShare> limit_share(const Series& series, double now) {
  if (series.references.empty()) return {};
  // A benchmark that the policy names as the bound stands behind the theoretical peak.
  const ReferenceLine& limit = series.references.back();
  if (!(limit.value > 0) || !(now > 0)) return {};
  return LimitShare{limit.label,
                    series.metric.better == Better::kHigher ? now / limit.value : limit.value / now};
}

constexpr std::size_t kMonthLength = 7;  // of "2026-11"

std::string_view month_of(const SeriesPoint& point) {
  return std::string_view(point.date).substr(0, kMonthLength);
}

// From the first to the last point of a month. Neighbours are mostly of one.
struct PointsOfMonth {
  std::size_t first = 0;
  std::size_t last = 0;
};
using SeriesMonths = std::map<std::string_view, PointsOfMonth>;

SeriesMonths months_of(const Series& series) {
  SeriesMonths months;
  PointsOfMonth* newest = nullptr;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const std::string_view month = month_of(series.points[i]);
    if (newest == nullptr || month != month_of(series.points[i - 1]))
      newest = &months.try_emplace(month, PointsOfMonth{i, i}).first->second;
    newest->last = i;
  }
  return months;
}

}  // namespace

const std::vector<Range>& site_ranges() {
  static const std::vector<Range> ranges{{"30d", "30 days", 30}, {"90d", "90 days", 90}, {"all", "All", 0}};
  return ranges;
}

std::string first_day(const Range& range, const std::string& newest) {
  const auto time = parse_time(newest);
  if (range.days == 0 || !time) return "";
  return utc_date(*time - std::chrono::hours(24 * range.days));
}

bool is_worse(const Metric& metric, double change) {
  return metric.better == Better::kHigher ? change < 0 : change > 0;
}

double log_change(const Series& series, std::size_t from, std::size_t to, CountedSteps counted) {
  double change = 0;
  for (const auto& step : series.steps) {
    const bool counts = step.other_conditions.empty() && (step.settled || counted == CountedSteps::kAll);
    if (counts && step.point >= from && step.point < to) change += std::log(step.after / step.before);
  }
  for (const auto& drift : series.drifts) {
    // From the last point before the stretch, where the drift was already under way.
    const std::size_t begin = std::max(drift.from, from > 0 ? from - 1 : 0);
    const std::size_t end = std::min(drift.to, to);
    if (drift.other_conditions.empty() && begin + 1 < end)
      change += log_line(drift, end - 1) - log_line(drift, begin);
  }
  return change;
}

SeriesSummary summarize(const Series& series, const std::string& first_day) {
  Levels levels(series);
  return summarize(series, first_day, levels);
}

SeriesSummaries summarize_ranges(const Series& series, const std::string& newest) {
  SeriesSummaries all;
  if (series.points.empty()) return all;
  Levels levels(series);
  for (const auto& range : site_ranges())
    all.ranges.push_back(summarize(series, first_day(range, newest), levels));
  all.limit = limit_share(series, levels.newest());
  return all;
}

StateCounts count_states(const std::vector<SeriesSummaries>& all, std::size_t range) {
  StateCounts counts;
  for (const auto& series : all) {
    const SeriesSummary& summary = series.ranges[range];
    ++counts[summary.state];
    if (summary.state == SeriesState::kFaster && summary.lost_lately) ++counts[SeriesState::kNewlySlower];
  }
  return counts;
}

std::string counts_in_words(const StateCounts& counts) {
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts)
    if (state != SeriesState::kSteady) parts.push_back(std::to_string(count) + " " + state_in_words(state));
  return parts.empty() ? "no lasting change" : join(parts, ", ");
}

bool can_tell_change(const std::vector<SeriesSummaries>& all, std::size_t range) {
  return all.empty() || std::ranges::any_of(all, [&](const SeriesSummaries& series) {
           return series.ranges[range].before.has_value();
         });
}

std::string headline_in_words(const std::vector<SeriesSummaries>& all, std::size_t range) {
  return can_tell_change(all, range) ? counts_in_words(count_states(all, range)) : "too few commits to tell";
}

const char* state_in_words(SeriesState state) {
  return kStateWords[static_cast<std::size_t>(state)];
}

std::string state_in_words(const ChangeEvent& event) {
  if (is_of_machine(event)) return "the machine changed";
  const std::string undone = event.changes.front().worse ? "mended" : "undone";
  if (event.state == EventState::kUndone) return undone + " by";
  if (event.state == EventState::kPartlyUndone)
    return std::to_string(event.undone) + " of " + std::to_string(event.changes.size()) + " " + undone;
  if (event.accepted > 0 && event.accepted + event.undone >= event.slower.changes && is_mostly_slower(event))
    return "accepted";
  if (std::ranges::any_of(event.changes, &EventChange::settled)) return "still there";
  const bool same_conditions = std::ranges::any_of(
      event.changes, [](const EventChange& change) { return change.other_conditions.empty(); });
  return same_conditions ? "not settled yet" : "measured under other conditions";
}

double largest_change(const ChangeEvent& event) {
  return event.changes.front().after / event.changes.front().before - 1;
}

FamilyMonths family_months(const std::vector<SiteSeries>& all, std::size_t months_max) {
  std::vector<SeriesMonths> of_series(all.size());
  for_each_in_parallel(all.size(), [&](std::size_t i) { of_series[i] = months_of(all[i].series); });
  std::set<std::string> months;
  for (const auto& own : of_series)
    for (const auto& [month, points] : own) months.emplace(month);
  while (months.size() > months_max) months.erase(months.begin());

  FamilyMonths table;
  table.months.assign(months.begin(), months.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Series& series = all[i].series;
    const std::string family = family_of(series.benchmark);
    auto row = std::ranges::find_if(table.rows, [&](const FamilyRow& known) {
      return known.family == family && known.metric.name == series.metric.name;
    });
    if (row == table.rows.end())
      row = table.rows.insert(row, {family, series.metric, {months.size(), std::nullopt}});
    for (std::size_t m = 0; m < table.months.size(); ++m) {
      const auto points = of_series[i].find(table.months[m]);
      if (points == of_series[i].end()) continue;
      const double change =
          log_change(series, points->second.first, points->second.last + 1, CountedSteps::kAll);
      MonthCell& cell = row->cells[m] ? *row->cells[m] : row->cells[m].emplace();
      cell.change += change;  // a logarithm, until all are added
      cell.changed += change != 0 ? 1 : 0;
      ++cell.benchmarks;
    }
  }
  for (auto& row : table.rows)
    for (auto& cell : row.cells)
      if (cell) cell->change = std::expm1(cell->change / cell->benchmarks);
  return table;
}

std::vector<DeviceTables> tables_of(const History& history) {
  const std::string newest = newest_date(history);
  std::vector<DeviceTables> all;
  for (const auto& device : history.devices) {
    auto& tables = all.emplace_back();
    tables.series.resize(device.series.size());
    for_each_in_parallel(device.series.size(), [&](std::size_t i) {
      tables.series[i] = summarize_ranges(device.series[i].series, newest);
    });
    if (can_tell_change(tables.series, kMainRange)) tables.months = family_months(device.series, kMonthsMax);
  }
  return all;
}

std::string newest_date(const History& history) {
  return history.commits.empty() ? "" : history.commits.rbegin()->second.date;
}

}  // namespace tracker::site
