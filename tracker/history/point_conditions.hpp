// Under which conditions the value of a commit was measured, and whether two stretches of a series differ in
// them: then a change of level is no change of the code. Pure. docs/statistics.md, "Steps in a series".
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// Medians over the invocations that count and have the benchmark.
PointConditions conditions_of(const std::vector<const Run*>& runs, const std::string& benchmark);

// Dirty, or any invocation that counts was throttled or shared its GPU.
bool is_disturbed(const Run& run);

// The runs that have the benchmark and measured it under the best conditions: undisturbed ones where there
// are any, and of those the ones on a machine that had not markedly more to do.
std::vector<const Run*> calmest_runs(const std::vector<Run>& runs, const std::string& benchmark);

// "load per thread 0.4 → 12" where no point of one stretch was measured under conditions like those of the
// other; empty where the conditions overlap, or are not known of every point.
std::string conditions_apart(std::span<const PointConditions> before, std::span<const PointConditions> after);

}  // namespace tracker
