// What a reader must know about both sides before believing a comparison.
#pragma once

#include <string>
#include <vector>

#include "tracker/judge/noise/job_noise.hpp"
#include "tracker/judge/verdict/judge.hpp"

namespace tracker {

std::vector<std::string> comparison_notes(Runs base, Runs candidate, Distance distance, bool learned);

// What of a GPU's run is judged by the time of the host's processor, which does not hold what the GPU does
// after a launch; empty where nothing is, or nothing but benchmarks that the policy gives another metric.
std::string cpu_time_note(const Run& run, const Policy& policy);

}  // namespace tracker
