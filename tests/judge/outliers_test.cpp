// One invocation that something held up: it neither hides a change, nor makes one, nor is dropped silently.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/judge/made_up_history.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using test::at_least;
using test::at_most;
using test::count_verdicts;
using test::HistoryPlan;
using test::judge_made_up;
using test::noise_kinds;
using test::NoiseKind;
using test::Random;

int reports_with_regressed(const HistoryPlan& plan, int reports, std::uint64_t seed) {
  Random random(seed);
  int count = 0;
  for (int i = 0; i < reports; ++i)
    count += count_verdicts(judge_made_up(plan, 1e-9, random), Verdict::kRegressed) > 0 ? 1 : 0;
  return count;
}

double share_with(const HistoryPlan& plan, double threshold, Verdict verdict, int reports) {
  Random random(52);
  int count = 0;
  for (int i = 0; i < reports; ++i) count += count_verdicts(judge_made_up(plan, threshold, random), verdict);
  return static_cast<double>(count) / (reports * plan.benchmarks);
}

struct Wild {
  const char* what;
  HistoryPlan plan;
};

const std::vector<Wild>& wild_rows() {
  static const std::vector<Wild> rows{
      {"one of the candidate", {.pairs = 10, .past_runs = 0, .wild_candidate = 1}},
      {"one of the base", {.pairs = 10, .past_runs = 0, .wild_base = 1}},
      {"one of each side", {.pairs = 10, .past_runs = 0, .wild_base = 1, .wild_candidate = 1}},
  };
  return rows;
}

TEST(WildInvocation, HidesNoChange) {
  for (const auto& row : wild_rows()) {
    HistoryPlan plan = row.plan;
    plan.scale = 0.002;
    plan.change = 0.05;
    EXPECT_GE(share_with(plan, 0.02, Verdict::kRegressed, 30), 0.98) << row.what;
    plan.scale = 0.001;
    plan.change = 0.01;
    EXPECT_GE(share_with(plan, 0.005, Verdict::kRegressed, 30), 0.93) << row.what;
  }
}

TEST(WildInvocation, RarelyLooksLikeAChange) {
  constexpr int kReports = 150;
  for (const auto& row : wild_rows())
    for (const int pairs : {5, 8, 10, 20}) {
      HistoryPlan plan = row.plan;
      plan.pairs = pairs;
      EXPECT_LE(reports_with_regressed(plan, kReports, 51), at_most(0.01, kReports))
          << row.what << ", " << pairs << " pairs";
    }
}

TEST(WildInvocation, IsNotRareAndRarelyLooksLikeAChange) {
  constexpr int kReports = 150;
  for (const double share : {0.02, 0.1, 0.3})
    for (const int pairs : {5, 8, 10, 20}) {
      const HistoryPlan plan{.pairs = pairs, .past_runs = 0, .wild_share = share};
      EXPECT_LE(reports_with_regressed(plan, kReports, 53), at_most(0.01, kReports))
          << share << ", " << pairs << " pairs";
    }
}

// Leaving out the other mode of a benchmark that has two would make it look quiet and changed.
TEST(WildInvocation, IsNotTheOtherModeOfABenchmarkWithTwo) {
  constexpr int kReports = 150;
  for (const auto& kind : noise_kinds())
    for (const int pairs : {8, 10, 12}) {
      const HistoryPlan plan{.kind = kind, .pairs = pairs, .past_runs = 0};
      EXPECT_LE(reports_with_regressed(plan, kReports, 54), at_most(0.01, kReports))
          << kind.name << ", " << pairs << " pairs";
    }
}

// A second speed that half of the candidate's invocations have shows itself once in ten by chance.
TEST(WildInvocation, OfTheCandidateLeavesOpenWhetherItIsUnchanged) {
  const HistoryPlan one_of_ten{.pairs = 10, .past_runs = 0, .wild_candidate = 1};
  EXPECT_EQ(share_with(one_of_ten, 0.01, Verdict::kUnchanged, 20), 0);
  const HistoryPlan one_of_twenty{.pairs = 20, .past_runs = 0, .wild_candidate = 1};
  EXPECT_EQ(share_with(one_of_twenty, 0.01, Verdict::kUnchanged, 20), 0)
      << "a speed that the candidate has in one of ten shows so seldom in a quarter of reports";
  const HistoryPlan of_base{.pairs = 10, .past_runs = 0, .wild_base = 1};
  EXPECT_GE(share_with(of_base, 0.01, Verdict::kUnchanged, 20), 0.95);
}

TEST(WildInvocation, IsNamed) {
  Random random(55);
  const HistoryPlan plan{.pairs = 10, .past_runs = 0, .change = 0.05, .wild_candidate = 1};
  const auto report = judge_made_up(plan, 0.02, random);
  const auto& first = report.comparisons.front();
  EXPECT_EQ(first.verdict, Verdict::kRegressed);
  EXPECT_EQ(first.candidate_invocations, 9);
  EXPECT_NE(report::reason_in_words(first).find("; excluded as an outlier: round "), std::string::npos)
      << report::reason_in_words(first);
  EXPECT_NE(report::reason_in_words(first).find(", where the candidate is "), std::string::npos)
      << report::reason_in_words(first);
  EXPECT_NE(report::reason_in_words(first).find(" above its usual value"), std::string::npos)
      << report::reason_in_words(first);
  ASSERT_FALSE(report.notes.empty());
  EXPECT_TRUE(
      report.notes.back().ends_with("of the candidate is excluded as an outlier in 20 of 20 benchmarks"))
      << report.notes.back();
}

}  // namespace
}  // namespace tracker::judge
