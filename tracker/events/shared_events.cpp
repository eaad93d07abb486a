#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "tracker/events/events.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/level.hpp"
#include "tracker/stats/pooling.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::events {
namespace {

constexpr std::size_t kPoolSeriesMin = 5;
constexpr std::size_t kMemberValuesMin = 20;
constexpr double kPooledNoiseMin = 1e-4;  // of a value: no series is taken to be quieter
constexpr double kLeastOfThreshold = 0.1;
constexpr double kExplained = 0.25;  // of the pool's series that a known event has: it is that event
constexpr int kNearPlaces = 2;       // commits
constexpr double kMiddleHalf = 0.25;
constexpr double kSameWayMin =
    0.75;  // of the series that go the same way: else it is a change of some of them
constexpr double kMiddleHalfVariance = 1.2;  // of its mean, as a multiple of that of all values

// One series without its own changes.
struct Member {
  const Series* series = nullptr;
  std::vector<double>
      residuals;           // logarithms, as what is slower counts up: one a commit; NaN where it has none
  std::size_t values = 0;  // of these that are there
  double noise = 0;
};

struct Pool {
  PoolKind kind = PoolKind::kFamily;
  std::string name;
  std::vector<const Member*> members;
};

double slower_sign(const Metric& metric) {
  return metric.better == Better::kHigher ? -1 : 1;
}

// The stretches of points between a series' own changes.
std::vector<std::size_t> stretch_ends(const Series& series) {
  std::set<std::size_t> ends{series.points.size()};
  for (const auto& step : series.steps) ends.insert(step.point);
  for (const auto& drift : series.drifts) {
    ends.insert(drift.from);
    ends.insert(drift.to);
  }
  ends.erase(0);
  return {ends.begin(), ends.end()};
}

const SeriesDrift* drift_over(const Series& series, std::size_t from, std::size_t to) {
  for (const auto& drift : series.drifts)
    if (drift.from <= from && to <= drift.to && drift.before > 0 && drift.after > 0) return &drift;
  return nullptr;
}

// `columns`: the positions of the device's commits, in order.
Member member_of(const Series& series, const std::vector<int>& columns) {
  Member member{&series, std::vector<double>(columns.size(), std::numeric_limits<double>::quiet_NaN()), 0, 0};
  std::vector<double> all;
  std::size_t from = 0;
  std::size_t column = 0;
  for (const std::size_t to : stretch_ends(series)) {
    const SeriesDrift* drift = drift_over(series, from, to);
    std::vector<double> logs;
    std::vector<std::size_t> places;
    std::map<int, std::vector<double>> settings;  // each has a level of its own
    std::vector<int> own_settings;
    for (std::size_t i = from; i < to; ++i) {
      const SeriesPoint& point = series.points[i];
      while (columns[column] < point.position) ++column;
      if (point.disturbed || !(point.median > 0)) continue;
      double log = std::log(joined_value(point));
      if (drift != nullptr && drift->to > drift->from + 1)
        log -= log_ratio(drift->after, drift->before) * static_cast<double>(i - drift->from) /
               static_cast<double>(drift->to - 1 - drift->from);
      logs.push_back(slower_sign(series.metric) * log);
      places.push_back(column);
      own_settings.push_back(point.setting);
      settings[point.setting].push_back(logs.back());
    }
    from = to;
    std::map<int, double> levels;
    for (auto& [setting, values] : settings) levels[setting] = stats::median(std::move(values));
    for (std::size_t i = 0; i < logs.size(); ++i) {
      member.residuals[places[i]] = logs[i] - levels[own_settings[i]];
      all.push_back(member.residuals[places[i]]);
    }
  }
  member.values = all.size();
  member.noise = std::max(kPooledNoiseMin, stats::difference_noise(all));
  return member;
}

// Families, shapes of several families, and the device; one of its series each, and enough of them.
std::vector<Pool> pools_of(const std::vector<const Member*>& members) {
  std::map<std::string, Pool> families;
  std::map<std::string, Pool> shapes;
  std::map<std::string, std::set<std::string>> families_of_shape;
  Pool device{PoolKind::kDevice, "", members};
  for (const auto* member : members) {
    const std::string& name = member->series->benchmark;
    const std::string family = family_of(name);
    families[family].members.push_back(member);
    if (const auto place = tracker::place_of(name)) {
      shapes[place->shape].members.push_back(member);
      families_of_shape[place->shape].insert(family);
    }
  }
  std::vector<Pool> pools;
  for (auto& [name, pool] : families) pools.push_back({PoolKind::kFamily, name, std::move(pool.members)});
  for (auto& [name, pool] : shapes)
    if (families_of_shape[name].size() > 1)
      pools.push_back({PoolKind::kShape, name, std::move(pool.members)});
  if (families.size() > 1) pools.push_back(std::move(device));
  std::erase_if(pools, [](const Pool& pool) { return pool.members.size() < kPoolSeriesMin; });
  return pools;
}

// What a pool shows at each of the device's commits.
struct PooledLine {
  const std::vector<int>& positions;
  std::vector<double> values;
};

PooledLine pooled_line(const Pool& pool, const std::vector<int>& columns) {
  std::vector<std::vector<double>> deviations;
  for (const auto* member : pool.members) {
    deviations.push_back(member->residuals);
    for (double& one : deviations.back()) one /= member->noise;
  }
  return {columns, stats::pooled_deviations(deviations)};
}

// The mean of the middle half.
double middle_mean(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto cut = static_cast<std::size_t>(kMiddleHalf * static_cast<double>(values.size()));
  return stats::mean(std::span(values).subspan(cut, values.size() - 2 * cut));
}

// What one series changed by, from one stretch of positions to the next, or along one: a logarithm.
double own_change(const Member& member, const stats::SharedChange& change, const PooledLine& line, int from,
                  int to) {
  const int at = line.positions[change.at];
  double before = 0;
  double after = 0;
  double before_count = 0;
  double after_count = 0;
  const double reach = 3 * member.noise + std::abs(change.size) * member.noise;
  const double middle = (static_cast<double>(from) + static_cast<double>(to)) / 2;
  double product = 0;
  double spread = 0;
  for (std::size_t i = 0; i < line.positions.size(); ++i) {
    const int position = line.positions[i];
    if (position < from || position > to || !std::isfinite(member.residuals[i])) continue;
    const double value = std::clamp(member.residuals[i], -reach, reach);
    (position < at ? before : after) += value;
    (position < at ? before_count : after_count) += 1;
    product += (position - middle) * value;
    spread += (position - middle) * (position - middle);
  }
  if (change.drifts) return spread > 0 ? product / spread * (to - from) : 0;
  if (before_count == 0 || after_count == 0) return 0;
  return after / after_count - before / before_count;
}

// The median of the newest values before this position; 0 where there are none.
double level_before(const Series& series, int position) {
  constexpr std::size_t kNewest = 25;
  std::vector<double> values;
  for (auto point = series.points.rbegin(); point != series.points.rend() && values.size() < kNewest; ++point)
    if (!point->disturbed && point->position < position && point->median > 0) values.push_back(point->median);
  if (values.empty())
    for (const auto& point : series.points)
      if (!point.disturbed && point.median > 0 && values.size() < kNewest) values.push_back(point.median);
  return values.empty() ? 0 : stats::median(values);
}

// One change of one pool, before it is told which of them stand.
struct SharedFinding {
  ChangeEvent event;
  double chance = 1;
  std::map<std::string, double> own;  // what each benchmark changed by: a logarithm
};

// Whether so many of them go the same way that it is a change of all of them.
bool agree(const std::vector<double>& changes, double shared) {
  const auto same_way = std::ranges::count_if(changes, [&](double change) { return change * shared > 0; });
  return static_cast<double>(same_way) >= kSameWayMin * static_cast<double>(changes.size());
}

Series drawn(const PooledLine& line, const std::map<int, EventCommit>& commits, const EventChange& largest,
             double unit) {
  Series series;
  series.device = largest.device;
  series.metric = largest.metric;
  for (std::size_t i = 0; i < line.positions.size(); ++i) {
    if (!std::isfinite(line.values[i])) continue;
    const EventCommit& commit = commits.at(line.positions[i]);
    SeriesPoint point;
    point.commit = commit.id;
    point.subject = commit.subject;
    point.date = commit.date;
    point.position = commit.position;
    point.median = std::exp(slower_sign(largest.metric) * unit * line.values[i]);
    point.spread = {point.median, point.median};
    series.points.push_back(point);
  }
  return series;
}

// Where a later change of the pool leaves less than a quarter of this one.
std::optional<EventCommit> undone_at(const std::vector<stats::SharedChange>& changes, std::size_t which,
                                     const PooledLine& line, const std::map<int, EventCommit>& commits) {
  double left = changes[which].size;
  for (std::size_t i = which + 1; i < changes.size(); ++i) {
    left += changes[i].size;
    if (left / changes[which].size <= kLeftOfUndone) return commits.at(line.positions[changes[i].at]);
  }
  return {};
}

SharedFinding finding_of(const Pool& pool, const PooledLine& line,
                         const std::vector<stats::SharedChange>& changes, std::size_t which,
                         const std::map<int, EventCommit>& commits) {
  const stats::SharedChange& change = changes[which];
  const int from = change.drifts ? line.positions[change.first]
                   : which == 0  ? line.positions.front()
                                 : line.positions[changes[which - 1].at];
  const int to = change.drifts                 ? line.positions[change.last]
                 : which + 1 == changes.size() ? line.positions.back()
                                               : line.positions[changes[which + 1].at] - 1;
  std::vector<double> own;
  for (const auto* member : pool.members) own.push_back(own_change(*member, change, line, from, to));
  const double shared = middle_mean(own);
  SharedFinding finding;
  finding.chance = change.chance;
  for (std::size_t i = 0; i < own.size(); ++i) finding.own[pool.members[i]->series->benchmark] = own[i];
  ChangeEvent& event = finding.event;
  event.shape = change.drifts ? EventShape::kDrift : EventShape::kStep;
  const int first = line.positions[change.first];
  event.last_before = at_or_before(commits, change.drifts ? first : first - 1);
  event.first_seen = commits.at(line.positions[change.at]);
  event.last_possible = commits.at(line.positions[change.last]);
  const auto undone = undone_at(changes, which, line, commits);
  const auto values = static_cast<std::size_t>(std::ranges::count_if(
      line.positions, [&](int position) { return position >= event.first_seen.position && position <= to; }));
  for (const auto* member : pool.members) {
    EventChange one;
    one.device = member->series->device;
    one.benchmark = member->series->benchmark;
    one.metric = member->series->metric;
    one.before = level_before(*member->series, event.first_seen.position);
    one.after = one.before * std::exp(slower_sign(one.metric) * shared);
    one.worse = shared > 0;
    one.settled = true;
    one.values = values;
    one.sure = 1 - change.chance;
    one.undone_by = undone;
    if (one.before > 0) event.changes.push_back(one);
  }
  if (event.changes.empty() || !agree(own, shared)) return finding;
  complete_event(event);
  const double half = std::abs(shared * change.half_width / change.size);
  const double middle = std::log(main_side(event).ratio);
  Together together{pool.kind, pool.name, {std::exp(middle - half), std::exp(middle + half)}, 0, {}};
  together.independent =
      std::min(static_cast<double>(pool.members.size()), kMiddleHalfVariance / change.variance);
  together.pooled =
      drawn(line, commits, event.changes[main_side(event).largest_at], std::abs(shared / change.size));
  if (change.drifts)
    for (auto& one : event.changes) one.ratio = together.ratio;
  event.together = std::move(together);
  return finding;
}

// Whether they may be one change: their places overlap.
bool may_be_one(const ChangeEvent& a, const ChangeEvent& b) {
  return a.last_before.position < b.last_possible.position + kNearPlaces &&
         b.last_before.position < a.last_possible.position + kNearPlaces;
}

bool is_explained_by(const ChangeEvent& event, const ChangeEvent& known) {
  if (!may_be_one(event, known)) return false;
  if (event.shape == EventShape::kStep && known.shape == EventShape::kDrift) return false;
  std::set<std::string> names;
  for (const auto& change : known.changes)
    if (change.device == event.changes.front().device) names.insert(change.benchmark);
  const auto shared = std::ranges::count_if(
      event.changes, [&](const EventChange& one) { return names.contains(one.benchmark); });
  return static_cast<double>(shared) >= kExplained * static_cast<double>(event.changes.size());
}

bool is_large_enough(const ChangeEvent& event, const Pool& pool) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto* member : pool.members) least = std::min(least, std::log1p(member->series->threshold));
  return std::abs(std::log(main_side(event).ratio)) >= kLeastOfThreshold * least;
}

