// Judging data while it grows: when, with which share of the error, and what of it. Pure.
// docs/lab/statistics.md derives the shares.
#pragma once

#include <vector>

#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

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

}  // namespace tracker
