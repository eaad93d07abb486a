// What tracker promises of its verdicts, compared with what a replay found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/quality/replay.hpp"

namespace tracker::quality {

// What one recording showed.
struct Findings {
  std::string recording;
  std::vector<Setting> settings;
};

enum class Outcome {
  kMet,
  kUnclear,  // beyond the limit, but within what chance makes of so few reports
  kMissed,
  kNotShown  // the recording cannot show it
};
std::string outcome_name(Outcome outcome);

struct Checked {
  std::string goal;   // "false regressed within a job, 10 a side, of comparisons"
  std::string limit;  // "≤ 0.1 %"
  Share reached;
  Outcome outcome = Outcome::kNotShown;
};

Checked check_at_most(const std::string& goal, double limit, const Share& reached);
Checked check_at_least(const std::string& goal, double limit, const Share& reached);

// Every goal, in the order of the table.
std::vector<Checked> check_goals(const Findings& findings);

// Whether every goal that could be shown was met; `unclear_counts` as missed.
bool all_met(const std::vector<Checked>& checked, bool unclear_counts);

}  // namespace tracker::quality
