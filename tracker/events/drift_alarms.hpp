// Which drifts to raise an alarm for: what was lost since a release, a baseline, a month. Pure.
// docs/changepoints.md, "Drifts".
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

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

}  // namespace tracker
