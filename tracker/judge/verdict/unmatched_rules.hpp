// Rules of the policy that match nothing: a pattern or a name is misspelt, or it is time to remove them.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/noise_history.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {

// One sentence for every waiver that matches no benchmark of these runs and times, and for every rename whose
// old name none has had and whose new name none has. They have their names as they were recorded.
std::vector<std::string> unused_rules(const Policy& policy, const std::vector<const std::vector<Run>*>& runs,
                                      const std::vector<BenchmarkTimes>& times = {});

// What is missing in the candidate and what is new there, where both have about the same value and like
// names: as renames that tracker.toml may take, one for all below a folder that has only got another name.
std::vector<Rename> likely_renames(const std::vector<Comparison>& rows);

// kUsage where a rule names a metric that is not built in, that no benchmark of these runs has as a counter,
// and that is like the name of a built-in one: "realtime". Any other name may be a counter of benchmarks that
// were not measured.
void require_metric_names(const Policy& policy, const std::vector<const std::vector<Run>*>& runs);

}  // namespace tracker
