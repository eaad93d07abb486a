// Runs → how far each benchmark is below the device's roofs. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// The benchmarks that match any of the globs (all where there are none) of the newest commit that has one
// with FLOPs and bytes, or with bytes alone. Their work is what `rules` say, else what they state. The
// measured bandwidth is the highest of those that the policy names as bounds of such as only move data, or
// without such of all that only move data: of the newest commit that has any, and what exceeds the
// theoretical bandwidth does not count. Empty where no commit has anything.
std::optional<Roofline> make_roofline(const std::vector<CommitRuns>& history, const std::string& device,
                                      const std::vector<std::string>& globs, const Policy& policy,
                                      const std::vector<WorkRule>& rules);

}  // namespace tracker
