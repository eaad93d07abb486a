// Confirming: what is judged of stored runs, what is measured again, how often that is judged, and its cost;
// and what needs no measurement. Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/judge/judge.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/noise_history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker::judge {

// Judging data while it grows: when, with which share of the error, and what of it.
// docs/lab/statistics.md derives the shares.

// Of 1 − confidence, what judging the stored runs may spend. The analyses of the confirmation share the rest.
inline constexpr double kFirstCheckShare = 0.5;
inline constexpr int kFirstAnalysisRounds = 5;

// One time that the data is judged. The next one has half as many rounds again: 5, 8, 12, 18, 27, 40, 60, …
struct InterimAnalysis {
  int number = 1;
  int rounds = kFirstAnalysisRounds;  // of the job, in all
  int rounds_before = 0;              // of those, at the analysis before

  int new_rounds() const { return rounds - rounds_before; }
  // Of 1 − confidence, what this analysis may spend. Over all analyses, however many: what the first check
  // left.
  double error_share() const;
  InterimAnalysis next() const;
  // The same with as many of its new rounds as fit: all of them would take `expected_s`, and `left_s` is
  // left. Without new rounds where none fits. What is left depends on no result, so that the shares hold.
  InterimAnalysis within(double left_s, double expected_s) const;
};

// Of 1 − confidence, what judging the pairs of so many attempts together may spend: 1 / attempts². Somebody
// who does not like the answer measures again, and each answer is one more chance to be wrong.
double attempts_error_share(int attempts);

// Leaves of a job's two runs what the analysis is about: its rounds and those before and, from the second
// analysis on, only the benchmarks that both sides measured in its new rounds. The decided ones are quieter
// than those that are open, and would make their noise look smaller. Benchmarks get their new names.
void keep_for_analysis(const InterimAnalysis& analysis, const std::vector<Rename>& renames, Run& base,
                       Run& candidate);

// What confirming costs, what its next analysis will, and what it spares.

// Seconds of measuring: from the first invocation's start to the last one's end, without what lies between.
double length_of(const Run& run);
// Of one invocation of all that the run measured, on average.
double invocation_s(const Run& run);

// What so many rounds of these benchmarks take on both sides, by the newest run that has any of them; a
// benchmark is taken to last as long as the others of the run. Empty where no run tells.
std::optional<double> measuring_time_s(const std::set<std::string>& benchmarks, const std::vector<Run>& runs,
                                       int rounds);

class MeasuringCost {
 public:
  // How many benchmarks there are, and what a round of them takes on both sides, where that is known.
  void set_suite(int benchmarks, std::optional<double> round_s);
  // An analysis of so many benchmarks.
  void add(int rounds, int benchmarks, double seconds);

  double measured_s() const { return measured_s_; }
  // Of the next so many rounds, by the last analysis, or before one by the suite; 0 where neither is known.
  // A benchmark is taken to last as long as the others.
  double expected_s(int rounds, int benchmarks) const;
  // Against so many rounds of the whole suite. Where its time is not known, every benchmark is taken to last
  // as long as those that were measured.
  double saved_s(int rounds) const;

 private:
  int suite_benchmarks_ = 0;
  std::optional<double> suite_round_s_;
  double measured_s_ = 0;
  double benchmark_rounds_ = 0;              // benchmarks × rounds measured
  std::optional<double> benchmark_round_s_;  // of the last analysis: one benchmark, one round
};

// First check, then confirm: which benchmarks are measured again side by side, for how many rounds, and when
// it is enough. Measuring and judging happen between the calls.

// With fewer pairs nothing fails the build: the first few of a benchmark with two modes may all be of one.
inline constexpr int kPairsForRegressedMin = 10;
// Whoever needs more rounds than that is not decided by patience.
inline constexpr int kRoundsMax = 1000;

// What is worth measuring again: what may fail the build or cannot be told. What a job has measured side by
// side already is so only where that left it open, and `again` is true.
std::vector<std::string> doubtful_in(const ComparisonReport& report, bool again);

