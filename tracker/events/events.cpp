#include "tracker/events/events.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

namespace tracker::events {
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
  std::ranges::sort(levels, {}, &ReachedLevel::point);
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

// What may be to blame for steps: those of different kinds are no event together.
enum class StepKind { kCode, kConditions, kMachine };

StepKind kind_of(const SeriesStep& step) {
  if (step.machine) return StepKind::kMachine;
  return step.other_conditions.empty() ? StepKind::kCode : StepKind::kConditions;
}

Found<ChangePlace> steps_of(const std::vector<Series>& all, StepKind kind) {
  Found<ChangePlace> found;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& step : all[i].steps) {
      if (kind_of(step) != kind || !has_ratio(step.before, step.after)) continue;
      EventChange change = change_in(all[i], step.before, step.after, step.point);
      change.worse = step.worse;
      change.settled = step.settled;
      change.values = values_of(all[i], step);
      change.sure = step.sure;
      change.other_conditions = step.other_conditions;
      change.machine = step.machine;
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
    if (is_of_machine(event))
      event.causes = {{EventCauseKind::kConditions, "", "", "", event.changes.front().other_conditions,
                       event.changes.size()}};
    events.push_back(std::move(event));
  }
}

}  // namespace

void sort_by_place(std::vector<ChangeEvent>& events) {
  std::ranges::stable_sort(events, {}, [](const ChangeEvent& event) { return event.first_seen.position; });
}

std::vector<ChangeEvent> find(const std::vector<Series>& series) {
  const auto commits = commits_of(series);
  const auto drifts = drifts_of(series);
  std::vector<ChangeEvent> events;
  for (const StepKind kind : {StepKind::kCode, StepKind::kConditions, StepKind::kMachine}) {
    const auto steps = steps_of(series, kind);
    add_events(steps, group_places(steps.places), EventShape::kStep, commits, events);
  }
  add_events(drifts, group_drifts(drifts.places), EventShape::kDrift, commits, events);
  sort_by_place(events);
  return events;
}

std::vector<ChangeEvent> all_events(const std::vector<Series>& series) {
  std::vector<ChangeEvent> events = find(series);
  auto shared = find_shared_events(series, events);
  std::move(shared.begin(), shared.end(), std::back_inserter(events));
  sort_by_place(events);
  return events;
}

namespace {

constexpr double kLikely = 1;
constexpr double kPossible = 0.5;
constexpr double kNear = 0.25;
constexpr double kSharedMin = 0.5;  // of the stretch that two drifts cover together

double vote(const ChangePlace& place, int position) {
  if (position >= place.likely_first && position <= place.likely_last) return kLikely;
  if (position >= place.first && position <= place.last) return kPossible;
  const int before = place.likely_first - place.first;
  const int after = place.last - place.likely_last;
  if (position >= place.first - before && position <= place.last + after) return kNear;
  return 0;
}

// The votes for each commit that is the likeliest of some change, as changes leave.
class Ballot {
 public:
  explicit Ballot(const std::vector<ChangePlace>& places) : places_(places) {
    for (const auto& place : places) commits_.push_back(place.likely_last);
    std::ranges::sort(commits_);
    commits_.erase(std::unique(commits_.begin(), commits_.end()), commits_.end());
    votes_.resize(commits_.size());
    supporters_.resize(commits_.size());
    for (std::size_t i = 0; i < places.size(); ++i) count(i, 1);
  }

  void leave(std::size_t change) { count(change, -1); }

  // The likeliest commit for most of those that are left; of several the oldest.
  int best() const {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 0; i < commits_.size(); ++i)
      if (supporters_[i] > 0 && votes_[i] > most) {
        most = votes_[i];
        best = i;
      }
    return commits_[best];
  }

 private:
  std::size_t index_of(int position) const {
    return static_cast<std::size_t>(std::lower_bound(commits_.begin(), commits_.end(), position) -
                                    commits_.begin());
  }

