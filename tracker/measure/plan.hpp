// In which order a job measures. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tracker/measure/selection.hpp"
#include "tracker/model/run.hpp"

namespace tracker::measure {

// One invocation to make.
struct Step {
  std::size_t part = 0;  // its place in the list of parts
  std::size_t target = 0;
  int round = 0;  // counted from 1
};

// One part in one round.
struct PartRound {
  std::size_t part = 0;
  int round = 0;
};

// The steps of these rounds, round after round in the order they come in. The targets of a part follow one
// another, so that each meets what the other does; of a part's rounds every two make a block, A B in one and
// B A in the other, which first is drawn. Parts change places within a round, but in round 1 they keep the
// order they are listed in, which is the one reports have.
std::vector<Step> plan_steps(const std::vector<JobPart>& parts, const std::vector<PartRound>& rounds,
                             std::mt19937_64& random);

// Every part in every one of so many rounds.
std::vector<PartRound> all_rounds(std::size_t parts, int first_round, int rounds);

// Which rounds of a job do not count, and which are measured again. Pure.

// An invocation that was made.
struct Taken {
  Step step;
  Invocation* invocation = nullptr;
};

// Excludes what was disturbed among the invocations of one part, and with each the others of its round: pairs
// stay pairs. Those that are excluded already stay so. Disturbed is what its conditions say of it, and an
// invocation whose lowest clock lies a tenth below the median of the others' on its target: code may move the
// clocks, so that the two sides are not compared with one another.
void exclude_disturbed(const std::vector<Taken>& taken);

// The rounds of one part that have an invocation which counts.
int clean_rounds(const std::vector<Taken>& taken);

// How many rounds of a part to measure again, after `retaken` that were: so many as are missing, in all never
// more than `retakes_max`. Where not one was clean, a single one tells whether what disturbs them has passed:
// if it has not, that is the state of this machine, and no more are measured.
int rounds_to_retake(int asked, int clean, int retaken, int retakes_max);

// Where few rounds are clean (less than half of those asked for, or one of several), the disturbed ones of
// this part count again; the warm-up does not. Returns how many invocations that are.
int count_again_if_few(const std::vector<Taken>& taken, int asked);

// In words, and how many invocations are excluded for it.
std::map<std::string, int> excluded_for(const std::vector<Taken>& taken);

// Whether a job's first round differs from all that follow. Pure.

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

}  // namespace tracker::measure
