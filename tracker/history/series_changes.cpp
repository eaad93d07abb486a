#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/history/line_runs.hpp"
#include "tracker/history/series.hpp"
#include "tracker/judge/noise_model.hpp"
#include "tracker/judge/not_comparable.hpp"
#include "tracker/stats/change_points.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::history {
namespace {

// What the points count as that a series of no length would be known by: the usual noise of jobs counts for
// less and less as a series gets longer.
constexpr double kUsualPoints = 4;
constexpr double kNormalWithin95 = 1.96;
// Standard deviations of what the sentinel leaves open, below which a step where the machine changed may be
// the machine's.
constexpr double kMachineDeviations = 3;

// The points of one setting that count, and what the rule needs to know of them.
struct CalmPoints {
  std::vector<std::size_t> places;  // among all points
  std::vector<double> values;       // as the newest machine would give them
  std::vector<double> spreads;      // the deviation of each value, as far as it is known
  std::vector<Shared<PointConditions>> conditions;
};

CalmPoints calm_points(const Series& series, std::uint8_t setting, DeviceKind kind) {
  CalmPoints calm;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const SeriesPoint& point = series.points[i];
    if (point.disturbed || point.setting != setting) continue;
    calm.places.push_back(i);
    calm.values.push_back(joined_value(point));
    calm.conditions.push_back(point.conditions);
  }
  const auto count = static_cast<double>(calm.places.size());
  const double job = judge::default_job_variance(kind, judge::Distance::kSameBoard).value;
  for (const std::size_t i : calm.places) {
    const SeriesPoint& point = series.points[i];
    const double sampling = std::log(point.spread.high / point.spread.low) / 2 / kNormalWithin95;
    calm.spreads.push_back(joined_value(point) *
                           std::sqrt(sampling * sampling + job * kUsualPoints / (kUsualPoints + count)));
  }
  return calm;
}

double size_of(const stats::ChangePoint& point) {
  return std::abs(std::log(point.after / point.before));
}

// A change that noise makes in one of a thousand series at most.
constexpr double kChanceMax = 0.001;

bool is_certain(const stats::ChangePoint& point) {
  return point.settled && 1 - point.sure <= kChanceMax;
}

// Points smaller than asked for are no steps, and the levels beside them one: the smallest goes first. Beside
// a drift the levels stay, as its values are none. Where only the pace changes, the drifts say so. Returns
// those that are certain all the same.
std::vector<stats::ChangePoint> drop_small(stats::Changes& changes, std::span<const double> values,
                                           double least) {
  std::vector<stats::ChangePoint> certain;
  auto& points = changes.points;
  std::erase_if(points,
                [](const auto& point) { return point.bends || !(point.before > 0) || !(point.after > 0); });
  for (;;) {
    const auto smallest = std::ranges::min_element(points, {}, size_of);
    if (smallest == points.end() || size_of(*smallest) >= least) return certain;
    if (is_certain(*smallest)) certain.push_back(*smallest);
    const auto next = points.erase(smallest);
    const std::size_t from = next == points.begin() ? 0 : (next - 1)->at;
    const std::size_t to = next == points.end() ? values.size() : next->at;
    if (std::ranges::any_of(changes.drifts,
                            [&](const auto& drift) { return drift.from < to && from < drift.to; }))
      continue;
    const double level = stats::median(values.subspan(from, to - from));
    if (next != points.end()) next->before = level;
    if (next == points.begin()) continue;
    (next - 1)->after = level;
    (next - 1)->settled = to - from >= stats::kSettledLength;
  }
}

bool is_worse(const Series& series, double before, double after) {
  return (after > before) != (series.metric.better == Better::kHigher);
}

// Of the calm points [from, at) and [at, to): what the sentinel leaves open of the ratio of their levels, as
// a deviation of logarithms.
double left_open(const Series& series, const CalmPoints& calm, const Sentinel& sentinel, std::size_t from,
                 std::size_t at, std::size_t to) {
  std::map<std::uint16_t, double> weights;  // of the eras, after less before
  for (std::size_t i = from; i < to; ++i)
    weights[series.points[calm.places[i]].era] +=
        i < at ? -1 / static_cast<double>(at - from) : 1 / static_cast<double>(to - at);
  const std::uint16_t reference = series.points[calm.places[to - 1]].era;
  double variance = 0;
  for (const auto& [era, weight] : weights)
    if (const auto moved = sentinel.shift(reference, era, series.benchmark))
      variance += std::pow(weight * moved->error, 2);
  return std::sqrt(variance);
}

