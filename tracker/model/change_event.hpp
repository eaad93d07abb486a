// An event: what changed for good in many benchmarks at the same commits. Plain data, made by events/.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/metric.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// A step lies between two commits; a drift goes over many.
enum class EventShape { kStep, kDrift };

// A commit with a run, on the first-parent line.
struct EventCommit {
  std::string id;       // 40 hexadecimal digits
  std::string subject;  // the first line of its message
  std::string date;     // UTC, ISO 8601
  int position = 0;     // on the line, oldest first
};

// The part that one benchmark has in an event.
struct EventChange {
  std::string device;  // the key
  std::string benchmark;
  Metric metric;
  double before = 0;  // the levels, in the metric's unit
  double after = 0;
  bool worse = false;
  bool settled = false;    // the new level has at least three values, measured under the same conditions
  std::size_t values = 0;  // that the new level has, up to the next step; of a drift, that it goes over
  double sure = 0;         // of a step: one minus the chance that noise makes it anywhere in the series
  std::optional<Interval> ratio;  // of a drift: the interval (95 %) of after / before
  std::string other_conditions;   // as SeriesStep has it
  // Where the level came back to, or past, where it was: the first commit seen there.
  std::optional<EventCommit> undone_by;
  std::string accepted;  // the reason that tracker.toml gives; empty where it is not accepted
  bool machine = false;  // of the machine, as the sentinel shows or tracker.toml says: no commit is to blame
  // Its time is the kernels' alone, and their machine code, launches and work are the same on both sides; and
  // whether tracker.toml has that fail all the same.
  bool same_code = false;
  bool same_code_fails = false;
};

enum class EventCauseKind {
  kFact,        // software, build or machine: `fact` went from `before` to `after`
  kConditions,  // the load of the host, or clocks: `text`
  kCode,        // the machine code changed, or the launch: `text` says what, for the largest change
  kSameCode     // it did not: `text` says what is left
};

struct EventCause {
  EventCauseKind kind = EventCauseKind::kCode;
  std::string fact;  // a name of judge/evidence: "driver"
  std::string before;
  std::string after;
  std::string text;
  std::size_t changes = 0;  // of the event's changes, those it holds for
};

// The changes of an event in one direction.
struct EventSide {
  std::size_t changes = 0;
  double ratio = 1;            // geometric mean of after / before
  double largest = 1;          // the ratio farthest from 1
  std::size_t largest_at = 0;  // in ChangeEvent::changes
};

// What the benchmarks of an event have in common, where they show it together and none of them need do so
// alone.
enum class PoolKind { kFamily, kShape, kDevice };

struct Together {
  PoolKind kind = PoolKind::kFamily;
  std::string name;  // of the family or shape: "transpose f32"
  // The interval (95 %) of what they share, as main_side().ratio; every change is of that size.
  Interval ratio;
  // The number of series that would tell as much if they shared no noise.
  double independent = 0;
  Series pooled;  // their mean, in the metric of the largest, as a share of its level before: for drawing
};

// kPartlyUndone: some of the changes are undone, and not all.
enum class EventState { kStillThere, kPartlyUndone, kUndone };

struct ChangeEvent {
  EventShape shape = EventShape::kStep;
  // The change lies after `last_before`, and not after `last_possible`; `first_seen` is the likeliest of the
  // commits with a run. A drift goes from `last_before` to `last_possible`, and is first seen where it
  // begins.
  EventCommit last_before;
  EventCommit first_seen;
  EventCommit last_possible;
  std::vector<EventChange> changes;  // largest first
  // Ratios are in the metrics' own direction where all agree in which is better (a ratio of .5 in bandwidth
  // is slower); otherwise, as with times, above 1 is slower.
  bool higher_is_better = false;
  EventSide slower;
  EventSide faster;
  std::optional<Together> together;  // where related benchmarks show it only together
  std::vector<EventCause> causes;    // likeliest first; empty where nothing is known
  EventState state = EventState::kStillThere;
  std::optional<EventCommit> undone_by;  // the last of its changes, where all are undone
  std::size_t undone = 0;                // changes
  std::size_t accepted = 0;              // changes
};

// A commit that the newest one is compared with.
struct LineReference {
  std::string name;    // "release v1.2", "the last baseline", "30 days ago"
  int position = 0;    // on the line
  std::string device;  // a baseline is of one; empty: any
};

// What one benchmark lost by a drift since a reference.
struct DriftLoss {
  std::size_t change = 0;  // in ChangeEvent::changes
  double loss = 0;         // a share of the time, or of the rate that is lost
};

// A drift for the worse that goes on, and is past the threshold.
struct DriftAlarm {
  ChangeEvent event;
  LineReference since;            // of those since which it is, the one with the largest loss
  std::vector<DriftLoss> losses;  // past their benchmarks' threshold, largest first
};

// What an event did to all benchmarks together: the sum of |log(after / before)|. Events are ranked by it.
double weight_of(const ChangeEvent& event);

// Whether all of it is of the machine.
bool is_of_machine(const ChangeEvent& event);

// Whether its larger part got slower, and that part.
bool is_mostly_slower(const ChangeEvent& event);
const EventSide& main_side(const ChangeEvent& event);

// "4.2 % slower", "9.2× slower", "1.1 % less bandwidth", "2.1× as high": the change, candidate / base − 1, in
// the words of its metric.
std::string change_in_words(const Metric& metric, double change);

// What is said of changes that are no steps, the same in every output: levels that move by themselves, and
// changes below the threshold.

// Stands behind "3 benchmarks", and as a heading.
inline constexpr const char* kWanderByThemselves = "wander by themselves, moved by no single commit";

// "wanders by up to 3.1 %: the level moves by itself, and no single commit made it"; empty where it does not.
std::string wandering_of(const Series& series);

// Of plain numbers: "wanders: the level moves by itself, and no single value made what looks like a change at
// 12, 40". Empty without such places.
std::string wandering_at(const std::vector<std::string>& places);

// Those that do, the largest first, at most so many by name: "2 benchmarks wander by themselves, moved by no
// single commit: gemm/a by up to 3.1 %, gemm/b by up to 2.0 %". Empty where none does.
std::string wandering_among(const std::vector<Series>& all, std::size_t named_max);

// "2 certain changes below 5 % are not shown: --threshold 2% shows them", of those from this day on
// ("2026-08-24"; empty: all). Empty where there are none.
std::string below_threshold_among(const std::vector<const Series*>& all, const std::string& since);
std::string below_threshold_among(const std::vector<Series>& all, const std::string& since);

}  // namespace tracker
