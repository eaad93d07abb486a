// The judge on times read from a clock with steps of about 1 %, at any place between two readings: intervals
// hold the true change, and changes of a few steps are found.
#include <string>

#include <gtest/gtest.h>

#include "tests/judge/made_up_history.hpp"

namespace tracker::judge {
namespace {

struct CoarseOutcome {
  int reports_with_wrong_interval = 0;
  int regressed = 0;
};

CoarseOutcome judge_coarse(double noise_in_ticks, double change, int pairs, int reports) {
  constexpr double kTick = 0.01;
  test::Random random(20261123);
  const test::HistoryPlan plan{.pairs = pairs,
                               .past_runs = 0,
                               .scale = noise_in_ticks * kTick,
                               .scale_spread = 0.3,
                               .change = change,
                               .tick = kTick};
  CoarseOutcome outcome;
  for (int i = 0; i < reports; ++i) {
    const auto report = test::judge_made_up(plan, 0, random);
    bool wrong = false;
    for (const auto& c : report.comparisons)
      wrong = wrong || (c.interval && (c.interval->low > change + 1e-9 || c.interval->high < change - 1e-9));
    outcome.reports_with_wrong_interval += wrong ? 1 : 0;
    outcome.regressed += test::count_verdicts(report, Verdict::kRegressed);
  }
  return outcome;
}

TEST(CoarseClock, IntervalsHoldTheTruth) {
  constexpr int kReports = 60;
  int wrong = 0;
  int reports = 0;
  for (const int pairs : {5, 10, 20})
    for (const double noise : {0.01, 0.2, 0.45})
      for (const double change : {0., 0.0045, 0.013}) {
        const auto outcome = judge_coarse(noise, change, pairs, kReports);
        SCOPED_TRACE(std::to_string(pairs) + " pairs, noise of " + std::to_string(noise) + " ticks, " +
                     std::to_string(change) + " slower");
        EXPECT_LE(outcome.reports_with_wrong_interval, 4);
        if (change == 0) {
          EXPECT_LE(outcome.regressed, 2);
        }
        wrong += outcome.reports_with_wrong_interval;
        reports += kReports;
      }
  EXPECT_LE(wrong, test::at_most(0.01, reports));
}

TEST(CoarseClock, HidesNoChangeOfAFewSteps) {
  constexpr int kReports = 20;
  for (const double noise : {0.01, 0.2}) {
    const auto outcome = judge_coarse(noise, 0.02, 10, kReports);
    EXPECT_GE(outcome.regressed, 0.98 * 20 * kReports) << "noise of " << noise << " ticks";
  }
}

}  // namespace
}  // namespace tracker::judge
