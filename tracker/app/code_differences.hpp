// The machine code of what got slower, where this machine has built both commits.
#pragma once

#include <vector>

#include "tracker/app/compare_sides.hpp"
#include "tracker/report/report.hpp"

namespace tracker {

// Of the benchmark that got slower most on each device, the kernel whose code differs: one for each
// architecture. Reads the builds that measuring both commits left, so that a later report on the same machine
// has it, too. Empty where there is no cuobjdump, or a build is gone.
std::vector<CodeDifference> code_differences(const Workspace& workspace, const CompareSides& sides,
                                             const std::vector<ComparisonReport>& reports);

}  // namespace tracker
