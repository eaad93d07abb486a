// What this machine can resolve, from runs of one commit: all of it is the same code, so that whatever
// differs is noise. Pure.
#pragma once

#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker::judge {

// Each benchmark needs so many invocations in one run.
inline constexpr int kCalibrationInvocationsMin = 6;

// `runs` are of one commit on one device. The noise of a pair is that of two invocations one after the other;
// a side has as many degrees of freedom as its pairs give it, and eight more from the other benchmarks or the
// past (docs/lab/statistics.md). Where the policy compares a benchmark at the same clock, its figures follow
// that (variance_at_same_clock()). Every run is also cut into pairs that are judged as a candidate and its
// base. Where jobs measured the commit against itself (two runs of one job), their pairs are taken as they
// are.
Calibration calibrate(const std::vector<Run>& runs, const Policy& policy);

// What boards that measure at once do to each other's noise: the median, over the benchmarks of both, of the
// ratio of a pair's noise while several boards worked to that while one did. NaN where none is in both.
double noise_of_neighbours(const Calibration& alone, const Calibration& together);
// Above it boards disturb one another. Of a single benchmark with twenty pairs on each side, the ratio of two
// equal noises exceeds this once in 25 times; a median of several exceeds it less often.
inline constexpr double kNeighbourNoiseMax = 1.5;

}  // namespace tracker::judge
