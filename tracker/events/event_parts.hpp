// What events of all shapes are made of. Inner part of events.hpp.
#pragma once

#include <map>
#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// A level that came back so far has undone a change: what is left of it, as a share of the change.
inline constexpr double kLeftOfUndone = 0.25;

EventCommit commit_at(const SeriesPoint& point);

// One point of each position that any of the series has, in the order of positions.
std::vector<const SeriesPoint*> points_by_position(const std::vector<const Series*>& all);
std::vector<const SeriesPoint*> points_by_position(const std::vector<Series>& all);

// The commits of all points, by their positions.
std::map<int, EventCommit> commits_of(const std::vector<Series>& all);

// The newest commit with a value at or before this position; the oldest where there is none. There is one.
EventCommit at_or_before(const std::map<int, EventCommit>& commits, int position);

// log(after / before)
double log_ratio(double after, double before);

// Fills in all that follows from the changes: their order, both sides, the state.
void complete_event(ChangeEvent& event);

}  // namespace tracker
