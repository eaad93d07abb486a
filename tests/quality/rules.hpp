// Rules that call two sides different: tracker's own, and other people's, one row each.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::quality {

enum class Call {
  kRegressed,
  kImproved,
  kUnchanged,  // a claim, which only tracker makes
  kOpen        // no alarm; tracker's "inconclusive"
};
using Calls = std::map<std::string, Call>;  // by benchmark

// Two sides, as they would have been measured.
struct Trial {
  Run base;
  Run candidate;
  // By benchmark: one value (ns) for every round of the base's job that is not the candidate's, in the order
  // they ran.
  std::map<std::string, std::vector<double>> past_ns;
  NoiseHistory history = {};  // earlier jobs, which only our rule asks for; empty in replays
};

struct Rule {
  std::string name;
  std::string definition;           // in a few words, for the tables' legend
  std::string source;               // where it is published
  std::optional<double> threshold;  // tracker's, a share; absent for the others'
  std::function<Calls(const Trial&)> calls;
};

// Tracker's rows first, by threshold.
const std::vector<Rule>& rules();

// The thresholds of tracker's rows: none, and half of each slowdown that power is asked for.
inline constexpr double kThresholds[] = {0, 0.0025, 0.005, 0.01, 0.025};

bool is_ours(const Rule& rule);

}  // namespace tracker::quality
