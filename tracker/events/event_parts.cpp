#include "tracker/events/event_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tracker {
namespace {

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

}  // namespace

EventCommit commit_at(const SeriesPoint& point) {
  return {point.commit, point.subject, point.date, point.position};
}

// Positions are counted from the first commit of the line: a list of all has room, and takes no searching.
std::vector<const SeriesPoint*> points_by_position(const std::vector<const Series*>& all) {
  int low = std::numeric_limits<int>::max();
  int high = std::numeric_limits<int>::min();
  for (const auto* series : all)
    for (const auto& point : series->points) {
      low = std::min(low, point.position);
      high = std::max(high, point.position);
    }
  if (low > high) return {};
  std::vector<const SeriesPoint*> points(static_cast<std::size_t>(high - low) + 1);
  for (const auto* series : all)
    for (const auto& point : series->points) {
      auto& place = points[static_cast<std::size_t>(point.position - low)];
      if (place == nullptr) place = &point;
    }
  std::erase(points, nullptr);
  return points;
}

std::vector<const SeriesPoint*> points_by_position(const std::vector<Series>& all) {
  std::vector<const Series*> series;
  for (const auto& one : all) series.push_back(&one);
  return points_by_position(series);
}

std::map<int, EventCommit> commits_of(const std::vector<Series>& all) {
  std::map<int, EventCommit> commits;
  for (const auto* point : points_by_position(all))
    commits.emplace_hint(commits.end(), point->position, commit_at(*point));
  return commits;
}

EventCommit at_or_before(const std::map<int, EventCommit>& commits, int position) {
  auto after = commits.upper_bound(position);
  return after == commits.begin() ? after->second : std::prev(after)->second;
}

double log_ratio(double after, double before) {
  return std::log(after / before);
}

void complete_event(ChangeEvent& event) {
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

}  // namespace tracker
