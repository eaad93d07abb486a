// First check, then confirm: which benchmarks are measured again side by side, for how many rounds, and when
// it is enough. Pure: measuring and judging happen between the calls.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/judge/confirm/interim_analysis.hpp"
#include "tracker/judge/confirm/measuring_cost.hpp"
#include "tracker/judge/verdict/judge.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {

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
  // Of the stored runs' report, these benchmarks. `comparisons_min`: as JudgeOptions has it.
  Confirmation(ComparisonReport first_check, std::vector<std::string> doubtful, int comparisons_min = 0);
  // Where there is no such report: everything that the first analysis finds.
  Confirmation() = default;

  // What one side's stored runs tell of the time that measuring takes.
  void learn_time(const std::vector<Run>& runs);

  // The names of what the next analysis is about; before a first analysis without a first check, empty.
  const std::vector<std::string>& undecided() const { return undecided_; }
  // How the next analysis is judged: `otherwise` with its share, and corrected for what was in doubt at
  // first.
  JudgeOptions judging(const InterimAnalysis& analysis, JudgeOptions otherwise) const;
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

}  // namespace tracker
