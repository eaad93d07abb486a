// The commits that drifts are measured from, and the drifts of a line.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// A release is a tag; the newest on the first-parent line before this commit. Empty without one.
std::string newest_release(const Repository& repository, const std::string& from);

// On the line of `from`, as far as tracker.toml asks for them and they are there: the newest release tag
// before it, the baseline of each device that these series are of, and so many days before the newest value.
std::vector<LineReference> line_references(const Workspace& workspace, const std::string& from,
                                           const std::vector<Series>& series);

// The drifts of the line of `from` that `[drift]` in tracker.toml raises alarms for, on these devices; none
// where it ignores them, or nothing is known of the line.
std::vector<DriftAlarm> line_drifts(const Workspace& workspace, const std::string& from,
                                    const std::vector<std::string>& devices);

}  // namespace tracker
