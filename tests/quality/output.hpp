// What a replay found, as text.
#pragma once

#include <string>
#include <vector>

#include "tests/quality/goals.hpp"
#include "tests/quality/recording.hpp"

namespace tracker::quality {

// Which jobs were read, and what of them can be compared.
std::string describe(const std::vector<Recording>& recordings, const ReplayOptions& options);

// Every setting in full, with intervals, at most 100 columns wide; and what each rule is.
std::string settings_text(const std::vector<Setting>& settings);
std::string legend_text();

// A line for each goal and recording.
std::string goals_text(const std::vector<Findings>& findings);
std::string checked_text(const std::vector<Checked>& checked);

// The tables of docs/lab/statistics.md: the same figures, without their intervals.
std::string markdown_report(const std::vector<Findings>& findings, const std::vector<Setting>& settings);

}  // namespace tracker::quality
