// What the runs of both sides show of each benchmark. It is gathered once, and every rule of judging is a
// function of it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"
#include "tracker/stats/moderated.hpp"

namespace tracker::judge {

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
  double clock_step = 0;                  // a logarithm: how far it may put the contrast off (clock.hpp)
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

// A value of each round: a logarithm, a clock, which side ran first.
using ByRound = std::map<int, double>;

// The first job's logarithms.
ByRound logs_by_round(const SideValues& side);

// The values of these rounds, in their order and unit; empty where one of them has none.
std::vector<double> in_rounds(const std::vector<int>& rounds, const ByRound& values);

// a − b, value by value, in the unit of both.
std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b);

// Takes these places, in rising order, out of the list.
template <typename Value>
void remove_at(std::vector<Value>& values, const std::vector<std::size_t>& places) {
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(*place));
}

// The comparison of a benchmark with what the two sides show; no verdict yet.
Comparison start(const BenchmarkEvidence& evidence);

// What the runs of one side state of a benchmark beside its times: its code, what is around it, and the
// conditions while it was measured.

// Over the invocations that count and have the benchmark.
struct SeenConditions {
  int invocations = 0;
  std::vector<double> core_clocks_mhz;          // the lowest of each that knows it
  std::optional<double> core_clock_mhz;         // their median
  std::optional<double> memory_clock_mhz;       // likewise
  std::optional<double> temperature_c;          // the highest
  std::optional<double> throttled_s;            // in all
  std::map<std::string, int> throttle_reasons;  // in how many of them: {"power_cap": 5}
  std::optional<int> other_processes;           // most at once
  std::optional<double> load_average;           // number of processes, of the host: the median
  int shared = 0;                               // invocations with other processes
  std::vector<double> memory_clocks_mhz;        // as core_clocks_mhz
};

// The conditions over all invocations that measured the benchmark and count.
SeenConditions seen_conditions(const SideEvidence& side);

struct SideFacts {
  std::optional<Benchmark> benchmark;  // as the newest run that measured it has it
  SeenConditions conditions;
  std::map<std::string, std::string> facts;  // run_facts() by name, as far as they are known
};

// The facts of all runs of a side. Without a run that measured the benchmark there are only facts of the
// runs.
SideFacts side_facts(const SideEvidence& side);

// Whether the machine code of the benchmark's kernels, the way they are launched, and the work of an
// iteration are the same in all of these runs. Empty where any of them does not tell: without a hash, or
// without its launches.
std::optional<bool> has_same_code(const SideEvidence& base, const SideEvidence& candidate);

// Whether all of these runs measured the same program, with the same work of an iteration. False where any of
// them does not tell.
bool has_same_program(const SideEvidence& base, const SideEvidence& candidate);

// Whether the benchmark sets its time itself wherever it was measured: the kernels' alone, where it is a
// GPU's.
bool is_timed_by_events(const SideEvidence& side);

// Whether the counter of that name is of the code: registers, local_bytes, ….
bool is_code_counter(const std::string& name);
// The machine code and the launches; empty where nothing is known of them.
const Code& code_of(const SideFacts& side);
// A counter of the newest run, in its own unit.
std::optional<double> counter_of(const SideFacts& side, const std::string& counter);
// Of one block: static and dynamic.
std::optional<double> shared_bytes(const SideFacts& side);

// What a run says of its software and its machine, fact by fact: for notes, causes and `tracker explain`.

enum class FactKind {
  kBuild,     // of how the code under test was made: of no account where the machine code is the same
  kSoftware,  // around the code
  kMachine
};

struct RunFact {
  const char* name;  // "driver"
  FactKind kind;
  std::optional<std::string> (*value)(const Run& run);
  // Long: of two values what differs is said, and one that is not known is no other one.
  bool is_long = false;
};

// One row a fact. Throws std::out_of_range for a name that is none.
const std::vector<RunFact>& run_facts();
const RunFact& run_fact(std::string_view name);

// The values that the runs have, each once: "580.1, 590.2"; `unknown` stands for those that have none.
std::string values_of(Runs runs, const RunFact& fact, const std::string& unknown);

}  // namespace tracker::judge
