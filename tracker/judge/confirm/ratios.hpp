// How two commits compare as plain numbers: pair by pair, or by what is stored of them. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/metric.hpp"
#include "tracker/model/noise_history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

struct PairRatios {
  std::string benchmark;       // as it is called now
  std::string name;            // as the candidate's run has it
  Gate gate;                   // of the policy
  std::vector<double> ratios;  // logarithms, one a round: above zero where the candidate is worse
};

// Of the benchmarks that both runs of one job measured in the same rounds. The policy's renames hold for
// both.
std::vector<PairRatios> pair_ratios(const Run& base, const Run& candidate, const Policy& policy);

struct StoredRatio {
  double log_ratio = 0;  // above zero where the candidate is worse
  double variance =
      0;  // with what jobs differ by, and for the base's job, which others are compared with too
};

// Of one benchmark, as it is called now. Nothing where a side has none.
std::optional<StoredRatio> stored_ratio(std::vector<Run> base, std::vector<Run> candidate,
                                        const NoiseHistory& history, const std::string& benchmark,
                                        const Metric& metric, const Policy& policy);

}  // namespace tracker