// The confirmation on one device.
class Confirmation {
 public:
  // Of the stored runs' report, these benchmarks. `comparisons_min`: as Options has it.
  Confirmation(ComparisonReport first_check, std::vector<std::string> doubtful, int comparisons_min = 0);
  // Where there is no such report: everything that the first analysis finds.
  Confirmation() = default;

  // What one side's stored runs tell of the time that measuring takes.
  void learn_time(const std::vector<Run>& runs);

  // The names of what the next analysis is about; before a first analysis without a first check, empty.
  const std::vector<std::string>& undecided() const { return undecided_; }
  // How the next analysis is judged: `otherwise` with its share, and corrected for what was in doubt at
  // first.
  Options judging(const InterimAnalysis& analysis, Options otherwise) const;
  // What the analysis will take; 0 where that is not known.
  double expected_s(const InterimAnalysis& analysis) const;
  double measured_s() const { return cost_.measured_s(); }

  // `so_far` is judged from the runs that keep_for_analysis() left; all rounds took `measured_s`. What it
  // decides is decided for good; so is what more rounds will not help.
  void analyse(const InterimAnalysis& analysis, const ComparisonReport& so_far, double measured_s);
  // Of the undecided, those that the stored runs show to be slower.
  std::set<std::string> slower() const;
  // Of these benchmarks, what is undecided becomes unchanged: both sides are the same program.
  void take_same_program(const std::set<std::string>& benchmarks, const Policy& policy);
  // What is undecided can be measured no longer.
  void give_up();
  // There is no time for the next analysis: `why` says so, and is added to the reasons of what stays open.
  void stop(const std::string& why);

  // The first check's rows, with the confirmed ones in their place, sorted by what matters; and the effort.
  ComparisonReport report() const;

 private:
  void begin(const InterimAnalysis& analysis, const ComparisonReport& first, double measured_s);
  bool take(const Comparison& row);  // whether that decides it, as far as it can be
  void take_missing(const std::string& name);

  bool has_first_check_ = false;
  std::optional<ComparisonReport> first_check_;  // or the first analysis, where there was none
  std::optional<ComparisonReport> last_;         // analysis, as it was judged
  std::map<std::string, Comparison> rows_;       // by name
  std::vector<std::string> undecided_;
  std::map<std::string, int> pairs_;  // of what was measured, at the last analysis
  int benchmarks_ = 0;                // in doubt at first
  int comparisons_min_ = 0;
  int rounds_ = 0;  // measured
  MeasuringCost cost_;
  bool out_of_time_ = false;
};

// What is unchanged without a measurement: benchmarks whose program is the same on both sides.
// docs/reasons.md says what that claims.

// Of the benchmarks of programs that are the same on both sides, those that need no measurement: all but what
// the policy wants measured, and what the floors of `measured` benchmarks and of those are shares of. Names
// as the binaries have them.
std::set<std::string> not_to_be_measured(const std::set<std::string>& same,
                                         const std::set<std::string>& measured, const Policy& policy);

// The row of one, by the name that it has now: no figures.
Comparison same_program_row(const std::string& benchmark, const Policy& policy);

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

// Judging what lies in the store.

// What one job measured of both sides side by side.
struct SharedJob {
  const Run* base = nullptr;
  const Run* candidate = nullptr;

  bool is_whole() const { return base->selection.is_all() && candidate->selection.is_all(); }
};

// Like judge(), with what earlier jobs measured side by side in its place:
//   a job that was judged in interim analyses is judged in the same ones again, as if it had just been
//   measured; one that measured only some benchmarks confirms those that are in doubt without it, and hides
//   no others.
// A newer job that measured everything side by side stands above both.
ComparisonReport judge_stored(const SideRuns& base, const SideRuns& candidate, const NoiseHistory& history,
                              const Policy& policy, const Options& options);

}  // namespace tracker::judge
