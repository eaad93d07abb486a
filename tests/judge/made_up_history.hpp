// Two sides of one job, made up, with earlier jobs of the same benchmarks as their history: as runs, so that
// what is learned from a history is part of what is judged.
#pragma once

#include <vector>

#include "tests/judge/noise_kinds.hpp"
#include "tests/support/random.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/run.hpp"

namespace tracker::test {

struct HistoryPlan {
  NoiseKind kind = bell();
  int benchmarks = 20;
  int pairs = 5;
  int past_runs = 5;
  int past_invocations = 5;
  double scale = 0.001;       // the deviation of an invocation of the past
  double scale_spread = 0.5;  // how benchmarks differ in it, as a deviation of logarithms
  double scale_range = 1;     // besides, they lie evenly over such a factor, as logarithms
  double today = 1;           // times as much noise as in the past, of all benchmarks
  double today_spread = 0;    // how benchmarks differ in that, as a deviation of logarithms
  double run_spread = 0;      // how runs differ in the noise of all benchmarks, likewise
  double change = 0;          // of every candidate
  int wild_base = 0;          // invocations that take three times as long, all benchmarks of them
  int wild_candidate = 0;
  // Above 0: in separate jobs, the base is the run of the history that many jobs before the candidate's.
  int lag = 0;
  int runs_read = 0;      // above 0: only the newest so many of the past are read, and the others counted
  double slow_days = 0;   // the share of jobs on which each benchmark is slower by its own share, up to 3 %
  double walk = 0;        // how far each benchmark moves from one job to the next
  double tick = 0;        // of the clock, as a share of the shortest time; benchmarks take up to twice that
  double wild_share = 0;  // of all invocations of both sides, besides, each benchmark by itself
  // Of the candidate's invocations alone, each benchmark by itself, one at least: slower by slow_by. Part of
  // the change: without one, they are as fast as the others.
  double slow_share = 0;
  double slow_by = 0;
  double common = 0;         // how far each invocation moves all benchmarks, as a deviation of logarithms
  double second_slower = 0;  // the second process of each pair
  bool base_first = false;   // always; else the order of each pair is drawn
  // Above 0: each side was built so often, and its pairs are of one build after the other.
  int builds = 0;
  double layouts = 0;  // how far each build moves each benchmark, as a deviation of logarithms
};

struct MadeUpHistory {
  Run base;  // of one job
  Run candidate;
  std::vector<Run> history;  // oldest first
  int jobs_not_read = 0;     // as NoiseHistory has it
};

MadeUpHistory make_history(const HistoryPlan& plan, Random& random);

// What our rule says of one such history at this threshold.
ComparisonReport judge_made_up(const HistoryPlan& plan, double threshold, Random& random);

int count_verdicts(const ComparisonReport& report, Verdict verdict);

}  // namespace tracker::test