// Of a step of the joined levels between the calm points [from, to): how the machine changed, where that may
// be all of it; empty else.
std::string of_machine(const Series& series, const CalmPoints& calm, const Sentinel& sentinel,
                       const stats::ChangePoint& found, std::size_t from, std::size_t to) {
  const auto era = [&](std::size_t i) { return series.points[calm.places[i]].era; };
  std::size_t place = std::max<std::size_t>(found.first, 1);
  while (place <= found.last && (era(place - 1) == era(place))) ++place;
  if (sentinel.empty() || place > found.last) return "";
  // Beside the step an era may stand that is a small part of its level.
  constexpr std::size_t kNear = 5;
  const double open =
      std::max(left_open(series, calm, sentinel, from, found.at, to),
               left_open(series, calm, sentinel, std::max(from, found.at - std::min(found.at, kNear)),
                         found.at, std::min(to, found.at + kNear)));
  if (size_of(found) >= kMachineDeviations * open) return "";
  return sentinel.in_words(era(place - 1), era(place), series.benchmark);
}

std::vector<SeriesStep> steps_of(const Series& series, const CalmPoints& calm, const Sentinel& sentinel,
                                 const std::vector<stats::ChangePoint>& points) {
  std::vector<SeriesStep> steps;
  const std::span<const Shared<PointConditions>> seen(calm.conditions);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& found = points[i];
    const std::size_t from = i == 0 ? 0 : points[i - 1].at;
    const std::size_t to = i + 1 == points.size() ? seen.size() : points[i + 1].at;
    std::string apart =
        conditions_apart(seen.subspan(from, found.at - from), seen.subspan(found.at, to - found.at));
    if (apart.empty()) apart = of_machine(series, calm, sentinel, found, from, to);
    const double machine = std::exp(series.points[calm.places[found.at]].machine);
    steps.push_back({calm.places[found.at], found.before * machine, found.after * machine,
                     is_worse(series, found.before, found.after), found.settled && apart.empty(), apart,
                     calm.places[found.first], calm.places[found.last], found.sure});
  }
  return steps;
}

std::vector<SeriesDrift> drifts_of(const Series& series, const CalmPoints& calm,
                                   const std::vector<stats::Drift>& found, double least) {
  std::vector<SeriesDrift> drifts;
  const std::span<const Shared<PointConditions>> seen(calm.conditions);
  for (const auto& one : found) {
    if (!(one.before > 0) || !(one.after > 0) || std::abs(std::log(one.after / one.before)) < least) continue;
    const std::size_t third = (one.to - one.from) / 3;
    SeriesDrift drift;
    drift.from = calm.places[one.from];
    drift.to = calm.places[one.to - 1] + 1;
    const double machine = std::exp(series.points[calm.places[one.to - 1]].machine);
    drift.before = one.before * machine;
    drift.after = one.after * machine;
    drift.change = {one.total.low - 1, one.total.high - 1};
    drift.since = series.points[drift.from].commit;
    drift.commits = static_cast<int>(one.to - one.from);
    drift.worse = is_worse(series, one.before, one.after);
    drift.other_conditions =
        conditions_apart(seen.subspan(one.from, third), seen.subspan(one.to - third, third));
    drifts.push_back(drift);
  }
  return drifts;
}

std::vector<SmallChange> small_changes(const CalmPoints& calm, const std::vector<stats::ChangePoint>& points,
                                       const std::vector<stats::Drift>& drifts, double least) {
  std::vector<SmallChange> small;
  for (const auto& point : points) small.push_back({calm.places[point.at], point.after / point.before - 1});
  for (const auto& drift : drifts) {
    const bool has_levels = drift.before > 0 && drift.after > 0;
    const bool moved = drift.total.low > 1 || drift.total.high < 1;
    if (has_levels && moved && std::abs(std::log(drift.after / drift.before)) < least)
      small.push_back({calm.places[drift.to - 1], drift.after / drift.before - 1});
  }
  std::ranges::sort(small, {}, &SmallChange::point);
  return small;
}

// How far the level goes by itself, as a share; 0 where that is less than what is asked for.
double wandering_of(const stats::Changes& changes, double least) {
  double largest = 0;
  for (const auto& point : changes.wandered)
    if (point.before > 0 && point.after > 0) largest = std::max(largest, size_of(point));
  return largest < least ? 0 : std::expm1(largest);
}

// Of methods that are the same, the place of the first: one may state less than another.
std::vector<std::size_t> first_alike(const std::vector<std::string>& methods) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    std::size_t same = 0;
    while (same < i && !judge::methods_apart(methods[same], methods[i]).empty()) ++same;
    places.push_back(same);
  }
  return places;
}

