// What both sides measured and what is no comparison of their code all the same: measured otherwise, on
// another machine, on a board that was ill, or after the work was optimised away.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/judge/evidence.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker::judge {

// Of a benchmark that both sides measured; empty where the two can be compared. tracker.toml may say that the
// machine changed between sides of different jobs.
std::optional<Reason> why_not_comparable(const BenchmarkEvidence& evidence, const Policy& policy,
                                         Distance distance);

// How a benchmark's metric was measured, as far as its values hang on that: a line each, a name, a tab and a
// value. `library`: the release of Google Benchmark; empty where it is not known.
std::string method_of(const Benchmark& benchmark, const std::string& library, const Metric& metric);

// "iterations 1000 → 1" of two methods; empty where both are the same. What one of them does not know of a
// release of the library and of repetitions is no difference.
std::string methods_apart(const std::string& before, const std::string& after);

// Repetitions as their library made them; zeros where that is not known.
struct Repetition {
  double fewest = 0;   // number of iterations
  double most = 0;     // number of iterations
  double time_ns = 0;  // the least, of an iteration
};
double length_ns(const Repetition& repetition);
// Whether all of one were told to take longer than all of the other (--benchmark_min_time).
bool lengths_apart(const Repetition& before, const Repetition& now);

// Whether the metric's statistic hangs on how many repetitions there are, and these are too many more.
bool counts_apart(const Metric& metric, double before, double now);

// The names of such lines in a method.
inline constexpr char kRepetition[] = "a repetition of";
inline constexpr char kRepetitions[] = "repetitions";

// What is unchanged without a measurement: benchmarks whose program is the same on both sides. Pure.
// docs/reasons.md says what that claims.

// Of the benchmarks of programs that are the same on both sides, those that need no measurement: all but what
// the policy wants measured, and what the floors of `measured` benchmarks and of those are shares of. Names
// as the binaries have them.
std::set<std::string> not_to_be_measured(const std::set<std::string>& same,
                                         const std::set<std::string>& measured, const Policy& policy);

// The row of one, by the name that it has now: no figures.
Comparison same_program_row(const std::string& benchmark, const Policy& policy);

// Puts rows for these benchmarks into the report, in place of those that it has of them, and counts them.
void put_not_measured(ComparisonReport& report, const std::set<std::string>& benchmarks,
                      const Policy& policy);

// What is unchanged on one device without a measurement.
struct SameProgram {
  Device device;
  std::set<std::string> benchmarks;  // as the binaries name them
  std::optional<double> saved_s;
};

using SamePrograms = std::map<std::string, SameProgram>;  // by the device's key

// Their rows in the reports of their devices, in place of those that stand there; a device without a report
// gets one, of these sides.
void put_same_programs(const SamePrograms& same, const Side& base, const Side& candidate,
                       const Policy& policy, std::vector<ComparisonReport>& reports);

// Notes them in the candidate's runs of one job, so that whoever compares with that base later knows: in the
// run of the device, or in one that holds nothing else, made from `empty`.
void record_same_programs(const SamePrograms& same, const std::string& base_commit, const Run& empty,
                          std::vector<Run>& candidate);

// What a job noted in a run of the candidate.
struct NotedSameProgram {
  std::string run;  // its id
  SameProgramAs same;
};

// The runs of two commits on one device.
struct MeasuredRuns {
  Runs base;
  Runs candidate;
};

// What jobs have noted of a candidate on this device and this base, without what the policy wants measured
// all the same, and what a later job has measured on both sides. Empty where none has.
SamePrograms recorded_same_programs(const Device& device, const std::vector<NotedSameProgram>& noted,
                                    const std::string& base_commit, const MeasuredRuns& measured,
                                    const Policy& policy);

}  // namespace tracker::judge
