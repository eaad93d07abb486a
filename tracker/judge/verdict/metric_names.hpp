// Metrics that the policy names, and no benchmark has. Pure.
#pragma once

#include <vector>

#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// kUsage where a rule names a metric that is not built in, that no benchmark of these runs has as a counter,
// and that is like the name of a built-in one: "realtime". Any other name may be a counter of benchmarks that
// were not measured.
void require_metric_names(const Policy& policy, const std::vector<const std::vector<Run>*>& runs);

}  // namespace tracker
