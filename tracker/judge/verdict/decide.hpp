// From a difference with its noise to a verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/noise/neighbours.hpp"
#include "tracker/judge/noise/shared_noise.hpp"
#include "tracker/judge/verdict/evidence.hpp"
#include "tracker/judge/verdict/reason.hpp"
#include "tracker/judge/verdict/same_clock.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker {

// What a verdict rests on.
struct Basis {
  stats::Difference difference;          // with the noise that the benchmark is believed to have
  double sampling_factor = 0;            // of the difference's variance, for a unit of noise
  double confidence = 0;                 // of this one interval
  double clock_step = 0;                 // how far the clock's step may put the difference off
  bool noise_known = true;               // false: nothing showed any, and the verdict stays inconclusive
  bool paired = true;                    // false: in one job, but no round has both sides
  std::optional<HiddenModes> hidden;     // the noise that so few invocations may hide
  std::optional<int> hides_change = {};  // so many more a side rule out that two speeds hide a change
  Repetitions repetitions = {};          // of a single invocation
  bool same_job = true;                  // one job measured both sides
  bool one_order = false;                // the same side ran first in every pair
  ChangedNeighbours neighbours;          // what ran beside it on one side only
  std::vector<Outlier> outliers = {};    // that are left out
  std::optional<ClockEffect> clock = {};
  std::optional<SecondSpeed> second_speed = {};  // that the candidate has, and the base has not
  std::optional<int> slow_outliers = {};         // may be one: so many more invocations a side would tell
};

// Fills in the change, its interval, the verdict and the reason. `comparison` has its metric, threshold and
// numbers of invocations.
void decide(Comparison& comparison, const Basis& basis);

// Calls an inconclusive comparison unchanged where its interval of this confidence, less than decide() took,
// lies within the threshold. Its interval is then cut off at the threshold. True where it did.
bool decide_unchanged(Comparison& comparison, const Basis& basis, double confidence);

}  // namespace tracker
