// The difference of both sides of a benchmark, and what its noise is made of.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracker/judge/evidence.hpp"
#include "tracker/model/noise_history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker::judge {

// The clocks behind times: the device's, at which both sides are compared, and the step of the host's.

inline constexpr int kSameClockPairsMin = 6;  // a degree of freedom less costs fewer too much

// Of the error that a benchmark may have: what it is judged with where its clocks differ by more than chance.
inline constexpr double kDifferingClocksShare = 0.1;

// The clock that one side's invocations ran at, as a logarithm of MHz: what the benchmark states in its
// counter condition_core_clock_mhz. Empty where it does not.
ByRound core_clocks_of(const SideEvidence& side);

double common_mhz(const ClockEffect& effect);

// Of pairs, leaves the values at the clock that both sides had on average: what of their differences follows
// the clock is taken out (analysis of covariance). The values stay as they are where the clocks hardly
// scatter, where a pair or the metric has no clock and where pairs are few: then nothing is returned; and
// where the two sides' clocks differ by more than chance. `step`: of the clock that times were read from, as
// a logarithm.
std::optional<ClockEffect> take_out_clock(SideValues& base, SideValues& candidate, const ByRound& base_clock,
                                          const ByRound& candidate_clock, const Gate& gate, double step);

// Pairs of one job, in its order: by how much the second invocation of each differs from the first one, as
// logarithms. `clocks` is as long as `values`, or empty where a pair does not state them.
struct ClockedPairs {
  std::vector<double> values;
  std::vector<double> clocks;
};

// What take_out_clock() leaves of the variance of a pair, in jobs that measured the same code on both
// sides; nothing where it leaves the pairs as they are. `step`: as above.
std::optional<stats::Variance> variance_at_same_clock(std::span<const ClockedPairs> jobs, const Gate& gate,
                                                      double step);

// By how much the error of the slope makes the variance of the mean of so many pairs of the same code larger,
// on average.
double slope_factor(int pairs);

// What all times of a report are whole multiples of, in nanoseconds: readings of one clock. 0 where they
// share nothing, as continuous times do, or where too few differ to say.
struct ClockTicks {
  double real_ns = 0;
  double cpu_ns = 0;
};
ClockTicks clock_ticks(Runs base, Runs candidate);

// The step of the clock that a benchmark's times were read from, as a logarithm.
struct ClockStep {
  double step = 0;   // 0: none that is seen
  double hides = 0;  // how far it may put the difference of the two sides off
};

// A clock shows its step when times repeat: continuous ones never do. It is the least distance of two times,
// or the tick that all benchmarks share, where that is less. None for what is not a time or a rate (counters
// are exact), and none past 5 %: values that far apart are taken to be what they say. Where the invocations
// differ by half a step or more, the steps average out, and hide nothing.
ClockStep clock_step(const SideEvidence& base, const SideEvidence& candidate, const Metric& metric,
                     const ClockTicks& ticks);

// The variance of a value that lies anywhere between two readings of a clock: step² / 12, in the step's unit.
double rounding_variance(double step);

// The difference of both sides.

// Finds the difference of two sides that both have values: pair by pair where one job measured them, or of
// all of their values. Leaves out outliers, and what has no partner.
void find_difference(BenchmarkEvidence& evidence, Distance distance, const ClockTicks& ticks);

// Leaves only what one job measured of both sides in the same round, pair by pair in the order of rounds: a
// lost invocation shifts nothing. What has no partner is not used, as it would bring the drift of the job in.
// False where there is no pair; both sides are left alone then.
bool keep_pairs(SideValues& base, SideValues& candidate);

// Of sides that keep_pairs() left as pairs; two pairs at least show their noise. Removes outliers from both.
// `step`: of the clock that the values were read from, as a logarithm, where it is known. `order`: which
// side of a pair ran first, 0.5 where the base did and −0.5 where the candidate did, without rounds that do
// not say it. What the second of a pair differs by, more than chance would (t, 99 %), is taken out of the
// candidate.
Contrast paired_contrast(SideValues& base, SideValues& candidate, double step = 0, const ByRound& order = {});

// The same at the clock that both sides had on average: take_out_clock(). Sets the contrast and the clock.
void find_contrast_at_same_clock(BenchmarkEvidence& evidence, const ByRound& base_clock,
                                 const ByRound& candidate_clock, double step, const ByRound& order = {});

// Of sides measured apart from one another. Both have one value at least. Removes outliers. `step` as a
// logarithm.
Contrast contrast(SideValues& base, SideValues& candidate, Distance distance, double step = 0);

// How two commits compare as plain numbers: pair by pair, or by what is stored of them.

struct PairRatios {
  std::string benchmark;       // as it is called now
  std::string name;            // as the candidate's run has it
  Gate gate;                   // of the policy
  std::vector<double> ratios;  // logarithms, one a round: above zero where the candidate is worse
};

// Of the benchmarks that both runs of one job measured in the same rounds. The policy's renames hold for
// both.
std::vector<PairRatios> pair_ratios(const Run& base, const Run& candidate, const Policy& policy);

struct StoredRatio {
  double log_ratio = 0;  // above zero where the candidate is worse
  // Of the logarithm; with what jobs differ by, and for the base's job, which others are compared with too.
  double variance = 0;
};

// Of one benchmark, as it is called now. Nothing where a side has none.
std::optional<StoredRatio> stored_ratio(std::vector<Run> base, std::vector<Run> candidate,
                                        const NoiseHistory& history, const std::string& benchmark,
                                        const Metric& metric, const Policy& policy);

}  // namespace tracker::judge