judge::Repetition repetition_of(const PointRepetitions& of_point) {
  return {std::round(from_rough(of_point.fewest)), std::round(from_rough(of_point.most)),
          from_rough(of_point.time_ps) / kPsPerNs};
}

double count_of(const PointRepetitions& of_point) {
  return std::round(from_rough(of_point.count));
}

// Where some points of one method have other repetitions, that is part of their methods.
void tell_repetitions_apart(Series& series) {
  std::map<std::size_t, std::vector<PointRepetitions>> kinds;  // by method, those of the first point of each
  std::vector<std::size_t> kind_of;
  bool have_lengths = false;
  bool have_counts = false;
  const auto alike = first_alike(series.methods);
  for (const auto& point : series.points) {
    auto& known = kinds[alike.empty() ? 0 : alike[point.method]];
    const PointRepetitions& own = point.repetitions;
    const bool is_stated = own.time_ps > 0 || own.count > 0;
    std::size_t kind = 0;
    while (is_stated && kind < known.size() && repetitions_apart(known[kind], own, series.metric)) ++kind;
    kind_of.push_back(kind);
    if (!is_stated || kind < known.size()) continue;
    for (const auto& other : known) {
      have_lengths = have_lengths || judge::lengths_apart(repetition_of(other), repetition_of(own));
      have_counts = have_counts || judge::counts_apart(series.metric, count_of(other), count_of(own));
    }
    known.push_back(own);
  }
  if (!have_lengths && !have_counts) return;
  std::vector<std::string> methods;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    SeriesPoint& point = series.points[i];
    const auto& known = kinds[alike.empty() ? 0 : alike[point.method]];
    const PointRepetitions first = known.empty() ? PointRepetitions{} : known[kind_of[i]];
    std::string method = series.methods.empty() ? "" : series.methods[point.method];
    if (have_lengths && first.time_ps > 0)
      method += std::string(judge::kRepetition) + "\t" +
                format_quantity(judge::length_ns(repetition_of(first)) * 1e-9, "s") + "\n";
    if (have_counts && first.count > 0)
      method += std::string(judge::kRepetitions) + "\t" + format_plain(count_of(first)) + "\n";
    point.method = place_of_method(methods, method);
  }
  series.methods = std::move(methods);
}

// Numbers the settings of the points; returns how many there are.
std::size_t find_settings(Series& series) {
  constexpr std::size_t kSettingsMax = std::numeric_limits<std::uint8_t>::max();
  tell_repetitions_apart(series);
  const auto methods = first_alike(series.methods);
  const auto machines = machines_of(series.points);
  std::map<std::tuple<std::size_t, std::size_t, bool>, std::size_t> numbers;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const std::size_t method = methods.empty() ? 0 : methods[series.points[i].method];
    const bool is_unknown = series.points[i].era == kUnknownEra;
    const std::size_t number =
        numbers.try_emplace({machines[i], method, is_unknown}, numbers.size()).first->second;
    series.points[i].setting = static_cast<std::uint8_t>(std::min(number, kSettingsMax));
  }
  return std::min(numbers.size(), kSettingsMax + 1);
}

// Where another era of the machine begins for good: by how much the sentinel moved. What takes turns is none.
std::vector<SeriesStep> steps_of_machine(const Series& series, const CalmPoints& calm,
                                         const Sentinel& sentinel, double least) {
  constexpr std::size_t kNear = 2;  // points on either side that tell the level
  constexpr std::size_t kFew = 5;   // one in so many of an era's points may lie on the other side
  std::vector<SeriesStep> steps;
  std::map<std::uint16_t, std::size_t> all;
  for (const std::size_t place : calm.places) ++all[series.points[place].era];
  std::map<std::uint16_t, std::size_t> seen;
  for (std::size_t i = 1; i < calm.places.size(); ++i) {
    const SeriesPoint& was = series.points[calm.places[i - 1]];
    const SeriesPoint& is = series.points[calm.places[i]];
    ++seen[was.era];
    if (was.era == is.era || was.era == kNoEra || is.era == kNoEra) continue;
    if (kFew * seen[is.era] > all[is.era] || kFew * (all[was.era] - seen[was.era]) > all[was.era]) continue;
    if (std::abs(is.machine - was.machine) < least) continue;
    const std::size_t from = i - std::min(i, kNear);
    const std::size_t to = std::min(calm.values.size(), i + kNear + 1);
    const double level = stats::median(std::span(calm.values).subspan(from, to - from));
    SeriesStep step{calm.places[i], level * std::exp(was.machine), level * std::exp(is.machine)};
    step.worse = is_worse(series, step.before, step.after);
    step.other_conditions = sentinel.in_words(was.era, is.era, series.benchmark);
    step.machine = true;
    step.earliest = step.latest = step.point;
    step.sure = 1;
    steps.push_back(std::move(step));
  }
  return steps;
}