bool share_series(const SharedFinding& a, const SharedFinding& b) {
  return std::ranges::any_of(a.own, [&](const auto& one) { return b.own.contains(one.first); });
}

// Whether the series that only the larger pool has show the change as well.
bool is_of_the_larger(const SharedFinding& larger, const SharedFinding& smaller) {
  std::vector<double> rest;
  for (const auto& [name, change] : larger.own)
    if (!smaller.own.contains(name)) rest.push_back(change);
  return !rest.empty() && agree(rest, larger.event.slower.changes > 0 ? 1 : -1);
}

// Of two findings that may be one change: the larger pool's, where all of it shows the change, else the
// clearer one.
const SharedFinding& better_of(const SharedFinding& a, const SharedFinding& b) {
  const SharedFinding& larger = a.own.size() > b.own.size() ? a : b;
  const SharedFinding& smaller = &larger == &a ? b : a;
  if (is_of_the_larger(larger, smaller)) return larger;
  return a.chance <= b.chance ? a : b;
}

void keep_one_each(std::vector<SharedFinding>& findings) {
  std::ranges::stable_sort(findings, std::greater{}, [](const SharedFinding& one) { return one.own.size(); });
  std::vector<SharedFinding> kept;
  for (auto& finding : findings) {
    const auto same = std::ranges::find_if(kept, [&](const SharedFinding& other) {
      return may_be_one(finding.event, other.event) && share_series(finding, other);
    });
    if (same == kept.end())
      kept.push_back(std::move(finding));
    else if (&better_of(*same, finding) == &finding)
      *same = std::move(finding);
  }
  findings = std::move(kept);
}

