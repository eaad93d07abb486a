// Series → events: the steps and drifts of many benchmarks, grouped by what changed together. Pure.
// docs/changepoints.md, "Events".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// The events of all series, by their place on the line, oldest first. Positions of all series count on the
// same line, and each series has all of its points. Without causes.
std::vector<ChangeEvent> find_events(const std::vector<Series>& series);

// The same, with those that related series show only together: shared_events.hpp.
std::vector<ChangeEvent> all_events(const std::vector<Series>& series);

// So many commits with the benchmark on each side of a change tell its causes, the nearest ones.
inline constexpr std::size_t kCommitsOfCauses = 3;

// What was recorded of software, machine and code beside one change of an event, from the commits of its
// device (as load_history() has them, with the benchmarks' names as the series have them): those nearest to
// it suffice. In the order of causes.
std::vector<EventCause> causes_of_change(const ChangeEvent& event, const EventChange& change,
                                         const std::vector<CommitRuns>& commits);

// Whether the time of the benchmark is its kernels' alone, and their machine code, launches and work are the
// same in the nearest runs on both sides: then nobody's change of the code made this one.
bool has_same_code_around(const ChangeEvent& event, const EventChange& change,
                          const std::vector<CommitRuns>& commits);

// Fills in the event's causes: those that hold for at least half of its changes. `of_changes`: what
// causes_of_change() says of each.
void put_causes(ChangeEvent& event, const std::vector<std::vector<EventCause>>& of_changes);

// Both, for events of one device.
void add_event_causes(std::vector<ChangeEvent>& events, const std::vector<CommitRuns>& commits);

}  // namespace tracker
