// What a benchmark must reach whatever the base did: a quantity, or a share of another benchmark.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracker/judge/verdict/runs.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/stats/moderated.hpp"

namespace tracker {

// "80% of peak": a share of what the device can do in theory, and of no other benchmark.
inline constexpr char kPeakWord[] = "peak";

// What is known of one job's offset, as a variance of logarithms; value 0 where the sides were measured in
// turn.
struct JobOffsets {
  std::map<std::string, stats::Variance> by_benchmark;
  stats::Variance of_others;
};

// Checks every benchmark of the report that the candidate measured and the policy has a floor for. A broken
// floor makes the verdict kBelowFloor, but regressed ones stay what they are; one that cannot be judged is
// said in the reason. `confidence` is that of each interval. kUsage where a floor's unit is not that of the
// metric.
void check_floors(ComparisonReport& report, Runs candidate, const Policy& policy, const JobOffsets& jobs,
                  double confidence);

}  // namespace tracker
