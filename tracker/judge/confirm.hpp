// Screen, then confirm: which benchmarks are measured again in turn, for how many rounds, and when it is
// enough. Pure: measuring and judging happen between the calls.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/judge.hpp"
#include "tracker/model/comparison.hpp"

namespace tracker {

// Of 1 − confidence, what judging the stored runs may spend. The looks of the confirmation share the rest.
inline constexpr double kScreenShare = 0.5;
// With fewer pairs nothing fails the build: the first few of a benchmark with two modes may all be of one.
inline constexpr int kPairsForRegressedMin = 10;
inline constexpr int kFirstLookRounds = 5;
// Whoever needs more rounds than that will not be settled by patience.
inline constexpr int kRoundsMax = 1000;

// One time that the data is judged. The next one has half as many rounds again: 5, 8, 12, 18, 27, 40, 60, …
struct Look {
  int number = 1;
  int rounds = kFirstLookRounds;  // of the job, in all
  int rounds_before = 0;          // of those, at the look before

  // Of 1 − confidence, what this look may spend. Over all looks, however many: what the screen left.
  double error_share() const;
  Look next() const;
};

// Whether a judged row is worth measuring again: what may fail the build, or cannot be told.
bool is_doubtful(const Comparison& comparison);

// The confirmation on one device.
class Confirmation {
 public:
  // Of the stored runs' report: what is in doubt there.
  explicit Confirmation(ComparisonReport screen);
  // Where there is none: everything that the first look finds.
  Confirmation() = default;

  // The names of what the next look is about; before a first look without a screen, empty.
  const std::vector<std::string>& undecided() const { return undecided_; }
  // How the next look is judged: `otherwise` with its share, and corrected for what was in doubt at first.
  JudgeOptions judging(const Look& look, JudgeOptions otherwise) const;

  // `so_far` is judged from all rounds of the job. What it decides is settled for good; so is what more
  // rounds will not help.
  void look(const ComparisonReport& so_far);
  // No more looks: `why` ("the time budget of 10 min ran out") explains what is left undecided.
  void stop(const std::string& why);

  // The screen's rows, with the confirmed ones in their place, sorted by what matters.
  ComparisonReport report() const;

 private:
  void take(const Comparison& row);
  void take_missing(const std::string& name);

  std::optional<ComparisonReport> screen_;
  std::optional<ComparisonReport> last_;    // look, as it was judged
  std::map<std::string, Comparison> rows_;  // by name
  std::vector<std::string> undecided_;
  std::map<std::string, int> pairs_;  // of the undecided, at the last look
  int comparisons_ = 0;               // in doubt at first
};

// What looks on one device cost, what the next one will, and what was spared.
class MeasuringCost {
 public:
  // A round of every benchmark, both sides, takes so long.
  void set_suite(int benchmarks, double round_s);
  // How many benchmarks there are, where their time is not known.
  void set_suite(int benchmarks) { suite_benchmarks_ = benchmarks; }
  void add(int rounds, int benchmarks, double seconds);

  double measured_s() const { return measured_s_; }
  // Of the next so many rounds, by the last look, or before one by the suite; 0 where neither is known.
  // A benchmark is taken to last as long as the others.
  double expected_s(int rounds, int benchmarks) const;
  // Against as many rounds of the whole suite. Where its time is not known, every benchmark is taken to
  // last as long as those that were measured.
  double saved_s(int rounds) const;

 private:
  int suite_benchmarks_ = 0;
  std::optional<double> suite_round_s_;
  double measured_s_ = 0;
  double benchmark_rounds_ = 0;              // benchmarks × rounds measured
  std::optional<double> benchmark_round_s_;  // of the last look: one benchmark, one round
};

// An expression that matches these names and no others: "^(a|b)$".
std::string selection_expression(const std::vector<std::string>& names);

// Takes the jobs out of both sides that measured only some of the benchmarks, as confirming does, where both
// sides have others: as the newest they would hide what they lack.
void leave_out_partial_jobs(SideRuns& base, SideRuns& candidate);

}  // namespace tracker
