// What the runs of one side show of one benchmark.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracker/judge/noise_model.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"
#include "tracker/stats/moderated.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker {

// The runs of one side that a comparison rests on: often fewer than the side has.

// Runs of one device, oldest first.
using Runs = std::span<const Run>;

// The newest definition of a benchmark among the runs; null where none has it.
const Benchmark* newest_in(Runs runs, const std::string& benchmark);

// The metric, in its unit, in every repetition that counts; NaN stands for one without it.
std::vector<double> repetition_values(Runs runs, const std::string& benchmark, const Metric& metric);

// Natural logarithms of those values, in any unit, that are above zero.
std::vector<double> logs_of(const std::vector<double>& values);

// How far two jobs lie apart when nothing changed: boards of one model differ, and so do days.

// Jobs on one board differ less than jobs on two.
enum class Distance { kSameJob, kSameBoard, kOtherBoard };

// For sides that were measured in different jobs: kSameBoard where all runs name the same board. Pairs of one
// job are kSameJob.
Distance distance_between(Runs base, Runs candidate);

// One job's own offset, as a variance of logarithms, where there is no history: a stated, cautious default.
stats::Variance default_job_variance(DeviceKind kind, Distance distance);

// However quiet a history looks, the next job may differ by so much: a variance of logarithms.
double least_job_variance(DeviceKind kind, Distance distance);

struct JobNoise {
  std::map<std::string, stats::Variance> variance;  // of one job's offset, by benchmark
  bool learned = false;                             // from runs, for every benchmark
  bool shared = false;                              // what one benchmark's history leaves open is the others'
};

// One job's offset for every benchmark of `known`, at this distance; what one benchmark's own history leaves
// open comes from the others'. The default where even those have too little; none within one job.
JobNoise job_noise(const NoiseModel& known, DeviceKind kind, Distance distance);

// What the runs of one side show of one benchmark.

struct Evidence {
  std::vector<std::vector<double>> logs_by_job;  // the logarithm of one value an invocation
  std::vector<std::vector<int>> rounds_by_job;   // the round of each of them
  std::vector<std::string> boards;               // of each job
  std::map<int, int> builds;                     // by round, where the side was built several times
  std::map<std::string, std::map<int, double>>
      plain;      // a counter's values in its unit, by job and round: they may be zero or negative
  int zeros = 0;  // values that have no logarithm

  bool only_zeros() const { return logs_by_job.empty() && zeros > 0; }
  int values() const;                     // that typical() rests on
  std::optional<double> typical() const;  // the geometric mean, in the metric's unit
};

// Runs of one job count as one; those in which the benchmark failed do not count.
Evidence evidence_of(Runs runs, const std::string& benchmark, const Metric& metric);

// The first job's logarithms, by round.
std::map<int, double> logs_by_round(const Evidence& side);

// Leaves only what one job measured of both sides in the same round, pair by pair in the order of rounds: a
// lost invocation shifts nothing. What has no partner is not used, as it would bring the drift of the job in.
// False where there is no pair; both sides are left alone then.
bool keep_pairs(Evidence& base, Evidence& candidate);

// Of pairs whose sides were built several times: puts one pair in place of all of a build, with the build's
// number as its round. What a build's layout does is the same in all its rounds, and another draw in each
// build: so a build is one measurement, however many rounds it has. The number of builds; 0 where there was
// one.
int keep_builds(Evidence& base, Evidence& candidate);

// An invocation, or a pair, so far from all others that it is left out: stats::find_outliers().
struct Outlier {
  int round = 0;
  bool in_candidate = false;  // of a pair: the side that is farther from what it usually is
  double distance = 0;        // of its logarithm from that
  double offset = 0;          // of a pair's difference, or of an invocation's logarithm, from what is kept
};

// Some invocations of the candidate, and not all, lie at a speed that none of the base's comes near to.
struct SecondSpeed {
  std::vector<int> rounds;  // of these invocations, in rising order
  int invocations = 0;      // of the candidate, these included
  double distance = 0;      // of their logarithms from the others'
  double others = 0;        // the difference of the sides without them, as logarithms
};

// The difference of two sides, and how its variance is made up.
struct Contrast {
  double estimate = 0;                 // of logarithms, candidate − base
  stats::Variance own;                 // noise of one invocation, or of one pair; degrees 0: it showed none
  double sampling_factor = 0;          // variance of the estimate = factor × own
  double job_factor = 0;               // likewise for one job's offset
  std::vector<Outlier> outliers = {};  // that are left out
  double with_outliers = 0;            // the variance of one invocation, or of one pair, had they not been
  std::optional<SecondSpeed> second_speed = {};  // of pairs
  bool one_order = false;                        // the same side ran first in all pairs, so far as is known
  double base_range = 0;                         // of pairs: from the base's least logarithm to its greatest
};

// What a covariate with these values in the pairs (the clocks' differences, the order; in any unit) that was
// taken out of the contrast leaves open: its slope is estimated from the same pairs.
void count_slope(Contrast& contrast, const std::vector<double>& covariate);

// Which side of a pair ran first: by round, 0.5 where the base did and −0.5 where the candidate did. Without
// rounds that do not say when they started, or start in the same second.
using OrderByRound = std::map<int, double>;
OrderByRound order_of(const Run& base, const Run& candidate, const std::string& benchmark);

// The variance of a value that lies anywhere between two readings of a clock: step² / 12, in the step's unit.
double rounding_variance(double step);

// Of sides that keep_pairs() left as pairs; two pairs at least show their noise. Removes outliers from both.
// `step`: of the clock that the values were read from, as a logarithm, where it is known. `order`: what the
// second of a pair differs by, more than chance would (t, 99 %), is taken out of the candidate.
Contrast paired_contrast(Evidence& base, Evidence& candidate, double step = 0,
                         const OrderByRound& order = {});

// Of sides measured apart from one another. Both have one value at least. Removes outliers. `step` as a
// logarithm.
Contrast contrast(Evidence& base, Evidence& candidate, Distance distance, double step = 0);

}  // namespace tracker
