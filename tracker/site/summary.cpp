#include "tracker/site/summary.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/stats/summary.hpp"

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
  const auto found = std::find_if(series.points.begin(), series.points.end(),
                                  [&](const SeriesPoint& point) { return point.date.str() >= first_day; });
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

namespace {

// All but the levels, which take a look at every point.
SeriesSummary without_levels(const Series& series, std::size_t first) {
  SeriesSummary summary;
  const std::size_t count = series.points.size();
  summary.change = std::expm1(log_change(series, first, count, CountedSteps::kSettled));
  const auto has_step = [&](bool settled) {
    return std::any_of(series.steps.begin(), series.steps.end(), [&](const SeriesStep& step) {
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
  summary.lost_lately = std::any_of(series.steps.begin(), series.steps.end(), [&](const SeriesStep& step) {
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

}  // namespace

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

const std::vector<SeriesState>& series_states() {
  static const std::vector<SeriesState> states{SeriesState::kSlower,   SeriesState::kNewlySlower,
                                               SeriesState::kFaster,   SeriesState::kNewlyFaster,
                                               SeriesState::kDrifting, SeriesState::kSteady};
  return states;
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
  for (const auto state : series_states())
    if (const auto found = counts.find(state); found != counts.end() && state != SeriesState::kSteady)
      parts.push_back(std::to_string(found->second) + " " + state_in_words(state));
  return parts.empty() ? "no lasting change" : join(parts, ", ");
}

bool can_tell_change(const std::vector<SeriesSummaries>& all, std::size_t range) {
  return all.empty() || std::any_of(all.begin(), all.end(), [&](const SeriesSummaries& series) {
           return series.ranges[range].before.has_value();
         });
}

std::string headline_in_words(const std::vector<SeriesSummaries>& all, std::size_t range) {
  return can_tell_change(all, range) ? counts_in_words(count_states(all, range)) : "too few commits to tell";
}

const char* state_in_words(SeriesState state) {
  switch (state) {
    case SeriesState::kSlower:
      return "slower";
    case SeriesState::kNewlySlower:
      return "newly slower";
    case SeriesState::kFaster:
      return "faster";
    case SeriesState::kNewlyFaster:
      return "newly faster";
    case SeriesState::kDrifting:
      return "drifting";
    case SeriesState::kSteady:
      break;
  }
  return "";
}

std::string state_in_words(const ChangeEvent& event) {
  if (is_of_machine(event)) return "the machine changed";
  const std::string undone = event.changes.front().worse ? "mended" : "undone";
  if (event.state == EventState::kUndone) return undone + " by";
  if (event.state == EventState::kPartlyUndone)
    return std::to_string(event.undone) + " of " + std::to_string(event.changes.size()) + " " + undone;
  if (event.accepted > 0 && event.accepted + event.undone >= event.slower.changes && is_mostly_slower(event))
    return "accepted";
  const bool settled = std::any_of(event.changes.begin(), event.changes.end(),
                                   [](const EventChange& change) { return change.settled; });
  if (settled) return "still there";
  const bool same_conditions =
      std::any_of(event.changes.begin(), event.changes.end(),
                  [](const EventChange& change) { return change.other_conditions.empty(); });
  return same_conditions ? "not settled yet" : "measured under other conditions";
}

double largest_change(const ChangeEvent& event) {
  return event.changes.front().after / event.changes.front().before - 1;
}

}  // namespace tracker::site
