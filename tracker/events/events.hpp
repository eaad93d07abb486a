// Series → events: the steps and drifts of many benchmarks, grouped by what changed together. Pure.
// docs/changepoints.md, "Events".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker::events {

// The events of all series, by their place on the line, oldest first. Positions of all series count on the
// same line, and each series has all of its points. Without causes.
std::vector<ChangeEvent> find(const std::vector<Series>& series);

// The same, with those that related series show only together: shared_events.hpp.
std::vector<ChangeEvent> all_events(const std::vector<Series>& series);

// So many commits with the benchmark on each side of a change tell its causes, the nearest ones.
inline constexpr std::size_t kCommitsOfCauses = 3;

// What was recorded of software, machine and code beside one change of an event, from the commits of its
// device (as load() has them, with the benchmarks' names as the series have them): those nearest to
// it suffice. In the order of causes.
std::vector<EventCause> causes_of_change(const ChangeEvent& event, const EventChange& change,
                                         const std::vector<history::CommitRuns>& commits);

// Whether the time of the benchmark is its kernels' alone, and their machine code, launches and work are the
// same in the nearest runs on both sides: then nobody's change of the code made this one.
bool has_same_code_around(const ChangeEvent& event, const EventChange& change,
                          const std::vector<history::CommitRuns>& commits);

// Fills in the event's causes: those that hold for at least half of its changes. `of_changes`: what
// causes_of_change() says of each.
void put_causes(ChangeEvent& event, const std::vector<std::vector<EventCause>>& of_changes);

// Both, for events of one device.
void add_event_causes(std::vector<ChangeEvent>& events, const std::vector<history::CommitRuns>& commits);

// Which changes are one event. Inner part of events.hpp.

// Where a change may have happened, as positions of commits: in [first, last], likeliest in
// [likely_first, likely_last]. `last` and `likely_last` are commits with a value of the series.
struct ChangePlace {
  std::size_t series = 0;  // two changes of one series are never one event
  int first = 0;
  int likely_first = 0;
  int likely_last = 0;
  int last = 0;
};

struct ChangeGroup {
  std::vector<std::size_t> members;  // places in the list that was given
  int first = 0;                     // the change lies in [first, last]
  int seen = 0;                      // the likeliest commit with a value
  int last = 0;
};

// Groups of changes whose places overlap: the commit that most changes may have happened at makes the first
// group, and so on with what is left. A change's likely places count fully, the others of its interval half,
// and as much again outside of the interval as it is wide, a quarter: an interval holds in 95 % of cases.
std::vector<ChangeGroup> group_places(const std::vector<ChangePlace>& places);

// A stretch of positions that a series drifts in.
struct DriftPlace {
  std::size_t series = 0;
  int from = 0;
  int to = 0;
};

// Groups of drifts that share at least half of the stretch that they cover together with the longest of them.
std::vector<ChangeGroup> group_drifts(const std::vector<DriftPlace>& places);

// What events of all shapes are made of. Inner part of events.hpp.

// A level that came back so far has undone a change: what is left of it, as a share of the change.
inline constexpr double kLeftOfUndone = 0.25;

// The commit, the position and the time of a point.
EventCommit commit_at(const SeriesPoint& point);

// One point of each position that any of the series has, in the order of positions.
std::vector<const SeriesPoint*> points_by_position(const std::vector<const Series*>& all);
std::vector<const SeriesPoint*> points_by_position(const std::vector<Series>& all);

// The commits of all points, by their positions.
std::map<int, EventCommit> commits_of(const std::vector<Series>& all);

// The newest commit with a value at or before this position; the oldest where there is none. There is one.
EventCommit at_or_before(const std::map<int, EventCommit>& commits, int position);

// log(after / before); both in the metric's unit, above 0.
double log_ratio(double after, double before);

// Fills in all that follows from the changes: their order, both sides, the state.
void complete_event(ChangeEvent& event);

}  // namespace tracker::events
