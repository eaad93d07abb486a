#include "tracker/events/drift_alarms.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include "tracker/base/time.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/events/event_parts.hpp"
#include "tracker/stats/distribution.hpp"

namespace tracker {
namespace {

constexpr double kDriftFalseShare = 0.01;  // chance that noise makes such a drift in any of the series
constexpr double kNormalWithin = 1.96;     // the deviations that an interval of 95 % goes out to
constexpr double kValuesADegree = 2;       // values that follow one another tell less than as many
constexpr double kDriftDegreesMin = 4;

const Series* series_of(const std::vector<Series>& all, const EventChange& change) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Series& series) {
    return series.device == change.device && series.benchmark == change.benchmark;
  });
  return found == all.end() ? nullptr : &*found;
}

bool goes_on(const EventChange& change) {
  return change.worse && !change.undone_by && change.accepted.empty() && change.other_conditions.empty();
}

// The chance that noise makes a slope so many errors steep anywhere in the series.
double chance_of(const EventChange& change, const Series& series) {
  if (!change.ratio) return 1 - change.sure;
  const double error = log_ratio(change.ratio->high, change.ratio->low) / 2 / kNormalWithin;
  const double errors = log_ratio(change.after, change.before) / error;
  const double degrees = std::max(kDriftDegreesMin, static_cast<double>(change.values) / kValuesADegree);
  return stats::fisher_f_above(errors * errors, 1, degrees) * static_cast<double>(series.points.size());
}

// What the line of a change lost from this position to its end: all of it where it began later.
double lost_since(const ChangeEvent& event, const EventChange& change, int position) {
  const int from = event.last_before.position;
  const int to = event.last_possible.position;
  if (position >= to) return 0;
  const double share = static_cast<double>(to - std::max(from, position)) / static_cast<double>(to - from);
  const double ratio = std::pow(change.after / change.before, share);
  return change.metric.better == Better::kHigher ? 1 - ratio : ratio - 1;
}

// The losses since one reference.
std::vector<DriftLoss> losses_since(const ChangeEvent& event, const std::vector<Series>& all,
                                    const LineReference& since, std::optional<double> threshold) {
  std::vector<DriftLoss> losses;
  for (std::size_t i = 0; i < event.changes.size(); ++i) {
    const EventChange& change = event.changes[i];
    const Series* series = series_of(all, change);
    if (series == nullptr || !goes_on(change) || (!since.device.empty() && since.device != change.device))
      continue;
    const bool is_certain = chance_of(change, *series) * static_cast<double>(all.size()) <= kDriftFalseShare;
    const double loss = lost_since(event, change, since.position);
    if (is_certain && loss > threshold.value_or(series->threshold)) losses.push_back({i, loss});
  }
  std::stable_sort(losses.begin(), losses.end(),
                   [](const DriftLoss& a, const DriftLoss& b) { return a.loss > b.loss; });
  return losses;
}

}  // namespace

std::vector<LineReference> days_ago(const std::vector<Series>& all, const std::vector<int>& days) {
  const auto points = points_by_position(all);
  std::vector<LineReference> references;
  const auto newest = points.empty() ? std::nullopt : parse_time(points.back()->date.str());
  if (!newest) return references;
  for (const int count : days) {
    const std::string day = format_utc(*newest - std::chrono::days(count));
    const auto after = std::find_if(points.rbegin(), points.rend(),
                                    [&](const SeriesPoint* point) { return point->date.str() <= day; });
    if (after != points.rend())
      references.push_back({std::to_string(count) + " days ago", (*after)->position, ""});
  }
  return references;
}

std::vector<DriftAlarm> drift_alarms(const std::vector<ChangeEvent>& events, const std::vector<Series>& all,
                                     std::size_t commits, const std::vector<LineReference>& references,
                                     std::optional<double> threshold) {
  const int oldest = oldest_of_newest(all, commits);
  std::vector<DriftAlarm> alarms;
  for (const auto& event : events) {
    if (event.shape != EventShape::kDrift || event.last_possible.position < oldest ||
        event.last_possible.position <= event.last_before.position)
      continue;
    DriftAlarm alarm{event, {}, {}};
    for (const auto& since : references) {
      auto losses = losses_since(event, all, since, threshold);
      if (losses.empty() || (!alarm.losses.empty() && losses.front().loss <= alarm.losses.front().loss))
        continue;
      alarm.since = since;
      alarm.losses = std::move(losses);
    }
    if (!alarm.losses.empty()) alarms.push_back(std::move(alarm));
  }
  return alarms;
}

}  // namespace tracker
