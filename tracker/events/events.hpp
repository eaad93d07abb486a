// Series → events: the steps and drifts of many benchmarks, grouped by what changed together. Pure.
// docs/changepoints.md, "Events".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/series.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::events {

// The events of all series, by their place on the line, oldest first. Positions of all series count on the
// same line, and each series has all of its points. Without causes.
std::vector<ChangeEvent> find(const std::vector<Series>& series);

// Changes too small for one series, looked for in what related series share. Pure. docs/changepoints.md,
// "Together".

// The changes that families, shapes and devices show together, oldest first: steps and drifts of which the
// series' own ones, as find_changes() has them, and the `known` events, which are of the same series, are no
// explanation. A pool has five series at least, and eighty commits with a value; a change is a tenth of the
// series' thresholds at least. Of several pools that show one change, the one that shows it most clearly
// stands. Without causes. Each change of an event is of the size that they share.
std::vector<ChangeEvent> find_shared_events(const std::vector<Series>& series,
                                            const std::vector<ChangeEvent>& known);

// Those of these series, which have all of their points, that reach to this position on the line or beyond
// it.
std::vector<ChangeEvent> shared_events_since(const std::vector<Series>& series, int position);

// find(), and find_shared_events() with these as known.
std::vector<ChangeEvent> all_events(const std::vector<Series>& series);

// The causes of events on a first-parent line: of a long history only the runs around each change are read.

// Fills in the event's causes: those that hold for at least half of its changes, likeliest first; and which
// changes are of the same code. By device: the commits (as load() has them, with the benchmarks' names as the
// series have them); those nearest to the event suffice.
void put_causes(ChangeEvent& event,
                const std::map<std::string, std::vector<history::CommitRuns>>& commits_of_device);

// The same for find(all), where `all` has the series of the line that ends at `from`.
void add_causes(const repo::Repository& repository, const history::RunSource& source, const std::string& from,
                const Policy& policy, const std::vector<Series>& all, std::vector<ChangeEvent>& events);

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

// Oldest first.
void sort_by_place(std::vector<ChangeEvent>& events);

// Fills in all that follows from the changes: their order, both sides, the state.
void complete_event(ChangeEvent& event);

}  // namespace tracker::events
