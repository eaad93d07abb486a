// Series → events: the steps and drifts of many benchmarks, grouped by what changed together. Pure.
// docs/changepoints.md, "Events".
#pragma once

#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// The events of all series, by their place on the line, oldest first. Positions of all series count on the
// same line, and each series has all of its points. Without causes.
std::vector<ChangeEvent> find_events(const std::vector<Series>& series);

// The history of one device, as load_history() has it, with the benchmarks' names as the series have them.
struct DeviceHistory {
  std::string device;
  std::vector<CommitRuns> commits;
};

// Fills in the causes: what was recorded of software, machine and code beside the change.
void add_event_causes(std::vector<ChangeEvent>& events, const std::vector<DeviceHistory>& histories);

}  // namespace tracker
