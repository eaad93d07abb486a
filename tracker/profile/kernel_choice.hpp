// Which of the kernels that ncu counted is the benchmark's. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/profile/ncu_csv.hpp"

namespace tracker {

// Of the launches of `stated` (names as a benchmark states what it launches; all where none of those was
// counted, or none is stated), the kernel that took the most time, with one shape of grid and block. Its
// counters are the medians over its launches, of the metrics asked for. Nothing where there are no launches.
std::optional<ProfiledBenchmark> choose_kernel(const std::string& benchmark,
                                               const std::vector<NcuLaunch>& launches,
                                               const std::vector<std::string>& stated);

}  // namespace tracker
