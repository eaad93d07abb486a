// Waivers: regressions that were accepted, so far and so long.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {

// Marks what fails its gate, or failed in the base as well, and matches a waiver: of several, the
// last that holds; where none does, the last, with what it lacks. `today` as in JudgeOptions.
void apply_waivers(ComparisonReport& report, const std::vector<Waiver>& waivers, const std::string& today);

}  // namespace tracker
