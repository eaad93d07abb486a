#include "tracker/events/event_choice.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "tracker/base/time.hpp"
#include "tracker/events/events.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::events {
namespace {

constexpr double kFalseShare = 0.01;  // chance that noise makes a regression in any of the series
constexpr std::size_t kLastingValues = 5;
constexpr std::size_t kTogether = 3;  // benchmarks that need less

// How much slower, as waivers count it: a share of the time, or of the rate that is lost.
double loss_of(const Metric& metric, double before, double after) {
  return metric.better == Better::kHigher ? 1 - after / before : after / before - 1;
}

double worse_by(const EventChange& change) {
  return loss_of(change.metric, change.before, change.after);
}

bool accepts(const Acceptance& one, const std::string& benchmark, bool worse, double loss) {
  return means_benchmark(one.match, benchmark) && (one.machine || (worse && loss <= one.ceiling));
}

std::string machine_in_words(const std::string& reason) {
  return "the machine changed: " + reason;
}

bool may_be_at(const ChangeEvent& event, int position) {
  return position > event.last_before.position && position <= event.last_possible.position;
}

bool is_open(const EventChange& change) {
  return change.worse && !change.undone_by && change.accepted.empty() && change.other_conditions.empty();
}

bool counts_against(const EventChange& change) {
  return is_open(change) && (!change.same_code || change.same_code_fails);
}

bool is_certain(const ChangeEvent& event, std::size_t series, bool (*counts)(const EventChange&)) {
  std::size_t settled = 0;
  bool any_sure = false;
  bool any_lasting = false;
  for (const auto& change : event.changes) {
    if (!counts(change) || !change.settled) continue;
    ++settled;
    const bool is_sure = (1 - change.sure) * static_cast<double>(series) <= kFalseShare;
    any_sure = any_sure || is_sure;
    any_lasting = any_lasting || (is_sure && change.values >= kLastingValues);
  }
  return any_lasting || (any_sure && settled >= kTogether);
}

}  // namespace

int oldest_of_newest(const std::vector<Series>& all, std::size_t commits) {
  const auto points = points_by_position(all);
  if (points.size() <= commits) return points.empty() ? 0 : points.front()->position;
  return points[points.size() - commits]->position;
}

std::vector<ChangeEvent> lasting_events(const std::vector<ChangeEvent>& events, const std::string& since) {
  std::vector<ChangeEvent> chosen;
  for (const auto& event : events) {
    const EventCommit& newest = event.shape == EventShape::kStep ? event.first_seen : event.last_possible;
    const bool is_settled = std::ranges::any_of(
        event.changes, [](const EventChange& change) { return change.settled || change.machine; });
    if (is_settled && newest.date.substr(0, since.size()) >= since) chosen.push_back(event);
  }
  std::ranges::stable_sort(chosen, std::greater{}, weight_of);
  return chosen;
}

void accept_changes(std::vector<ChangeEvent>& events, const std::vector<Acceptance>& acceptances) {
  for (auto& event : events) {
    event.accepted = 0;
    for (auto& change : event.changes) {
      if (change.machine && change.accepted.empty()) continue;  // the sentinel shows it
      change.accepted.clear();
      change.machine = false;
      for (const auto& one : acceptances) {
        if (!accepts(one, change.benchmark, change.worse, worse_by(change))) continue;
        if (one.position && !may_be_at(event, *one.position)) continue;
        change.accepted = one.reason;
        change.machine = one.machine;
        if (one.machine) break;
      }
      event.accepted += change.accepted.empty() || !change.worse ? 0 : 1;
    }
    if (is_of_machine(event) && !event.changes.front().accepted.empty())
      event.causes = {{EventCauseKind::kConditions, "", "", "",
                       machine_in_words(event.changes.front().accepted), event.changes.size()}};
  }
}

void accept_steps(Series& series, const std::vector<Acceptance>& acceptances) {
  for (auto& step : series.steps) {
    step.accepted.clear();
    if (!step.other_conditions.empty()) continue;
    const auto before = comparable_before(series, std::min(step.earliest, step.point));
    const int after = before ? series.points[*before].position : -1;
    const int last = series.points[std::max(step.latest, step.point)].position;
    for (const auto& one : acceptances) {
      if (!accepts(one, series.benchmark, step.worse, loss_of(series.metric, step.before, step.after)))
        continue;
      if (one.position && (*one.position <= after || *one.position > last)) continue;
      if (!one.machine) {
        step.accepted = one.reason;
        continue;
      }
      step.accepted.clear();
      step.other_conditions = machine_in_words(one.reason);
      step.settled = false;
      break;
    }
  }
}

double largest_loss(const std::vector<ChangeEvent>& events, const std::string& glob, int position) {
  double largest = 0;
  for (const auto& event : events) {
    if (!may_be_at(event, position)) continue;
    for (const auto& change : event.changes)
      if (change.worse && means_benchmark(glob, change.benchmark))
        largest = std::max(largest, worse_by(change));
  }
  return largest;
}

NewestCheck check_newest(const std::vector<ChangeEvent>& events, const std::vector<Series>& all,
                         std::size_t commits) {
  NewestCheck check;
  for (const auto& series : all) {
    const auto values =
        std::ranges::count_if(series.points, [](const SeriesPoint& point) { return !point.disturbed; });
    ++(static_cast<std::size_t>(values) >= kCheckedValuesMin ? check.series : check.short_series);
  }
  const int oldest = oldest_of_newest(all, commits);
  for (const auto& event : events) {
    const bool is_new = event.shape == EventShape::kStep && event.first_seen.position >= oldest;
    if (is_new && is_of_machine(event) && event.accepted == 0) check.machine.push_back(event);
    const auto any = [&](bool (*counts)(const EventChange&)) {
      return std::ranges::any_of(event.changes, counts);
    };
    if (!is_new || !any(is_open)) continue;
    if (event.together)
      check.together.push_back(event);
    else if (any(counts_against))
      (is_certain(event, all.size(), counts_against) ? check.regressions : check.uncertain).push_back(event);
    else if (is_certain(event, all.size(), is_open))
      check.same_code.push_back(event);
  }
  return check;
}

namespace {

constexpr double kDriftFalseShare = 0.01;  // chance that noise makes such a drift in any of the series
constexpr double kNormalWithin = 1.96;     // the deviations that an interval of 95 % goes out to
constexpr double kValuesADegree = 2;       // values that follow one another tell less than as many
constexpr double kDriftDegreesMin = 4;

const Series* series_of(const std::vector<Series>& all, const EventChange& change) {
  const auto found = std::ranges::find_if(all, [&](const Series& series) {
    return series.device == change.device && series.benchmark == change.benchmark;
  });
  return found == all.end() ? nullptr : &*found;
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
    if (series == nullptr || !is_open(change) || (!since.device.empty() && since.device != change.device))
      continue;
    const bool is_certain = chance_of(change, *series) * static_cast<double>(all.size()) <= kDriftFalseShare;
    const double loss = lost_since(event, change, since.position);
    if (is_certain && loss > threshold.value_or(series->threshold)) losses.push_back({i, loss});
  }
  std::ranges::stable_sort(losses, std::greater{}, &DriftLoss::loss);
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

}  // namespace tracker::events
