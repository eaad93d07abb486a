#include "tracker/events/events.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "tracker/events/event_groups.hpp"
#include "tracker/events/event_parts.hpp"
#include "tracker/events/shared_events.hpp"

namespace tracker {
namespace {

// The level after a change, and the point where the series reached it.
struct ReachedLevel {
  std::size_t point = 0;
  double level = 0;
};

// All levels that the series reached after this point in its setting, in order.
std::vector<ReachedLevel> levels_after(const Series& series, std::size_t point) {
  std::vector<ReachedLevel> levels;
  const auto is_comparable = [&](std::size_t other) {
    return series.points[other].setting == series.points[point].setting;
  };
  for (const auto& step : series.steps)
    if (step.point > point && is_comparable(step.point)) levels.push_back({step.point, step.after});
  for (const auto& drift : series.drifts)
    if (drift.from >= point && is_comparable(drift.from)) levels.push_back({drift.to - 1, drift.after});
  std::sort(levels.begin(), levels.end(), [](const auto& a, const auto& b) { return a.point < b.point; });
  return levels;
}

std::optional<std::size_t> undoing_point(const Series& series, std::size_t point, double before,
                                         double after) {
  const double change = log_ratio(after, before);
  for (const auto& reached : levels_after(series, point))
    if (log_ratio(reached.level, before) / change <= kLeftOfUndone) return reached.point;
  return {};
}

EventChange change_in(const Series& series, double before, double after, std::size_t point) {
  EventChange change;
  change.device = series.device;
  change.benchmark = series.benchmark;
  change.metric = series.metric;
  change.before = before;
  change.after = after;
  if (const auto undone = undoing_point(series, point, before, after))
    change.undone_by = commit_at(series.points[*undone]);
  return change;
}

ChangePlace place_of(const std::vector<Series>& all, std::size_t which, const SeriesStep& step) {
  const Series& series = all[which];
  const std::size_t earliest = std::min(step.earliest, step.point);
  const std::size_t latest = std::max(step.latest, step.point);
  const auto position = [&](std::size_t point) { return series.points[point].position; };
  const auto after = [&](std::size_t point) {
    return position(comparable_before(series, point).value_or(point > 0 ? point - 1 : 0)) + 1;
  };
  return {which, after(earliest), after(step.point), position(step.point), position(latest)};
}

// What one kind of change needs to become events: the changes, and their places in the same order.
template <typename Place>
struct Found {
  std::vector<EventChange> changes;
  std::vector<Place> places;
};

bool has_ratio(double before, double after) {
  return before > 0 && after > 0 && before != after;
}

// The points that count of the level that a step begins.
std::size_t values_of(const Series& series, const SeriesStep& step) {
  std::size_t to = series.points.size();
  for (const auto& next : series.steps)
    if (next.point > step.point) to = std::min(to, next.point);
  return static_cast<std::size_t>(
      std::count_if(series.points.begin() + static_cast<std::ptrdiff_t>(step.point),
                    series.points.begin() + static_cast<std::ptrdiff_t>(to),
                    [](const auto& point) { return !point.disturbed; }));
}

// Those of the code, or those that were measured under other conditions: they are no event together.
Found<ChangePlace> steps_of(const std::vector<Series>& all, bool of_code) {
  Found<ChangePlace> found;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& step : all[i].steps) {
      if (step.other_conditions.empty() != of_code || !has_ratio(step.before, step.after)) continue;
      EventChange change = change_in(all[i], step.before, step.after, step.point);
      change.worse = step.worse;
      change.settled = step.settled;
      change.values = values_of(all[i], step);
      change.sure = step.sure;
      change.other_conditions = step.other_conditions;
      found.changes.push_back(std::move(change));
      found.places.push_back(place_of(all, i, step));
    }
  return found;
}

Found<DriftPlace> drifts_of(const std::vector<Series>& all) {
  Found<DriftPlace> found;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& drift : all[i].drifts) {
      if (!has_ratio(drift.before, drift.after)) continue;
      EventChange change = change_in(all[i], drift.before, drift.after, drift.to - 1);
      change.worse = drift.worse;
      change.settled = drift.other_conditions.empty();
      change.values = static_cast<std::size_t>(drift.commits);
      change.ratio = Interval{1 + drift.change.low, 1 + drift.change.high};
      change.other_conditions = drift.other_conditions;
      found.changes.push_back(std::move(change));
      found.places.push_back({i, all[i].points[drift.from].position, all[i].points[drift.to - 1].position});
    }
  return found;
}

template <typename Place>
void add_events(const Found<Place>& found, const std::vector<ChangeGroup>& groups, EventShape shape,
                const std::map<int, EventCommit>& commits, std::vector<ChangeEvent>& events) {
  for (const auto& group : groups) {
    ChangeEvent event;
    event.shape = shape;
    event.last_before = at_or_before(commits, shape == EventShape::kStep ? group.first - 1 : group.first);
    event.first_seen = at_or_before(commits, group.seen);
    event.last_possible = at_or_before(commits, group.last);
    for (const std::size_t member : group.members) event.changes.push_back(found.changes[member]);
    complete_event(event);
    events.push_back(std::move(event));
  }
}

}  // namespace

std::vector<ChangeEvent> find_events(const std::vector<Series>& series) {
  const auto commits = commits_of(series);
  const auto drifts = drifts_of(series);
  std::vector<ChangeEvent> events;
  for (const bool of_code : {true, false}) {
    const auto steps = steps_of(series, of_code);
    add_events(steps, group_places(steps.places), EventShape::kStep, commits, events);
  }
  add_events(drifts, group_drifts(drifts.places), EventShape::kDrift, commits, events);
  std::stable_sort(events.begin(), events.end(), [](const ChangeEvent& a, const ChangeEvent& b) {
    return a.first_seen.position < b.first_seen.position;
  });
  return events;
}

std::vector<ChangeEvent> all_events(const std::vector<Series>& series) {
  std::vector<ChangeEvent> events = find_events(series);
  auto shared = find_shared_events(series, events);
  std::move(shared.begin(), shared.end(), std::back_inserter(events));
  std::stable_sort(events.begin(), events.end(), [](const ChangeEvent& a, const ChangeEvent& b) {
    return a.first_seen.position < b.first_seen.position;
  });
  return events;
}

}  // namespace tracker
