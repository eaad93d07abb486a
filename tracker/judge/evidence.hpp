// What the runs of both sides show of each benchmark. It is gathered once, and every rule of judging is a
// function of it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"
#include "tracker/stats/moderated.hpp"

namespace tracker {

// The runs of one side that a comparison rests on: of one device, oldest first.
using Runs = std::span<const Run>;

// The board a run was measured on: the GPU's UUID, the UUIDs of several, or the host of a CPU.
std::string board_of(const Run& run);

// What is not known is not different: two boards that both have no name are taken to be one.
bool on_same_board(const Run& a, const Run& b);

// How far apart two sides were measured. Jobs on one board differ less than jobs on two.
enum class Distance { kSameJob, kSameBoard, kOtherBoard };

// For sides that were measured in different jobs: kSameBoard where all runs name the same board. Pairs of one
// job are kSameJob.
Distance distance_between(Runs base, Runs candidate);

// What one run has of a benchmark.
struct RunEvidence {
  const Run* run = nullptr;
  const Benchmark* benchmark = nullptr;  // as this run defines it; with an error where it failed
  std::vector<const Samples*> samples;   // one for each of the run's invocations; null where that has none
};

// The values of one side, one an invocation.
struct SideValues {
  std::vector<std::vector<double>> logs_by_job;  // the logarithm of one value an invocation
  std::vector<std::vector<int>> rounds_by_job;   // the round of each of them
  std::vector<std::string> boards;               // of each job
  std::map<int, int> builds;                     // by round, where the side was built several times
  std::map<std::string, std::map<int, double>>
      plain;      // a counter's values in its unit, by job and round: they may be zero or negative
  int zeros = 0;  // values that have no logarithm

  bool only_zeros() const { return logs_by_job.empty() && zeros > 0; }
  bool any() const { return !logs_by_job.empty() || !plain.empty(); }
  int count() const;                      // that typical() rests on
  std::optional<double> typical() const;  // the geometric mean, in the metric's unit
};

// What the runs of one side show of a benchmark.
struct SideEvidence {
  Runs runs = {};                 // all of the side, also those without the benchmark
  std::vector<RunEvidence> seen;  // those that have it, oldest first
  SideValues values = {};         // of the metric that it is judged by
  bool exact = false;             // a counter of which every sample is the same, two at least

  // The newest definition of the benchmark; null where no run has it.
  const Benchmark* newest() const { return seen.empty() ? nullptr : seen.back().benchmark; }
};

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

// What the clock has to do with the difference of two sides.
struct ClockEffect {
  double base_mhz = 0;  // the geometric mean over the pairs
  double candidate_mhz = 0;
  bool taken_out = false;  // false: the clocks differ by more than chance, and belong to what is compared
};

// What the repetitions of a single invocation show: less than invocations would.
struct Repetitions {
  int count = 0;      // of the side that has fewer; 0: not known
  double spread = 0;  // the standard deviation of the side that has more, as a share
};

// All that both sides show of one benchmark.
struct BenchmarkEvidence {
  std::string name;
  std::string printed_name;
  Gate gate;               // its threshold as the share that it is of the base's value
  bool asked_for = false;  // false: nobody asked for it on both sides, and there is nothing more than runs
  SideEvidence base;
  SideEvidence candidate;
  // The difference of both sides, where they can be compared: find_difference(), which leaves in `values`
  // what it rests on.
  Contrast contrast = {};
  bool paired = true;  // false: measured in one job, but in no round both
  int builds = 0;      // from two on, so many builds of each side stand for its invocations
  std::optional<ClockEffect> clock = {};  // where the policy compares at the same clock, and it matters
  bool lacks_clock = false;               // the policy does, but an invocation states no clock
  double clock_step = 0;                  // how far it may put the contrast off: tracker/judge/clock.hpp
  Repetitions repetitions = {};           // where a side has a single invocation
};

// Fewer benchmarks are no work for another core.
inline constexpr std::size_t kBenchmarksAPart = 100;

// Whether the candidate's runs were to measure everything.
bool was_asked_for(Runs candidate);

// What happened to the candidate's binary that should have had the base's benchmark; null where nothing did.
const BinaryFailure* failure_of(const BenchmarkEvidence& evidence);

// Of every benchmark of either side, in the order of names. kUsage where a threshold's unit is not the
// metric's.
std::vector<BenchmarkEvidence> gather_evidence(Runs base, Runs candidate, const Policy& policy,
                                               Distance distance);

// Of one benchmark and one side, without values.
SideEvidence side_evidence(Runs runs, const std::string& benchmark);

// Of a metric. Runs of one job count as one; those in which the benchmark failed do not count.
SideValues side_values(const SideEvidence& side, const Metric& metric);
SideValues side_values(Runs runs, const std::string& benchmark, const Metric& metric);

// Calls each(RunEvidence, Invocation, Samples) for all samples that count, oldest first.
template <typename Each>
void each_counted(const SideEvidence& side, const Each& each) {
  for (const auto& one : side.seen)
    for (std::size_t i = 0; i < one.samples.size(); ++i)
      if (one.samples[i] != nullptr && !one.run->invocations[i].excluded)
        each(one, one.run->invocations[i], *one.samples[i]);
}

// The metric, in its unit, in every repetition that counts; NaN stands for one without it.
std::vector<double> repetition_values(const SideEvidence& side, const Metric& metric);

// Natural logarithms of those values, in any unit, that are above zero.
std::vector<double> logs_of(const std::vector<double>& values);

// The first job's logarithms, by round.
std::map<int, double> logs_by_round(const SideValues& side);

// The comparison of a benchmark with what the two sides show; no verdict yet.
Comparison start(const BenchmarkEvidence& evidence);

}  // namespace tracker
