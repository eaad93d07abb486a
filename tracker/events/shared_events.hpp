// Changes too small for one series, looked for in what related series share. Pure. docs/changepoints.md,
// "Together".
#pragma once

#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker::events {

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

}  // namespace tracker::events
