// What the policy says of verdicts: floors, waivers, and rules that match nothing.
#pragma once

#include <string>
#include <vector>

#include "tracker/judge/evidence.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/noise_history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/stats/moderated.hpp"

namespace tracker::judge {

// What a benchmark must reach whatever the base did: a quantity, or a share of another benchmark.

// "80% of peak": a share of what the device can do in theory, and of no other benchmark.
inline constexpr char kPeakWord[] = "peak";

// Checks a benchmark that the candidate measured and the policy has a floor for. A broken floor makes the
// verdict kBelowFloor, but regressed ones stay what they are; one that cannot be judged is said in the
// reason. `all`: of the report, in the order of names. `job`: one job's offset, as a variance of logarithms;
// value 0 where the sides were measured in turn. `confidence` is that of the interval. kUsage where a floor's
// unit is not that of the metric.
void check_floor(Comparison& comparison, const BenchmarkEvidence& evidence,
                 const std::vector<BenchmarkEvidence>& all, const stats::Variance& job, double confidence);

// The policy without what it says of one side alone, and without waivers: what asks only what changed.
Policy of_changes(Policy policy);

// Waivers: regressions that were accepted, so far and so long.

// Marks what fails its gate, or failed in the base as well, and matches a waiver: of several, the
// last that holds; where none does, the last, with what it lacks. `today` as in Options.
void apply_waivers(ComparisonReport& report, const std::vector<Waiver>& waivers, const std::string& today);

// Rules of the policy that match nothing: a pattern or a name is misspelt, or it is time to remove them.

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

}  // namespace tracker::judge
