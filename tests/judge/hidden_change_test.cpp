// A benchmark that runs at two speeds, and got slower or faster by about their distance: one speed on one
// side and the other on the other look unchanged. That is promised to happen in at most one of a thousand.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/judge/noise_kinds.hpp"

namespace tracker::judge {
namespace {

using test::at_least;
using test::at_most;
using test::has_change;
using test::judge_report;
using test::noise_kinds;
using test::Random;
using test::ReportPlan;
using test::simulate_report;

constexpr double kFivePercent = 0.05;

struct Change {
  const char* what;
  double change;
  double (*moves)(double log);
};

// The speeds of noise_kinds().front() are 0.05 apart, as logarithms.
constexpr Change kChanges[] = {
    {"slower by the distance", 0.051271, [](double log) { return log + 0.05; }},
    {"faster by more than the distance", -0.0501, [](double log) { return log - 0.0514; }},
    {"10 % slower at the faster speed", 0.1, [](double log) { return log < 0.025 ? log + 0.0953 : log; }},
};

struct Unchanged {
  int changed = 0;
  int called = 0;
};

Unchanged count_unchanged(const ReportPlan& plan, int comparisons, std::uint64_t seed) {
  Random random(seed);
  Unchanged counted;
  while (counted.changed < comparisons) {
    const auto judged = judge_report(plan, simulate_report(plan, random));
    for (int k = 0; k < plan.benchmarks; ++k) {
      if (!has_change(plan, k)) continue;
      ++counted.changed;
      counted.called += judged[static_cast<std::size_t>(k)].verdict == Verdict::kUnchanged ? 1 : 0;
    }
  }
  return counted;
}

void expect_seldom_unchanged(ReportPlan plan, const Change& change) {
  const int comparisons = plan.benchmarks == 1 ? 1500 : 500;
  plan.threshold = kFivePercent;
  plan.change = change.change;
  plan.moves = change.moves;
  Unchanged all;
  for (const int pairs : {2, 3, 4, 5, 6, 10}) {
    plan.pairs = pairs;
    const Unchanged counted = count_unchanged(plan, comparisons, 61);
    EXPECT_LE(counted.called, at_most(0.001, counted.changed)) << change.what << ", " << pairs << " pairs";
    all.changed += counted.changed;
    all.called += counted.called;
  }
  EXPECT_LE(all.called, at_most(0.001, all.changed)) << change.what;
}

TEST(HiddenChange, OfTwoSpeedsIsSeldomUnchanged) {
  for (const auto& change : kChanges)
    for (const int benchmarks : {1, 7})
      for (const int past_pairs : {0, 24})
        expect_seldom_unchanged(
            {.kind = noise_kinds().front(), .benchmarks = benchmarks, .past_pairs = past_pairs}, change);
}

// The past shows one speed then, most of the time, and rules out more.
TEST(HiddenChange, OfARareSecondSpeedIsSeldomUnchanged) {
  for (const auto& change : kChanges)
    expect_seldom_unchanged({.kind = noise_kinds()[3], .benchmarks = 7, .past_pairs = 24}, change);
}

TEST(HiddenChange, OfTwoJobsIsSeldomUnchanged) {
  for (const auto& change : kChanges)
    expect_seldom_unchanged({.kind = noise_kinds().front(),
                             .benchmarks = 7,
                             .past_pairs = 24,
                             .job_deviation = 0.001,
                             .jobs_known = 0.001},
                            change);
}

// What the guard must leave as it is: five pairs of a benchmark with one speed, and three with a quiet past.
TEST(HiddenChange, IsNotFearedOfQuietBenchmarks) {
  struct Row {
    int benchmarks;
    int pairs;
    int past_pairs;
    double least;
  };
  for (const auto& [benchmarks, pairs, past_pairs, least] :
       {Row{1, 5, 0, 0.99}, Row{7, 5, 0, 0.99}, Row{7, 10, 0, 0.999}, Row{1, 3, 24, 0.97},
        Row{7, 3, 24, 0.99}}) {
    const ReportPlan plan{.benchmarks = benchmarks,
                          .pairs = pairs,
                          .threshold = kFivePercent,
                          .past_pairs = past_pairs,
                          .change = 1e-9};
    const Unchanged counted = count_unchanged(plan, 1000, 62);
    EXPECT_GE(counted.called, at_least(least, counted.changed))
        << benchmarks << " benchmarks, " << pairs << " pairs, " << past_pairs << " in the past";
  }
}

}  // namespace
}  // namespace tracker::judge