void find_changes_in(Series& series, std::uint8_t setting, DeviceKind kind, const Sentinel& sentinel) {
  const CalmPoints calm = calm_points(series, setting, kind);
  const double least = std::log1p(series.threshold);
  stats::Changes changes = stats::find_changes(calm.values, calm.spreads);
  const auto certain = drop_small(changes, calm.values, least);
  const auto add = [](auto& all, auto own) { all.insert(all.end(), own.begin(), own.end()); };
  add(series.steps, steps_of(series, calm, sentinel, changes.points));
  add(series.steps, steps_of_machine(series, calm, sentinel, least));
  add(series.drifts, drifts_of(series, calm, changes.drifts, least));
  add(series.below, small_changes(calm, certain, changes.drifts, least));
  series.wanders = std::max(series.wanders, wandering_of(changes, least));
}

// A change of the code shows on each machine, and is one: of those that are certain, the one that fewest
// commits may have made stands.
void join_steps(Series& series) {
  auto& steps = series.steps;
  const auto after = [&](const SeriesStep& step) {
    const auto before = comparable_before(series, std::min(step.earliest, step.point));
    return before ? *before + 1 : step.earliest;
  };
  std::ranges::stable_sort(steps, [&](const auto& a, const auto& b) {
    const bool a_is_certain = 1 - a.sure <= kChanceMax;
    const bool b_is_certain = 1 - b.sure <= kChanceMax;
    if (a_is_certain != b_is_certain) return a_is_certain;
    return a.latest - after(a) < b.latest - after(b);
  });
  std::vector<SeriesStep> joined;
  for (const auto& step : steps) {
    const auto same = std::ranges::find_if(joined, [&](const SeriesStep& one) {
      return one.worse == step.worse && one.other_conditions.empty() && step.other_conditions.empty() &&
             series.points[one.point].setting != series.points[step.point].setting &&
             after(one) <= step.latest && after(step) <= one.latest;
    });
    if (same == joined.end()) joined.push_back(step);
  }
  steps = std::move(joined);
}

