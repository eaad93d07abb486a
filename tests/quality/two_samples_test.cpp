// Against published tables, published examples, and cases worked out by hand.
#include "tests/quality/two_samples.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::quality {
namespace {

using testing::ElementsAre;
using Values = std::vector<double>;

TEST(TwoSamples, OrderingsOfSmallSamples) {
  EXPECT_THAT(u_orderings(1, 1), ElementsAre(1, 1));
  EXPECT_THAT(u_orderings(2, 3), ElementsAre(1, 1, 2, 2, 2, 1, 1));
  EXPECT_THAT(u_orderings(3, 3), ElementsAre(1, 1, 2, 3, 3, 3, 3, 2, 1, 1));
  EXPECT_THAT(u_orderings(3, 4), ElementsAre(1, 1, 2, 3, 4, 4, 5, 4, 4, 3, 2, 1, 1));
}

TEST(TwoSamples, OrderingsAddUpToAllOfThem) {
  const auto total = [](std::size_t m, std::size_t n) {
    const auto counts = u_orderings(m, n);
    EXPECT_EQ(counts, Values(counts.rbegin(), counts.rend()));
    return std::accumulate(counts.begin(), counts.end(), 0.0);
  };
  EXPECT_EQ(total(5, 5), 252);
  EXPECT_EQ(total(8, 12), 125970);
  EXPECT_EQ(total(20, 20), 137846528820);
}

// The largest U that is significant at 5 % on both sides: Mann and Whitney's table, as textbooks print it.
TEST(TwoSamples, CriticalValuesOfTheTable) {
  struct Row {
    std::size_t m, n, critical;
  };
  for (const Row& row :
       {Row{4, 4, 0}, Row{5, 5, 2}, Row{5, 8, 6}, Row{8, 8, 13}, Row{10, 10, 23}, Row{20, 20, 127}}) {
    const auto counts = u_orderings(row.m, row.n);
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    const auto p = [&](std::size_t u) {
      return 2 * std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(u) + 1, 0.0) /
             all;
    };
    EXPECT_LE(p(row.critical), 0.05) << row.m << " and " << row.n;
    EXPECT_GT(p(row.critical + 1), 0.05) << row.m << " and " << row.n;
  }
}

TEST(TwoSamples, PairsWithTies) {
  const auto pairs = count_pairs(Values{1, 2, 2, 3}, Values{2, 3, 4, 5});
  EXPECT_EQ(pairs.larger, 1);
  EXPECT_EQ(pairs.equal, 3);
}

// The example in SciPy's documentation of mannwhitneyu: U = 17, exact p = 1/9.
TEST(TwoSamples, ScipyIsExactForSmallSamplesWithoutTies) {
  const Values males{19, 22, 16, 29, 24};
  const Values females{20, 11, 17, 12};
  EXPECT_NEAR(mann_whitney_as_scipy(males, females), 0.1111111111, 1e-9);
  EXPECT_NEAR(mann_whitney_as_scipy(females, males), 0.1111111111, 1e-9);
}

// By hand: U = 2.5, ties 24 + 6, σ² = 16/12 · (9 − 30/56), z = (13.5 − 8 − ½) / σ = 1.48835.
TEST(TwoSamples, ScipyApproximatesWhereThereAreTies) {
  EXPECT_NEAR(mann_whitney_as_scipy(Values{1, 2, 2, 3}, Values{2, 3, 4, 5}), 0.136658, 1e-6);
  EXPECT_EQ(mann_whitney_as_scipy(Values(9, 7.0), Values(9, 7.0)), 1);
}

// By hand: 0 of 100 pairs, σ² = 100/12 · 21, z = 49.5 / σ = 3.74185.
TEST(TwoSamples, ScipyApproximatesForMoreThanEight) {
  Values low(10), high(10);
  std::iota(low.begin(), low.end(), 1.0);
  std::iota(high.begin(), high.end(), 11.0);
  EXPECT_NEAR(mann_whitney_as_scipy(low, high), 0.000182672, 1e-8);
}

TEST(TwoSamples, AsvIsExactUpToTwenty) {
  EXPECT_NEAR(mann_whitney_as_asv(Values{19, 22, 16, 29, 24}, Values{20, 11, 17, 12}), 0.1111111111, 1e-9);
  Values low(10), high(10);
  std::iota(low.begin(), low.end(), 1.0);
  std::iota(high.begin(), high.end(), 11.0);
  EXPECT_NEAR(mann_whitney_as_asv(low, high), 2.0 / 184756, 1e-12);
}

TEST(TwoSamples, AsvBreaksTiesAgainstAFinding) {
  EXPECT_DOUBLE_EQ(mann_whitney_as_asv(Values{1, 2, 3}, Values{1, 2, 3}), 1);
  // 5 of 9 pairs at least, and 7 at most: 5 is as near to the middle as can be.
  EXPECT_DOUBLE_EQ(mann_whitney_as_asv(Values{2, 2, 5}, Values{1, 2, 3}), 1);
}

// By hand: no pair of 441, σ² = 441/12 · 43, z = 220.5 / σ = 5.54684.
TEST(TwoSamples, AsvApproximatesBeyondTwenty) {
  Values low(21), high(21);
  std::iota(low.begin(), low.end(), 1.0);
  std::iota(high.begin(), high.end(), 22.0);
  EXPECT_NEAR(mann_whitney_as_asv(low, high), 2.909e-8, 2e-11);
}

// Wikipedia's first example of Welch's t-test: t = −2.46, 25 degrees, p = 0.021.
TEST(TwoSamples, Welch) {
  const Values a{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
  const Values b{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4};
  EXPECT_TRUE(welch_differs(a, b, 0.022));
  EXPECT_FALSE(welch_differs(a, b, 0.020));
  EXPECT_FALSE(welch_differs(Values{1}, Values{2, 3}, 0.99));
}

TEST(TwoSamples, QuantilesInterpolate) {
  EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.75), 3.25);
  EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0), 1);
  EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 1), 4);
  EXPECT_DOUBLE_EQ(quantile({5}, 0.75), 5);
}

}  // namespace
}  // namespace tracker::quality
