#include "tracker/events/events.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "tracker/events/event_groups.hpp"

namespace tracker {
namespace {

// A level that came back so far has undone a change: what is left of it, as a share of the change.
constexpr double kLeftOfUndone = 0.25;

EventCommit commit_at(const SeriesPoint& point) {
  return {point.commit, point.subject, point.date, point.position};
}

// The positions of all points, as commits.
std::map<int, EventCommit> commits_of(const std::vector<Series>& all) {
  std::map<int, EventCommit> commits;
  for (const auto& series : all)
    for (const auto& point : series.points) commits.try_emplace(point.position, commit_at(point));
  return commits;
}

double log_ratio(double after, double before) {
  return std::log(after / before);
}

// The level after a change, and the point where the series reached it.
struct ReachedLevel {
  std::size_t point = 0;
  double level = 0;
};

// All levels that the series reached after this point, in order.
std::vector<ReachedLevel> levels_after(const Series& series, std::size_t point) {
  std::vector<ReachedLevel> levels;
  for (const auto& step : series.steps)
    if (step.point > point) levels.push_back({step.point, step.after});
  for (const auto& drift : series.drifts)
    if (drift.from >= point) levels.push_back({drift.to - 1, drift.after});
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

// The last point before this one that counts.
std::size_t calm_before(const Series& series, std::size_t point) {
  for (std::size_t i = point; i-- > 0;)
    if (!series.points[i].disturbed) return i;
  return 0;
}

ChangePlace place_of(const std::vector<Series>& all, std::size_t which, const SeriesStep& step) {
  const Series& series = all[which];
  const std::size_t earliest = std::min(step.earliest, step.point);
  const std::size_t latest = std::max(step.latest, step.point);
  const auto position = [&](std::size_t point) { return series.points[point].position; };
  return {which, position(calm_before(series, earliest)) + 1, position(calm_before(series, step.point)) + 1,
          position(step.point), position(latest)};
}

// The newest commit with a value at or before this position; the oldest where there is none.
EventCommit at_or_before(const std::map<int, EventCommit>& commits, int position) {
  auto after = commits.upper_bound(position);
  return after == commits.begin() ? after->second : std::prev(after)->second;
}

EventSide side_of(const ChangeEvent& event, bool slower) {
  EventSide side;
  double sum = 0;
  for (std::size_t i = 0; i < event.changes.size(); ++i) {
    const EventChange& change = event.changes[i];
    if (change.worse != slower) continue;
    double log = log_ratio(change.after, change.before);
    if ((change.metric.better == Better::kHigher) != event.higher_is_better) log = -log;
    if (side.changes == 0 || std::abs(log) > std::abs(std::log(side.largest))) {
      side.largest = std::exp(log);
      side.largest_at = i;
    }
    sum += log;
    ++side.changes;
  }
  if (side.changes > 0) side.ratio = std::exp(sum / static_cast<double>(side.changes));
  return side;
}

void set_state(ChangeEvent& event) {
  for (const auto& change : event.changes) {
    if (!change.undone_by) continue;
    ++event.undone;
    if (!event.undone_by || change.undone_by->position > event.undone_by->position)
      event.undone_by = change.undone_by;
  }
  event.state = event.undone == event.changes.size() ? EventState::kUndone
                : event.undone > 0                   ? EventState::kPartlyUndone
                                                     : EventState::kStillThere;
  if (event.state != EventState::kUndone) event.undone_by.reset();
}

// All that follows from the changes.
void complete(ChangeEvent& event) {
  const auto size = [](const EventChange& change) {
    return std::abs(log_ratio(change.after, change.before));
  };
  std::stable_sort(event.changes.begin(), event.changes.end(),
                   [&](const EventChange& a, const EventChange& b) { return size(a) > size(b); });
  event.higher_is_better =
      std::all_of(event.changes.begin(), event.changes.end(),
                  [](const EventChange& change) { return change.metric.better == Better::kHigher; });
  event.slower = side_of(event, true);
  event.faster = side_of(event, false);
  set_state(event);
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

Found<ChangePlace> steps_of(const std::vector<Series>& all) {
  Found<ChangePlace> found;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& step : all[i].steps) {
      if (!has_ratio(step.before, step.after)) continue;
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
    complete(event);
    events.push_back(std::move(event));
  }
}

}  // namespace

std::vector<ChangeEvent> find_events(const std::vector<Series>& series) {
  const auto commits = commits_of(series);
  const auto steps = steps_of(series);
  const auto drifts = drifts_of(series);
  std::vector<ChangeEvent> events;
  add_events(steps, group_places(steps.places), EventShape::kStep, commits, events);
  add_events(drifts, group_drifts(drifts.places), EventShape::kDrift, commits, events);
  std::stable_sort(events.begin(), events.end(), [](const ChangeEvent& a, const ChangeEvent& b) {
    return a.first_seen.position < b.first_seen.position;
  });
  return events;
}

}  // namespace tracker