std::map<std::string, std::vector<const Series*>> by_device(const std::vector<Series>& all) {
  std::map<std::string, std::vector<const Series*>> devices;
  for (const auto& series : all) devices[series.device].push_back(&series);
  return devices;
}

}  // namespace

std::vector<ChangeEvent> find_shared_events(const std::vector<Series>& all,
                                            const std::vector<ChangeEvent>& known) {
  const auto commits = commits_of(all);
  std::vector<ChangeEvent> events;
  for (const auto& [device, series] : by_device(all)) {
    std::vector<int> columns;
    for (const auto* point : points_by_position(series)) columns.push_back(point->position);
    std::vector<Member> members;
    for (const auto* one : series) members.push_back(member_of(*one, columns));
    std::vector<const Member*> long_enough;
    for (const auto& member : members)
      if (member.values >= kMemberValuesMin) long_enough.push_back(&member);
    const auto pools = pools_of(long_enough);
    std::vector<SharedFinding> findings;
    for (const auto& pool : pools) {
      const PooledLine line = pooled_line(pool, columns);
      const auto changes = stats::shared_changes(line.values, static_cast<double>(pools.size()));
      for (std::size_t i = 0; i < changes.size(); ++i) {
        SharedFinding finding = finding_of(pool, line, changes, i, commits);
        if (!finding.event.together || !is_large_enough(finding.event, pool) ||
            std::ranges::any_of(known,
                                [&](const ChangeEvent& one) { return is_explained_by(finding.event, one); }))
          continue;
        findings.push_back(std::move(finding));
      }
    }
    keep_one_each(findings);
    for (auto& finding : findings) events.push_back(std::move(finding.event));
  }
  sort_by_place(events);
  return events;
}

std::vector<ChangeEvent> shared_events_since(const std::vector<Series>& series, int position) {
  auto events = find_shared_events(series, find(series));
  std::erase_if(events, [&](const ChangeEvent& event) {
    return (event.shape == EventShape::kStep ? event.first_seen : event.last_possible).position < position;
  });
  return events;
}

}  // namespace tracker::events
