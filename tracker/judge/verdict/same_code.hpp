// What the code of both sides has to do with a verdict. Pure. docs/reasons.md derives the rule.
#pragma once

#include "tracker/judge/verdict/runs.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {

// Of judged comparisons: says whether the code is the same, and makes what regressed with the same code
// kSameCode. That takes the same program (has_same_program()), or a time that the kernels alone have:
// manual time, of which all runs know machine code, launches and work.
void apply_same_code(ComparisonReport& report, Runs base, Runs candidate, const Policy& policy);

// Fills in the causes, after the floors.
void add_causes(ComparisonReport& report, Runs base, Runs candidate);

}  // namespace tracker
