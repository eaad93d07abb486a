// Runs → how far each benchmark is below the device's roofs. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// The benchmarks that match any of the globs (all if there are none), of the newest commit that has one with
// bytes. Their work is what `rules` say, else what they state. The measured bandwidth is the policy's
// bandwidth roof; without one, the fastest copy. It is of the newest commit that has any, and what exceeds
// the theoretical bandwidth does not count. Empty if no commit has anything.
std::optional<Roofline> make_roofline(const std::vector<CommitRuns>& history, const std::string& device,
                                      const std::vector<std::string>& globs, const Policy& policy,
                                      const std::vector<WorkRule>& rules);

}  // namespace tracker
