// Why a verdict came about, and what the code of both sides has to do with it. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/cause.hpp"
#include "tracker/judge/clock.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/judge/shared_noise.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {

// Why a verdict came about.

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

// What the repetitions of a single invocation show: less than invocations would.
struct Repetitions {
  int count = 0;      // of the side that has fewer; 0: not known
  double spread = 0;  // the standard deviation of the side that has more, as a share
};

struct Hindrance {
  Obstacle obstacle = Obstacle::kNoise;
  std::optional<ChangedNeighbours> neighbours = {};  // what ran beside it on one side only
  bool same_job = true;                              // one job measured both sides
  int peers = 0;  // benchmarks that move as far as this one changed, by chance
  Repetitions repetitions = {};
  std::vector<Outlier> outliers = {};  // that are left out
  double clock_step = 0;               // as a share of the time
  std::optional<ClockEffect> clock = {};
  std::optional<SecondSpeed> second_speed = {};  // that the candidate has, and the base has not
};

// For a comparison whose verdict, estimate and interval are known.
Reasons reasons_for(const Comparison& comparison, const Hindrance& hindrance = {});

// What the code of both sides has to do with a verdict. Pure. docs/reasons.md derives the rule.

// Of judged comparisons: says whether the code is the same, and makes what regressed with the same code
// kSameCode. That takes the same program (has_same_program()), or a time that the kernels alone have:
// manual time, of which all runs know machine code, launches and work.
void apply_same_code(ComparisonReport& report, Runs base, Runs candidate, const Policy& policy);

// Fills in the causes, after the floors.
void add_causes(ComparisonReport& report, Runs base, Runs candidate);

// What the code or the machine did to the time, by the verdict, or else by the change against the base: below
// a floor that may be none, or a gain.
Effect effect_of(const Comparison& comparison);

// Whether its row names a cause: where the code or the machine made it another speed.
bool wants_cause(const Comparison& comparison);

// Adds to them which hardware counters moved, of benchmarks that both commits' profiles have, under the names
// of the report.
void add_counter_causes(ComparisonReport& report, const Profile& base, const Profile& candidate);

}  // namespace tracker
