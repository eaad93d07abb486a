#include "tracker/model/comparison.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/model/run.hpp"

namespace tracker {
namespace {

TEST(Verdicts, EachHasItsOwnName) {
  std::set<std::string> names;
  for (const auto verdict : all_verdicts()) names.insert(verdict_name(verdict));
  EXPECT_THAT(names,
              testing::UnorderedElementsAre("regressed", "below floor", "failed", "missing", "same code",
                                            "incomparable", "inconclusive", "improved", "new", "unchanged"));
}

TEST(Verdicts, WhatMattersMostComesFirst) {
  EXPECT_EQ(all_verdicts().front(), Verdict::kRegressed);
  EXPECT_EQ(all_verdicts().back(), Verdict::kUnchanged);
}

TEST(Verdicts, AreCounted) {
  ComparisonReport report;
  for (const auto verdict : {Verdict::kNew, Verdict::kRegressed, Verdict::kNew}) {
    report.comparisons.emplace_back();
    report.comparisons.back().verdict = verdict;
  }
  EXPECT_THAT(count_verdicts(report),
              testing::ElementsAre(testing::Pair(Verdict::kRegressed, 1), testing::Pair(Verdict::kNew, 2)));
  EXPECT_TRUE(count_verdicts({}).empty());
}

TEST(FindBenchmark, ByWholeName) {
  tracker::Run run;
  run.benchmarks.resize(2);
  run.benchmarks[0].name = "a/b";
  run.benchmarks[1].name = "a";
  EXPECT_EQ(find_benchmark(run, "a"), &run.benchmarks[1]);
  EXPECT_EQ(find_benchmark(run, "b"), nullptr);
}

}  // namespace
}  // namespace tracker
