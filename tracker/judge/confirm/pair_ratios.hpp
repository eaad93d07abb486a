// What one job's pairs show of each benchmark, as plain numbers. Pure.
#pragma once

#include <string>
#include <vector>

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

}  // namespace tracker
