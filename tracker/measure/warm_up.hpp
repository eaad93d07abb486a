// Whether a job's first round differs from all that follow. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracker/measure/retake.hpp"

namespace tracker {

// The rule's constants; tests/measure/warm_up_test.cpp shows how seldom it errs.
inline constexpr int kWarmUpRoundsMin = 4;
inline constexpr int kWarmUpBenchmarksMin = 4;
inline constexpr double kWarmUpShare = 0.75;    // more than this share moved the same way
inline constexpr double kWarmUpShift = 0.005;   // the median of the relative shifts
inline constexpr double kWarmUpDeviations = 3;  // the median of the shifts, in deviations of the other rounds
inline constexpr double kWarmUpConfidence = 0.99;  // of what the other rounds' common shifts let one expect

// For each benchmark its logarithmic times by round, the first round first; those of fewer rounds than others
// have no say. Of kWarmUpRoundsMin rounds and kWarmUpBenchmarksMin benchmarks at least: more than
// kWarmUpShare of them moved the same way, by the median farther than kWarmUpShift and kWarmUpDeviations of
// the benchmark's own, and what they moved in common is not what rounds move by anyway.
bool is_warm_up(const std::vector<std::vector<double>>& logs_by_benchmark);

// What is_warm_up asks for, of the invocations of one binary that count: the mean of the sides in each round
// that all sides have. Benchmarks whose first such round is not `first_round` are left aside.
std::vector<std::vector<double>> logs_by_round(const std::vector<Taken>& taken,
                                               const std::map<std::string, TimeBase>& time_bases,
                                               int first_round);

}  // namespace tracker
