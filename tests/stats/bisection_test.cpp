#include "tracker/stats/bisection.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace tracker::stats {
namespace {

using What = BisectionAdvice::What;

// Pairs with a little noise, the same each time.
std::vector<double> pairs_about(double level, int count = 6) {
  std::vector<double> pairs;
  for (int i = 0; i < count; ++i) pairs.push_back(level + 0.001 * (i % 3 - 1));
  return pairs;
}

// Measures what is asked for, where commits from `guilty` on have this level; the advice that ends it.
BisectionAdvice search_for(Bisection& search, int guilty, double level) {
  for (int i = 0; i < 60; ++i) {
    const auto advice = search.advise();
    if (advice.what != What::kMeasure) return advice;
    search.add(advice.commit, pairs_about(advice.commit >= guilty ? level : 0, advice.pairs));
  }
  return search.advise();
}

TEST(Bisection, TheBadEndComesFirst) {
  Bisection search(32, {});
  const auto advice = search.advise();
  EXPECT_EQ(advice.what, What::kMeasure);
  EXPECT_EQ(advice.commit, 32);
  EXPECT_GE(advice.pairs, 2);
}

TEST(Bisection, FindsEveryPlace) {
  for (int guilty = 1; guilty <= 9; ++guilty) {
    Bisection search(9, {});
    const auto advice = search_for(search, guilty, 0.02);
    EXPECT_EQ(advice.what, What::kFound) << guilty;
    EXPECT_EQ(advice.first, guilty);
    EXPECT_EQ(advice.last, guilty);
    EXPECT_GE(advice.probability, 0.95);
    const auto change = search.change(advice.first, advice.last);
    ASSERT_TRUE(change);
    EXPECT_NEAR(change->value, 0.02, 0.002);
    EXPECT_LT(change->low, 0.02);
    EXPECT_GT(change->high, 0.02);
  }
}

TEST(Bisection, OneCommitIsItself) {
  Bisection search(1, {});
  EXPECT_EQ(search_for(search, 1, 0.05).what, What::kFound);
  Bisection same(1, {});
  EXPECT_EQ(search_for(same, 2, 0).what, What::kNothing);
}

TEST(Bisection, AChangeTooSmallToLookForIsNothing) {
  Bisection search(20, {.smallest = 0.05});
  EXPECT_EQ(search_for(search, 7, 0.01).what, What::kNothing);
}

TEST(Bisection, ASpeedUpIsNoSlowDown) {
  Bisection search(20, {});
  EXPECT_EQ(search_for(search, 7, -0.1).what, What::kNothing);
}

TEST(Bisection, CommitsThatCannotBeMeasuredGiveARange) {
  Bisection search(12, {});
  for (const int broken : {5, 6, 7}) search.skip(broken);
  const auto advice = search_for(search, 6, 0.03);
  EXPECT_EQ(advice.what, What::kFound);
  EXPECT_EQ(advice.first, 5);
  EXPECT_EQ(advice.last, 8);
}

TEST(Bisection, TheSameProgramIsNotGuilty) {
  Bisection search(12, {});
  for (const int broken : {5, 6, 7}) search.skip(broken);
  search.set_same(4, 5);
  search.set_same(7, 8);
  const auto advice = search_for(search, 6, 0.03);
  EXPECT_EQ(advice.what, What::kFound);
  EXPECT_EQ(advice.first, 6);
  EXPECT_EQ(advice.last, 7);
}

TEST(Bisection, TheLargerOfTwoSlowDownsIsFound) {
  Bisection search(16, {});
  for (int i = 0; i < 60 && search.advise().what == What::kMeasure; ++i) {
    const auto advice = search.advise();
    search.add(advice.commit,
               pairs_about((advice.commit >= 4 ? 0.02 : 0) + (advice.commit >= 12 ? 0.08 : 0), advice.pairs));
  }
  EXPECT_EQ(search.advise().what, What::kFound);
  EXPECT_EQ(search.advise().first, 12);
}

TEST(Bisection, HintsSayWhereToBeginAndDecideNothing) {
  Bisection search(64, {});
  search.add(64, pairs_about(0.05));
  for (int commit = 1; commit < 64; commit += 7) search.add_hint(commit, commit >= 30 ? 0.05 : 0, 1e-4);
  const auto advice = search.advise();
  EXPECT_EQ(advice.what, What::kMeasure);
  EXPECT_GT(advice.commit, 20);
  EXPECT_LT(advice.commit, 40);
  EXPECT_EQ(search_for(search, 10, 0.05).first, 10) << "though the hints say otherwise";
}

TEST(Bisection, ABuildThatCostsMuchIsWorthMorePairsOfWhatIsThere) {
  Bisection search(32, {});
  search.add(32, pairs_about(0.02));
  std::vector<bool> built(32, false);
  built[7] = built[31] = true;
  search.set_build_cost(1000, built);
  EXPECT_EQ(search.advise().commit, 8);
}

TEST(Bisection, ValuesThatAreNoNumbersAreLeftOut) {
  Bisection search(4, {});
  search.add(4, std::vector<double>{NAN, INFINITY, 0.01, 0.011});
  EXPECT_EQ(search.pairs(4), 2);
}

TEST(Bisection, WhatItWillTakeIsKnownBefore) {
  const auto quiet = expected_effort(32, {}, 0.02, 0.005);
  const auto noisy = expected_effort(32, {}, 0.02, 0.02);
  EXPECT_GT(quiet.commits, 4);
  EXPECT_LT(quiet.pairs, noisy.pairs);
  EXPECT_LE(quiet.measurements, quiet.measurements_high);
  EXPECT_EQ(expected_effort(32, {}, 0.02, 0.005).pairs, quiet.pairs) << "the same each time";
}

}  // namespace
}  // namespace tracker::stats
