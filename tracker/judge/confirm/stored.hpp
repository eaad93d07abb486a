// Judging what lies in the store. Pure.
#pragma once

#include <vector>

#include "tracker/judge/verdict/judge.hpp"

namespace tracker {

// Like judge(), with what earlier jobs measured side by side in its place:
//   a job that was judged in interim analyses is judged in the same ones again, as if it had just been
//   measured; one that measured only some benchmarks confirms those that are in doubt without it, and hides
//   no others.
// A newer job that measured everything side by side stands above both.
ComparisonReport judge_stored(const SideRuns& base, const SideRuns& candidate, const NoiseHistory& history,
                              const Policy& policy, const JudgeOptions& options);

}  // namespace tracker
