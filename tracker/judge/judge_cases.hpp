// The verdicts of one report, which are not independent of one another: benchmarks share their
// noise, and the error allowed is shared among them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/cases.hpp"
#include "tracker/judge/clock.hpp"
#include "tracker/judge/days.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/judge/reason.hpp"
#include "tracker/judge/shared_noise.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/noise_history.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker {

// What a history whose days are of more kinds than one says of its usual days.
struct UsualDays {
  NoiseModel known;  // has every case
  DaysSeen seen;     // the base was measured on a usual one
};

struct JudgingContext {
  NoiseModel known;                                     // has every case
  std::map<std::string, ChangedNeighbours> neighbours;  // changed_neighbours()
  DeviceKind kind = DeviceKind::kCpu;
  Distance distance = Distance::kSameJob;
  double error = 0.01;      // the share of such reports that may have any interval which misses
  int comparisons_min = 0;  // the error is shared among so many at least
  std::optional<UsualDays> usual_days = {};  // of one job a side, on one board
};

// What the verdicts rest on, for whoever has more to ask of the same data.
struct VerdictGrounds {
  JobNoise jobs;          // over all days
  double confidence = 0;  // of one comparison's interval
};

// How often one interval may miss, where all of a report together may do so with `error`. Bonferroni: as many
// comparisons share it; but few of them leave the rest unspent, as each is to be right by itself.
double error_of_one(double error, std::size_t comparisons);

// Adds one comparison a case, in their order.
VerdictGrounds judge_cases(const std::vector<Case>& cases, const JudgingContext& context,
                           std::vector<Comparison>& judged);

// From a difference with its noise to a verdict.

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
