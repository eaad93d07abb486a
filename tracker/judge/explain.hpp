// What differs between two commits in a benchmark, and what of it may be why. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/judge/judge.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/run.hpp"

namespace tracker::judge {

// One side, with the newest profile of its commit on the device; null where there is none.
struct ExplainedSide {
  const SideRuns& side;
  const Profile* profile = nullptr;
};

// Of these benchmarks of the report, in its order. `judged` is what judge_stored() said of the same sides by
// the same policy.
ExplanationReport explain(const ComparisonReport& judged, const ExplainedSide& base,
                          const ExplainedSide& candidate, const Policy& policy,
                          const std::vector<std::string>& benchmarks);

}  // namespace tracker::judge
