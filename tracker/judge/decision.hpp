// From the differences of a report's benchmarks and their noise to intervals, and from these to verdicts; and
// the verdicts that need no noise.
#pragma once

#include <optional>
#include <vector>

#include "tracker/judge/shared_noise.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker::judge {

// Nobody measures more than so many invocations to decide one benchmark.
inline constexpr int kMoreInvocationsMax = 1000;

// What stands between an inconclusive comparison and its verdict.
enum class Obstacle {
  kNoise,         // of invocations: more of them average it out
  kHiddenModes,   // so few invocations may hide two speeds
  kSlowMode,      // an outlier of the candidate may be a second speed
  kHiddenChange,  // of so few invocations, two speeds may hide a change
  kJobs,          // the spread between jobs, which more invocations do not average out
  kClockStep,     // times are read from a clock with steps
  kNeighbours,    // other benchmarks in the process on the two sides
  kOrder,         // the same side ran first in every pair
  kNoPairs        // measured in one job, but in no round both
};

// What a verdict rests on: the difference with its noise, and what casts doubt on it.
struct Basis {
  const BenchmarkEvidence* evidence = nullptr;
  stats::Difference difference;       // with the noise that the benchmark is believed to have
  double confidence = 0;              // of this one interval
  bool same_job = true;               // one job measured both sides
  ChangedNeighbours neighbours;       // what ran beside it on one side only
  std::optional<HiddenModes> hidden;  // the noise that so few invocations may hide
  std::optional<int> hides_change;    // so many more a side rule out that two speeds hide a change
  std::optional<int> slow_outliers;   // may be a second speed: so many more invocations a side would tell
  std::optional<SecondSpeed> second_speed;  // that the candidate has, and the base has not
  // Of the decision:
  bool by_second_speed = false;  // the change and its interval are the share of the second speed
  Obstacle obstacle = Obstacle::kNoise;
};

// Of each benchmark, in their order.
std::vector<Basis> find_bases(OpenBenchmarks open, const ReportNoise& noise);

// One comparison a basis, in their order: its change, interval and verdict, without reasons.
std::vector<Comparison> decide(std::vector<Basis>& bases, const ReportNoise& noise);

// By the comparison's threshold and interval, and its metric's direction.
Verdict verdict_of(const Comparison& comparison, double change, bool excludes_none);

// Whether the candidate is slower, whether its code is the same or not.
bool is_slower(const Comparison& comparison);
// Whether it is slower or faster.
bool is_change(const Comparison& comparison);

// The verdict of a benchmark that failed, is missing or new, or is no comparison of code; and of a counter
// that needs other arithmetic than a time's, as it is equal in every invocation, may be zero or negative, or
// says whether the result was right. Empty where the ratio of noisy values tells, as for any time. `error`:
// how often an interval may miss.
std::optional<Comparison> decide_without_noise(const BenchmarkEvidence& evidence, const Policy& policy,
                                               Distance distance, double error);

}  // namespace tracker::judge
