// Which events to show, and which to raise an alarm for. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/change_event.hpp"

namespace tracker {

// The settled ones that were first seen on this day ("2026-08-24"; empty: any) or later, and drifts that went
// on until then; what weighs most comes first.
std::vector<ChangeEvent> lasting_events(const std::vector<ChangeEvent>& events, const std::string& since);

}  // namespace tracker
