// The stated error rates where a history shares its noise, also where today is not like the past.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/judge/made_up_history.hpp"

namespace tracker {
namespace {

using test::at_least;
using test::at_most;
using test::count_verdicts;
using test::HistoryPlan;
using test::judge_made_up;
using test::Random;

int count_regressed(const HistoryPlan& plan, double threshold, Random& random) {
  return count_verdicts(judge_made_up(plan, threshold, random), Verdict::kRegressed);
}

struct Past {
  const char* what;
  HistoryPlan plan;
};

const std::vector<Past>& unlike_pasts() {
  static const std::vector<Past> rows{
      {"the same noise", {}},
      {"today is twice as noisy", {.today = 2}},
      {"today is half as noisy", {.today = 0.5}},
      {"each benchmark has another noise today", {.today_spread = 0.5}},
      {"twice as noisy, and each another", {.today = 2, .today_spread = 0.25}},
      {"runs differ in their noise", {.run_spread = 0.5}},
  };
  return rows;
}

// At a threshold of zero, so that the interval alone decides.
TEST(History, OfAnotherNoiseRarelyMakesAFalseAlarm) {
  constexpr int kReports = 150;
  for (const auto& row : unlike_pasts()) {
    int of_row = 0;
    for (const int pairs : {3, 5, 10})
      for (const int runs : {5, 10}) {
        HistoryPlan plan = row.plan;
        plan.pairs = pairs;
        plan.past_runs = runs;
        Random random(41);
        int reports = 0;
        for (int i = 0; i < kReports; ++i) reports += count_regressed(plan, 1e-9, random) > 0 ? 1 : 0;
        EXPECT_LE(reports, at_most(0.01, kReports))
            << row.what << ", " << pairs << " pairs, " << runs << " runs";
        of_row += reports;
      }
    EXPECT_LE(of_row, at_most(0.01, 6 * kReports)) << row.what;
  }
}

// Too few benchmarks to say how today lies to the past.
TEST(History, OfFewBenchmarksRarelyMakesAFalseAlarm) {
  constexpr int kReports = 8000;  // 1.6 % of them are told from 1 %
  for (const int benchmarks : {1, 3, 4})
    for (const int pairs : {3, 5, 10}) {
      const HistoryPlan plan{.benchmarks = benchmarks, .pairs = pairs, .today = 2};
      Random random(45);
      int reports = 0;
      for (int i = 0; i < kReports; ++i) reports += count_regressed(plan, 1e-9, random) > 0 ? 1 : 0;
      EXPECT_LE(reports, at_most(0.01, kReports)) << benchmarks << " benchmarks, " << pairs << " pairs";
    }
}

TEST(History, OfFewBenchmarksFindsWhatItFoundBefore) {
  struct Row {
    int benchmarks;
    int pairs;
    double least;
  };
  for (const auto& [benchmarks, pairs, least] :
       {Row{1, 3, 0.6}, Row{1, 5, 0.88}, Row{3, 3, 0.58}, Row{3, 5, 0.86}, Row{4, 5, 0.86}}) {
    const HistoryPlan plan{.benchmarks = benchmarks, .pairs = pairs, .change = 0.005};
    Random random(46);
    int found = 0;
    constexpr int kReports = 600;
    for (int i = 0; i < kReports; ++i) found += count_regressed(plan, 1e-9, random);
    EXPECT_GE(found, at_least(least, kReports * benchmarks))
        << benchmarks << " benchmarks, " << pairs << " pairs";
  }
}

// A quiet past is what makes three pairs enough.
TEST(History, OfTheSameNoiseFindsMore) {
  struct Row {
    int pairs;
    double least;
  };
  for (const auto& [pairs, least] : {Row{3, 0.88}, Row{5, 0.95}, Row{10, 0.99}}) {
    HistoryPlan plan{.pairs = pairs, .change = 0.01};
    Random random(42);
    int found = 0;
    constexpr int kReports = 60;
    for (int i = 0; i < kReports; ++i) found += count_regressed(plan, 0.005, random);
    EXPECT_GE(found, at_least(least, kReports * plan.benchmarks)) << pairs << " pairs";
  }
}

struct Days {
  const char* what;
  HistoryPlan plan;
};

const std::vector<Days>& unlike_days() {
  static const std::vector<Days> rows{
      {"still", {}},
      {"one day in ten is slow", {.slow_days = 0.1}},
      {"one day in five is slow", {.slow_days = 0.2}},
      {"two days in five are slow", {.slow_days = 0.4}},
      {"a walk", {.walk = 0.003}},
      {"a walk with slow days", {.slow_days = 0.2, .walk = 0.002}},
  };
  return rows;
}

// Measured in separate jobs: what days differ by is learned from the history, minorities and drift included.
TEST(History, OfUnlikeDaysRarelyMakesAFalseAlarm) {
  constexpr int kReports = 60;
  for (const auto& row : unlike_days())
    for (const int lag : {1, 30}) {
      HistoryPlan plan = row.plan;
      plan.past_runs = 31;
      plan.lag = lag;
      Random random(43);
      int reports = 0;
      for (int i = 0; i < kReports; ++i) reports += count_regressed(plan, 1e-9, random) > 0 ? 1 : 0;
      EXPECT_LE(reports, at_most(0.01, kReports)) << row.what << ", " << lag << " jobs back";
    }
}

// A few jobs cannot have shown every kind of day, and benchmarks share their days.
TEST(History, OfFewJobsRarelyMakesAFalseAlarm) {
  constexpr int kReports = 400;
  for (const int benchmarks : {5, 20})
    for (const double slow_days : {0.05, 0.2}) {
      int of_all = 0;
      for (const int jobs : {5, 8, 12}) {
        HistoryPlan plan{.benchmarks = benchmarks, .past_runs = jobs, .lag = 1, .slow_days = slow_days};
        Random random(47);
        int reports = 0;
        for (int i = 0; i < kReports; ++i) reports += count_regressed(plan, 1e-9, random) > 0 ? 1 : 0;
        EXPECT_LE(reports, at_most(0.01, kReports)) << benchmarks << " benchmarks, " << jobs << " jobs";
        of_all += reports;
      }
      EXPECT_LE(of_all, at_most(0.01, 3 * kReports)) << benchmarks << " benchmarks, " << slow_days;
    }
}

TEST(History, OfFewStillJobsFindsWhatItFoundBefore) {
  struct Row {
    int benchmarks;
    int jobs;
    double least;
  };
  for (const auto& [benchmarks, jobs, least] :
       {Row{5, 5, 0.88}, Row{5, 12, 0.98}, Row{20, 5, 0.93}, Row{20, 8, 0.83}, Row{20, 12, 0.98}}) {
    const HistoryPlan plan{.benchmarks = benchmarks, .past_runs = jobs, .change = 0.02, .lag = 1};
    Random random(48);
    int found = 0;
    constexpr int kReports = 60;
    for (int i = 0; i < kReports; ++i) found += count_regressed(plan, 0.01, random);
    EXPECT_GE(found, at_least(least, kReports * benchmarks)) << benchmarks << " benchmarks, " << jobs;
  }
}

TEST(History, OfStillDaysFindsWhatItFoundBefore) {
  struct Row {
    int lag;
    double least;
  };
  for (const auto& [lag, least] : {Row{1, 0.98}, Row{30, 0.85}}) {
    const HistoryPlan plan{.past_runs = 31, .change = 0.02, .lag = lag};
    Random random(44);
    int found = 0;
    constexpr int kReports = 20;
    for (int i = 0; i < kReports; ++i) found += count_regressed(plan, 0.01, random);
    EXPECT_GE(found, at_least(least, kReports * plan.benchmarks)) << lag << " jobs back";
  }
}

}  // namespace
}  // namespace tracker
