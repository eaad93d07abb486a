// What a reader must know about both sides before believing a comparison.
#pragma once

#include <string>
#include <vector>

#include "tracker/judge/noise/job_noise.hpp"
#include "tracker/judge/verdict/judge.hpp"

namespace tracker {

std::vector<std::string> comparison_notes(Runs base, Runs candidate, Distance distance, bool learned);

}  // namespace tracker