  void count(std::size_t change, int times) {
    const ChangePlace& place = places_[change];
    supporters_[index_of(place.likely_last)] += times;
    const int first = 2 * place.first - place.likely_first;
    for (std::size_t i = index_of(first); i < commits_.size(); ++i) {
      const double sum = vote(place, commits_[i]);
      if (sum <= 0) break;
      votes_[i] += times * sum;  // multiples of a quarter: exact
    }
  }

  const std::vector<ChangePlace>& places_;
  std::vector<int> commits_;
  std::vector<double> votes_;
  std::vector<int> supporters_;
};

double votes(const std::vector<ChangePlace>& places, const std::vector<std::size_t>& members, int position) {
  double sum = 0;
  for (const std::size_t i : members) sum += vote(places[i], position);
  return sum;
}

// Of each series the change that fits the commit best.
std::vector<std::size_t> members_at(const std::vector<ChangePlace>& places,
                                    const std::vector<std::size_t>& left, int position) {
  std::map<std::size_t, std::size_t> of_series;
  for (const std::size_t i : left) {
    if (vote(places[i], position) <= 0) continue;
    const auto [at, is_first] = of_series.try_emplace(places[i].series, i);
    if (!is_first && vote(places[i], position) > vote(places[at->second], position)) at->second = i;
  }
  std::vector<std::size_t> members;
  for (const auto& [series, member] : of_series) members.push_back(member);
  std::ranges::sort(members);
  return members;
}

// The positions around the likeliest commit that are about as likely.
void set_interval(const std::vector<ChangePlace>& places, ChangeGroup& group) {
  constexpr double kDoubt = 0.5;  // of one change's vote
  int first = places[group.members.front()].first;
  int last = places[group.members.front()].last;
  for (const std::size_t i : group.members) {
    first = std::min(first, places[i].first);
    last = std::max(last, places[i].last);
  }
  const double least = votes(places, group.members, group.seen) - kDoubt;
  group.first = group.last = group.seen;
  while (group.first > first && votes(places, group.members, group.first - 1) >= least) --group.first;
  while (group.last < last && votes(places, group.members, group.last + 1) >= least) ++group.last;
}

}  // namespace

std::vector<ChangeGroup> group_places(const std::vector<ChangePlace>& places) {
  std::vector<ChangeGroup> groups;
  Ballot ballot(places);
  std::vector<std::size_t> left(places.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (!left.empty()) {
    ChangeGroup group;
    group.seen = ballot.best();
    group.members = members_at(places, left, group.seen);
    set_interval(places, group);
    for (const std::size_t i : group.members) ballot.leave(i);
    std::erase_if(left, [&](std::size_t i) { return std::ranges::binary_search(group.members, i); });
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<ChangeGroup> group_drifts(const std::vector<DriftPlace>& places) {
  std::vector<std::size_t> left(places.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  const auto length = [&](std::size_t i) { return places[i].to - places[i].from; };
  std::ranges::stable_sort(left, std::greater{}, length);
  std::vector<ChangeGroup> groups;
  while (!left.empty()) {
    const DriftPlace& longest = places[left.front()];
    ChangeGroup group{{}, longest.from, longest.from, longest.to};
    std::set<std::size_t> series;
    for (const std::size_t i : left) {
      const double shared = std::min(places[i].to, longest.to) - std::max(places[i].from, longest.from);
      const double covered = std::max(places[i].to, longest.to) - std::min(places[i].from, longest.from);
      if (shared >= kSharedMin * covered && series.insert(places[i].series).second)
        group.members.push_back(i);
    }
    std::ranges::sort(group.members);
    std::erase_if(left, [&](std::size_t i) { return std::ranges::binary_search(group.members, i); });
    groups.push_back(std::move(group));
  }
  return groups;
}

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
  std::ranges::stable_sort(event.changes, std::greater{}, size);
  event.higher_is_better = std::ranges::all_of(
      event.changes, [](const EventChange& change) { return change.metric.better == Better::kHigher; });
  event.slower = side_of(event, true);
  event.faster = side_of(event, false);
  set_state(event);
}

}  // namespace tracker::events
