// The sentence beside a verdict.
#pragma once

#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker {

// Nobody measures more than so many invocations to settle one verdict.
inline constexpr int kMoreInvocationsMax = 1000;

// What stands between an inconclusive comparison and its verdict: the noise of invocations, which more of
// them average out, or the spread between jobs, which they do not.
enum class Obstacle { kNoise, kJobs };

// For a comparison whose verdict, estimate and interval are settled.
std::string reason_for(const Comparison& comparison, Obstacle obstacle = Obstacle::kNoise);

}  // namespace tracker