// The points of a setting, of those that count.
struct SettingSpan {
  std::uint8_t setting = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

// The settings that follow one another in the points [from, to): the one with most points, what lies before
// its first point, and what lies after its last.
void find_spans(const Series& series, std::size_t from, std::size_t to, std::vector<SettingSpan>& spans) {
  std::map<std::uint8_t, std::size_t> counts;
  for (std::size_t i = from; i < to; ++i)
    if (!series.points[i].disturbed) ++counts[series.points[i].setting];
  if (counts.empty()) return;
  SettingSpan most{
      std::ranges::max_element(counts, [](const auto& a, const auto& b) { return a.second < b.second; })
          ->first,
      to, from};
  for (std::size_t i = from; i < to; ++i) {
    if (series.points[i].disturbed || series.points[i].setting != most.setting) continue;
    most.first = std::min(most.first, i);
    most.last = i;
  }
  find_spans(series, from, most.first, spans);
  spans.push_back(most);
  find_spans(series, most.last + 1, to, spans);
}

// The level of a setting at the end, or at the beginning, of its span.
double level_in(const Series& series, const SettingSpan& span, bool at_end) {
  std::size_t from = span.first;
  std::size_t to = span.last + 1;
  for (const auto& step : series.steps)
    if (series.points[step.point].setting == span.setting && step.other_conditions.empty() &&
        step.point > from && step.point < to)
      (at_end ? from : to) = step.point;
  std::vector<double> values;
  for (std::size_t i = from; i < to; ++i)
    if (!series.points[i].disturbed && series.points[i].setting == span.setting)
      values.push_back(series.points[i].median);
  return stats::median(values);
}

// Where one setting ends and another takes its place, the level is another one, and the code is not to blame.
std::vector<SeriesStep> steps_of_settings(const Series& series, double least) {
  std::vector<SettingSpan> spans;
  find_spans(series, 0, series.points.size(), spans);
  std::vector<SeriesStep> steps;
  const auto has_begun_before = [&](const SettingSpan& span, std::size_t point) {
    for (std::size_t i = 0; i < point; ++i)
      if (!series.points[i].disturbed && series.points[i].setting == span.setting) return true;
    return false;
  };
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (has_begun_before(spans[i], spans[i - 1].last)) continue;  // they take turns
    const SeriesPoint& was = series.points[spans[i - 1].last];
    const SeriesPoint& is = series.points[spans[i].first];
    std::vector<std::string> words;
    for (auto& apart : {machines_apart(*was.conditions, *is.conditions),
                        series.methods.empty()
                            ? std::string()
                            : judge::methods_apart(series.methods[was.method], series.methods[is.method])})
      if (!apart.empty()) words.push_back(apart);
    const double before = level_in(series, spans[i - 1], true);
    const double after = level_in(series, spans[i], false);
    if (!(before > 0) || !(after > 0) || std::abs(std::log(after / before)) < least) continue;
    SeriesStep step{spans[i].first, before, after, is_worse(series, before, after)};
    if (words.empty())
      words.emplace_back(is.era == kUnknownEra ? "a machine that the sentinel was not measured on"
                                               : "another machine");
    step.other_conditions = join(words, ", ");
    step.earliest = step.latest = step.point;
    step.sure = 1;
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

bool repetitions_apart(const PointRepetitions& one, const PointRepetitions& other, const Metric& metric) {
  return judge::lengths_apart(repetition_of(one), repetition_of(other)) ||
         judge::counts_apart(metric, count_of(one), count_of(other));
}

std::uint16_t place_of_method(std::vector<std::string>& methods, const std::string& method) {
  const auto found = std::ranges::find(methods, method);
  const auto place = static_cast<std::uint16_t>(found - methods.begin());
  if (found == methods.end()) methods.push_back(method);
  return place;
}

void find_changes(Series& series, DeviceKind kind, const Sentinel& sentinel) {
  place_on_machine(series, sentinel);
  const std::size_t settings = find_settings(series);
  for (std::size_t i = 0; i < settings; ++i)
    find_changes_in(series, static_cast<std::uint8_t>(i), kind, sentinel);
  if (settings < 2 && sentinel.empty()) return;
  if (settings > 1) {
    join_steps(series);
    std::ranges::move(steps_of_settings(series, std::log1p(series.threshold)),
                      std::back_inserter(series.steps));
  }
  std::ranges::stable_sort(series.steps, {}, &SeriesStep::point);
  std::ranges::stable_sort(series.below, {}, &SmallChange::point);
  std::ranges::stable_sort(series.drifts, {}, &SeriesDrift::from);
}

void mark_ended(std::vector<Series>& all) {
  constexpr std::size_t kRunsMin = 3;
  constexpr double kTimesUsual = 3;
  std::vector<int> positions;  // of commits with a run
  for (const auto& series : all)
    for (const auto& point : series.points) positions.push_back(point.position);
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  for (auto& series : all) {
    if (series.points.empty()) continue;
    const auto first = std::ranges::lower_bound(positions, series.points.front().position);
    const auto after = std::upper_bound(first, positions.end(), series.points.back().position);
    const auto newer = static_cast<std::size_t>(positions.end() - after);
    const double usual = static_cast<double>(after - first) / static_cast<double>(series.points.size());
    series.ended = newer >= kRunsMin && static_cast<double>(newer) >= kTimesUsual * usual;
  }
}

Series points_from(Series series, int position) {
  const auto first = std::ranges::lower_bound(series.points, position, {}, &SeriesPoint::position);
  const auto cut = static_cast<std::size_t>(first - series.points.begin());
  std::erase_if(series.steps, [&](const SeriesStep& step) { return step.point < cut; });
  for (auto& step : series.steps) {
    step.point -= cut;
    step.earliest = std::max(step.earliest, cut) - cut;
    step.latest -= cut;
  }
  std::erase_if(series.below, [&](const SmallChange& small) { return small.point < cut; });
  for (auto& small : series.below) small.point -= cut;
  std::erase_if(series.drifts, [&](const SeriesDrift& drift) { return drift.to <= cut + 1; });
  for (auto& drift : series.drifts) {
    if (drift.from < cut) {
      const double share =
          static_cast<double>(cut - drift.from) / static_cast<double>(drift.to - 1 - drift.from);
      drift.before *= std::pow(drift.after / drift.before, share);
    }
    drift.from = std::max(drift.from, cut) - cut;
    drift.to -= cut;
  }
  series.points.erase(series.points.begin(), first);
  series.points.shrink_to_fit();  // of a long history little may be left
  const bool has_base = std::ranges::any_of(
      series.points, [&](const SeriesPoint& point) { return point.commit == series.base; });
  if (!has_base) series.base.reset();
  return series;
}

}  // namespace tracker::history
