// The stated error rates where a history shares its noise, also where today is not like the past.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/judge/made_up_history.hpp"
#include "tests/support/policy.hpp"
#include "tracker/judge/confirm.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::judge {
namespace {

using test::at_least;
using test::at_most;
using test::count_verdicts;
using test::HistoryPlan;
using test::judge_made_up;
using test::policy_at;
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

// Reports with any false "regressed", and how many comparisons are.
struct FalseAlarms {
  int reports = 0;
  int comparisons = 0;
};

// At a threshold of zero, so that the interval alone decides.
FalseAlarms false_alarms(const HistoryPlan& plan, int reports, std::uint64_t seed) {
  Random random(seed);
  FalseAlarms alarms;
  for (int i = 0; i < reports; ++i) {
    const int regressed = count_regressed(plan, 1e-9, random);
    alarms.reports += regressed > 0 ? 1 : 0;
    alarms.comparisons += regressed;
  }
  return alarms;
}

TEST(History, OfAnotherNoiseRarelyMakesAFalseAlarm) {
  constexpr int kReports = 150;
  for (const auto& row : unlike_pasts()) {
    int of_row = 0;
    for (const int pairs : {3, 5, 10})
      for (const int runs : {5, 10}) {
        HistoryPlan plan = row.plan;
        plan.pairs = pairs;
        plan.past_runs = runs;
        const int reports = false_alarms(plan, kReports, 41).reports;
        EXPECT_LE(reports, at_most(0.01, kReports))
            << row.what << ", " << pairs << " pairs, " << runs << " runs";
        of_row += reports;
      }
    EXPECT_LE(of_row, at_most(0.01, 6 * kReports)) << row.what;
  }
}

// Three pairs say little of how benchmarks differ, and five benchmarks do not either.
TEST(History, OfNoiseThatDiffersByBenchmarkRarelyMakesAFalseAlarm) {
  struct Row {
    int benchmarks;
    int pairs;
    int reports;  // of five benchmarks, so many that 1.7 % are told from 1 %
  };
  for (const auto& [benchmarks, pairs, reports] : {Row{20, 3, 3000}, Row{5, 5, 8000}}) {
    const HistoryPlan plan{.benchmarks = benchmarks, .pairs = pairs, .today_spread = 0.5};
    const FalseAlarms alarms = false_alarms(plan, reports, 49);
    EXPECT_LE(alarms.reports, at_most(0.01, reports)) << benchmarks << " benchmarks, " << pairs << " pairs";
    EXPECT_LE(alarms.comparisons, at_most(0.001, reports * benchmarks)) << benchmarks << ", " << pairs;
  }
}

struct Few {
  const char* what;
  HistoryPlan plan;
};

const std::vector<Few>& few_rows() {
  static const std::vector<Few> rows{
      {"nothing known", {.past_runs = 0}},
      {"nothing known, noise within a factor of ten", {.past_runs = 0, .scale_spread = 0, .scale_range = 10}},
      {"nothing known, two modes", {.kind = test::noise_kinds().front(), .past_runs = 0}},
      {"twice as noisy as the past", {.today = 2}},
      {"each another noise today", {.today_spread = 0.5}},
  };
  return rows;
}

// The promise for a single comparison: few of them do not share the error of the whole report.
TEST(History, OfFewBenchmarksRarelyMakesAComparisonFalse) {
  constexpr int kComparisons = 6000;
  for (const auto& row : few_rows())
    for (const int benchmarks : {1, 2, 3, 5}) {
      int of_all = 0;
      for (const int pairs : {3, 5, 10}) {
        HistoryPlan plan = row.plan;
        plan.benchmarks = benchmarks;
        plan.pairs = pairs;
        of_all += false_alarms(plan, kComparisons / benchmarks, 45).comparisons;
      }
      EXPECT_LE(of_all, at_most(0.001, 3 * kComparisons)) << row.what << ", " << benchmarks << " benchmarks";
    }
}

TEST(History, OfFewBenchmarksFindsSmallChanges) {
  struct Row {
    int benchmarks;
    int pairs;
    double least;
  };
  for (const auto& [benchmarks, pairs, least] :
       {Row{1, 5, 0.55}, Row{1, 10, 0.92}, Row{3, 5, 0.72}, Row{3, 10, 0.94}, Row{4, 5, 0.74}}) {
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
  for (const auto& [pairs, least] : {Row{3, 0.86}, Row{5, 0.95}, Row{10, 0.99}}) {
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
      const int reports = false_alarms(plan, kReports, 43).reports;
      EXPECT_LE(reports, at_most(0.01, kReports)) << row.what << ", " << lag << " jobs back";
    }
}

// Of a base that is older than what is read of the history, all jobs between both sides count.
TEST(History, OfAnOldBaseRarelyMakesAFalseAlarm) {
  constexpr int kReports = 60;
  for (const double walk : {0.0, 0.003})
    for (const int lag : {60, 120, 300}) {
      const HistoryPlan plan{.past_runs = 301, .lag = lag, .runs_read = 30, .walk = walk};
      const int reports = false_alarms(plan, kReports, 47).reports;
      EXPECT_LE(reports, at_most(0.01, kReports)) << "a walk of " << walk << ", " << lag << " jobs back";
    }
}

// The first so many invocations of each side.
Run first_pairs(Run run, int pairs) {
  run.invocations.resize(static_cast<std::size_t>(pairs));
  return run;
}

// With one side at its other speed in each pair of one order, and in none of the others, two speeds look like
// a second process that is slower: once that was taken out, in 2.2 % of these reports.
TEST(History, OfTwoSpeedsIsNoOrder) {
  constexpr int kReports = 600;
  const HistoryPlan plan{.kind = test::noise_kinds().front(), .pairs = 10, .past_runs = 0};
  const auto alarms = false_alarms(plan, kReports, 5);
  EXPECT_LE(alarms.reports, at_most(0.01, kReports));
  EXPECT_LE(alarms.comparisons, at_most(0.001, kReports * plan.benchmarks));
}

// Somebody who does not like the answer measures the same commits again, and all pairs count: how many
// reports have a false "regressed" in any of the answers.
int alarms_of_attempts(const HistoryPlan& each, int attempts, int reports, std::uint64_t seed) {
  Random random(seed);
  HistoryPlan all = each;
  all.pairs = each.pairs * attempts;
  int alarms = 0;
  for (int i = 0; i < reports; ++i) {
    const auto made = test::make_history(all, random);
    bool any = false;
    for (int attempt = 1; attempt <= attempts; ++attempt) {
      const int pairs = attempt * each.pairs;
      const auto report =
          judge({{}, {first_pairs(made.base, pairs)}, {}}, {{}, {first_pairs(made.candidate, pairs)}, {}},
                made.history, policy_at(1e-9), {.error_share = attempts_error_share(attempt)});
      any = any || count_verdicts(report, Verdict::kRegressed) > 0;
    }
    alarms += any ? 1 : 0;
  }
  return alarms;
}

// With all of the error for each answer, six attempts make a false alarm in 3.7 % of these reports.
TEST(History, PressingAgainRarelyMakesAFalseAlarm) {
  constexpr int kReports = 300;
  constexpr int kAttempts = 6;
  EXPECT_LE(alarms_of_attempts({.pairs = 10, .past_runs = 0}, kAttempts, kReports, 53),
            at_most(0.01, kReports));
}

// A few jobs cannot have shown every kind of day, and benchmarks share their days.
TEST(History, OfFewJobsRarelyMakesAFalseAlarm) {
  constexpr int kReports = 400;
  for (const int benchmarks : {5, 20})
    for (const double slow_days : {0.05, 0.2}) {
      int of_all = 0;
      for (const int jobs : {5, 8, 12}) {
        const HistoryPlan plan{.benchmarks = benchmarks, .past_runs = jobs, .lag = 1, .slow_days = slow_days};
        const int reports = false_alarms(plan, kReports, 47).reports;
        EXPECT_LE(reports, at_most(0.01, kReports)) << benchmarks << " benchmarks, " << jobs << " jobs";
        of_all += reports;
      }
      EXPECT_LE(of_all, at_most(0.01, 3 * kReports)) << benchmarks << " benchmarks, " << slow_days;
    }
}

// A slow day moves all of five benchmarks, and now and then all of them alike, so that one false comparison
// comes with others.
TEST(History, OfFewJobsRarelyMakesAComparisonFalse) {
  constexpr int kReports = 4000;
  const HistoryPlan plan{.benchmarks = 5, .past_runs = 5, .lag = 1, .slow_days = 0.2};
  EXPECT_LE(false_alarms(plan, kReports, 50).comparisons, at_most(0.001, kReports * plan.benchmarks));
}

TEST(History, OfFewStillJobsFindsChanges) {
  struct Row {
    int benchmarks;
    int jobs;
    double least;
  };
  for (const auto& [benchmarks, jobs, least] :
       {Row{5, 5, 0.8}, Row{5, 12, 0.98}, Row{20, 5, 0.93}, Row{20, 8, 0.83}, Row{20, 12, 0.98}}) {
    const HistoryPlan plan{.benchmarks = benchmarks, .past_runs = jobs, .change = 0.02, .lag = 1};
    Random random(48);
    int found = 0;
    constexpr int kReports = 60;
    for (int i = 0; i < kReports; ++i) found += count_regressed(plan, 0.01, random);
    EXPECT_GE(found, at_least(least, kReports * benchmarks)) << benchmarks << " benchmarks, " << jobs;
  }
}

// Slow days that all benchmarks share are told from the usual ones, so that two usual ones can be compared.
TEST(History, OfSlowDaysFindsChangesBetweenUsualOnes) {
  struct Row {
    int benchmarks;
    int jobs;
    double slow_days;
    double least;
  };
  for (const auto& [benchmarks, jobs, slow_days, least] :
       {Row{20, 31, 0.2, 0.55}, Row{20, 12, 0.2, 0.4}, Row{5, 31, 0.2, 0.3}, Row{20, 31, 0.05, 0.8}}) {
    const HistoryPlan plan{
        .benchmarks = benchmarks, .past_runs = jobs, .change = 0.02, .lag = 1, .slow_days = slow_days};
    Random random(51);
    int found = 0;
    constexpr int kReports = 100;
    for (int i = 0; i < kReports; ++i) found += count_regressed(plan, 0.01, random);
    // The days of a report are all its benchmarks'.
    EXPECT_GE(found, benchmarks * at_least(least, kReports)) << benchmarks << " benchmarks, " << jobs;
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
}  // namespace tracker::judge
