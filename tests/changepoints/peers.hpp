// Other people's rules, written from their published definitions, to be scored beside ours.
#pragma once

#include <vector>

#include "tracker/stats/change_points.hpp"

namespace tracker::changepoints {

// All rules that are scored: "none", the library's and the peers'.
std::vector<stats::Detector> scored_detectors();

// Too slow for long series: longer ones are not scored with these.
std::size_t length_max(const stats::Detector& detector);

}  // namespace tracker::changepoints
