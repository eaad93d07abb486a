// Which events to show, and which to raise an alarm for. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker::events {

// The settled ones, and those of the machine, that were first seen on this day ("2026-08-24"; empty: any) or
// later, and drifts that went on until then; what weighs most comes first.
std::vector<ChangeEvent> lasting_events(const std::vector<ChangeEvent>& events, const std::string& since);

// What tracker.toml accepts of changes.
struct Acceptance {
  std::string match;  // a glob over benchmark names
  std::string reason;
  double ceiling = 0;           // how much slower is accepted: a share
  std::optional<int> position;  // of the commit that made the change, on the line; none: of any
  bool machine = false;         // the machine changed there: all changes are accepted, of any size
};

// Marks the changes for the worse that any of these accepts: those that may have happened at its commit, and
// are no larger than its ceiling. Of a change of the machine those for the better as well.
void accept_changes(std::vector<ChangeEvent>& events, const std::vector<Acceptance>& acceptances);

// The same for the steps of one series, which has all of its points.
void accept_steps(Series& series, const std::vector<Acceptance>& acceptances);

// The most that a benchmark which matches lost in a step that may have happened at this commit, undone or
// not; 0 where there is none. A share, as Acceptance::ceiling.
double largest_loss(const std::vector<ChangeEvent>& events, const std::string& glob, int position);
// An accepted level may be farther away by this factor, because what was measured is an estimate.
inline constexpr double kCeilingRoom = 1.1;

// So many of the newest commits with a run are looked at, unless somebody asks for others.
inline constexpr std::size_t kNewestCommits = 20;

// What the newest commits hold.
struct NewestCheck {
  std::vector<ChangeEvent> regressions;  // certain, lasting, and neither undone nor accepted
  std::vector<ChangeEvent> uncertain;    // the same, but the next runs have to confirm them
  // Certain and lasting as well, but not of the code: docs/reasons.md#same-code-slower-time. They fail
  // nothing, unless tracker.toml has it so.
  std::vector<ChangeEvent> same_code;
  std::vector<ChangeEvent> together;  // losses that related benchmarks show only together
  std::vector<ChangeEvent> machine;   // of the machine, as the sentinel shows: no commit is to blame
  std::size_t series = 0;             // with enough values to be judged
  std::size_t short_series = 0;       // without
};

// Fewer values of a series say nothing of its noise.
inline constexpr std::size_t kCheckedValuesMin = 10;

// The oldest position that is still among the newest `commits` of those with a value; 0 without any.
int oldest_of_newest(const std::vector<Series>& all, std::size_t commits);

// The steps that were first seen in the newest `commits` of those with a value. A regression is certain where
// its chance, times the number of series, is at most 1 %, and it has lasted for five runs, or for three in
// three benchmarks. docs/lab/changepoints.md states how many false ones that makes.
NewestCheck check_newest(const std::vector<ChangeEvent>& events, const std::vector<Series>& all,
                         std::size_t commits);

// Which drifts to raise an alarm for: what was lost since a release, a baseline, a month. Pure.
// docs/changepoints.md, "Drifts".

// Those so many days before the newest value, by the commits' dates: "30 days ago". None of before the
// oldest.
std::vector<LineReference> days_ago(const std::vector<Series>& all, const std::vector<int>& days);

// The drifts that reach into the newest `commits` of those with a value, are certain (their chance, times the
// number of series, is at most 1 %), neither undone nor accepted, and have cost a benchmark more than the
// threshold (a share; none: the benchmark's own) since one of the references, by the drift's line. Oldest
// first.
std::vector<DriftAlarm> drift_alarms(const std::vector<ChangeEvent>& events, const std::vector<Series>& all,
                                     std::size_t commits, const std::vector<LineReference>& references,
                                     std::optional<double> threshold = {});

}  // namespace tracker::events
