// Screen, then confirm: which benchmarks are measured again in turn, for how many rounds, and when it is
// enough. Pure: measuring and judging happen between the calls. docs/statistics.md derives the shares.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/judge.hpp"
#include "tracker/judge/measuring_cost.hpp"
#include "tracker/model/comparison.hpp"

namespace tracker {

// Of 1 − confidence, what judging the stored runs may spend. The looks of the confirmation share the rest.
inline constexpr double kScreenShare = 0.5;
// With fewer pairs nothing fails the build: the first few of a benchmark with two modes may all be of one.
inline constexpr int kPairsForRegressedMin = 10;
inline constexpr int kFirstLookRounds = 5;
// Whoever needs more rounds than that is not settled by patience.
inline constexpr int kRoundsMax = 1000;

// One time that the data is judged. The next one has half as many rounds again: 5, 8, 12, 18, 27, 40, 60, …
struct Look {
  int number = 1;
  int rounds = kFirstLookRounds;  // of the job, in all
  int rounds_before = 0;          // of those, at the look before

  int new_rounds() const { return rounds - rounds_before; }
  // Of 1 − confidence, what this look may spend. Over all looks, however many: what the screen left.
  double error_share() const;
  Look next() const;
};

// Leaves of a job's two runs what the look is about: its rounds and those before and, from the second look
// on, only the benchmarks that both sides measured in its new rounds. The decided ones are quieter than those
// that are open, and would talk their noise down. Benchmarks get their new names.
void keep_for_look(const Look& look, const std::vector<Rename>& renames, Run& base, Run& candidate);

// What is worth measuring again: what may fail the build or cannot be told. What a job has confirmed already
// is asked about again where that left it open and `again` is true.
std::vector<std::string> doubtful_in(const ComparisonReport& report, bool again);

// The confirmation on one device.
class Confirmation {
 public:
  // Of the stored runs' report, these benchmarks. `comparisons_min`: as JudgeOptions has it.
  Confirmation(ComparisonReport screen, std::vector<std::string> doubtful, int comparisons_min = 0);
  // Where there is no such report: everything that the first look finds.
  Confirmation() = default;

  // What one side's stored runs tell of the time that measuring takes.
  void learn_time(const std::vector<Run>& runs);

  // The names of what the next look is about; before a first look without a screen, empty.
  const std::vector<std::string>& undecided() const { return undecided_; }
  // How the next look is judged: `otherwise` with its share, and corrected for what was in doubt at first.
  JudgeOptions judging(const Look& look, JudgeOptions otherwise) const;
  // What the look will take; 0 where that is not known.
  double expected_s(const Look& look) const;
  double measured_s() const { return cost_.measured_s(); }

  // `so_far` is judged from the runs that keep_for_look() left; all rounds took `measured_s`. What it decides
  // is settled for good; so is what more rounds will not help.
  void look(const Look& look, const ComparisonReport& so_far, double measured_s);
  // What is undecided can be measured no longer.
  void give_up();
  // There is no time for the next look: `why` ("the time budget of 10m ran out") explains what stays open.
  void stop(const std::string& why);

  // The screen's rows, with the confirmed ones in their place, sorted by what matters; and the effort.
  ComparisonReport report() const;

 private:
  void begin(const Look& look, const ComparisonReport& first, double measured_s);
  void take(const Comparison& row);
  void take_missing(const std::string& name);

  bool is_screened_ = false;
  std::optional<ComparisonReport> screen_;  // or the first look, where there was none
  std::optional<ComparisonReport> last_;    // look, as it was judged
  std::map<std::string, Comparison> rows_;  // by name
  std::vector<std::string> undecided_;
  std::map<std::string, int> pairs_;  // of what was measured, at the last look
  int benchmarks_ = 0;                // in doubt at first
  int comparisons_min_ = 0;
  int rounds_ = 0;  // measured
  MeasuringCost cost_;
  bool out_of_time_ = false;
};

}  // namespace tracker
