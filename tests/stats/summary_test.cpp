#include "tracker/stats/summary.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/stats/simulate.hpp"

namespace tracker::stats {
namespace {

using Values = std::vector<double>;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Summary, HandComputed) {
  const Values values{2, 4, 4, 4, 5, 5, 7, 9};
  EXPECT_DOUBLE_EQ(mean(values), 5);
  EXPECT_DOUBLE_EQ(median(values), 4.5);
  EXPECT_DOUBLE_EQ(variance(values), 32.0 / 7);
  EXPECT_DOUBLE_EQ(robust_deviation(values), 1.4826 * 0.5);  // distances .5 .5 .5 .5 .5 2.5 2.5 4.5
}

TEST(Summary, ShortenedKeepsTheNewestAlone) {
  const Values values{1, 1, 2, 2, 2, 3, 3, 3, 9};
  EXPECT_EQ(shortened(values, 9), values);
  EXPECT_EQ(shortened(values, 3), (Values{1.5, 3, 9}));
  EXPECT_EQ(shortened(values, 1), Values{9});
  EXPECT_TRUE(shortened(values, 0).empty());
  EXPECT_TRUE(shortened(Values{}, 4).empty());
}

TEST(Summary, OrderDoesNotMatter) {
  const Values values{9, 4, 5, 2, 7, 4, 5, 4};
  EXPECT_DOUBLE_EQ(median(values), 4.5);
  EXPECT_DOUBLE_EQ(median(Values{3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median(Values{2, 1}), 1.5);
}

TEST(Summary, TooFewValuesAreNaN) {
  EXPECT_TRUE(std::isnan(mean(Values{})));
  EXPECT_TRUE(std::isnan(median(Values{})));
  EXPECT_TRUE(std::isnan(variance(Values{})));
  EXPECT_TRUE(std::isnan(variance(Values{1})));
  EXPECT_TRUE(std::isnan(robust_deviation(Values{})));
  EXPECT_EQ(median(Values{7}), 7);
  EXPECT_EQ(robust_deviation(Values{7}), 0);
}

TEST(Summary, NaNIsNotSortedSomewhere) {
  for (std::size_t place = 0; place < 41; ++place) {
    Values values(41, 1.0);
    values[place] = kNaN;
    EXPECT_TRUE(std::isnan(median(values))) << place;
    EXPECT_TRUE(std::isnan(mean(values))) << place;
    EXPECT_TRUE(std::isnan(robust_deviation(values))) << place;
  }
}

TEST(Summary, LargeAndEqualValuesStayExact) {
  EXPECT_EQ(variance(Values(10, 1e12 + 0.25)), 0);
  EXPECT_DOUBLE_EQ(variance(Values{1e9 + 1, 1e9 + 2, 1e9 + 3}), 1);
  EXPECT_DOUBLE_EQ(median(Values{1.5e308, 1.7e308}), 1.6e308);
}

TEST(Summary, OneSpikeHardlyMovesTheRobustDeviation) {
  const Values quiet{10, 11, 12, 13, 14, 15, 16, 17, 18};
  Values spiked = quiet;
  spiked.back() = 1e6;
  EXPECT_EQ(robust_deviation(spiked), robust_deviation(quiet));
}

using Places = std::vector<std::size_t>;

TEST(Outliers, OfOneWildValueIsThatOne) {
  EXPECT_EQ(find_outliers(std::vector<double>{0.1, 0.0, 9, -0.1, 0.05}), Places{2});
  EXPECT_EQ(find_outliers(std::vector<double>{0.1, 0.0, -9, -0.1, 0.05}), Places{2});
}

TEST(Outliers, OnBothSidesHideEachOtherNot) {
  const std::vector<double> values{0.1, 5, 0, -0.1, 0.05, -5, -0.05, 0.08, 0.02, -0.03};
  EXPECT_EQ(find_outliers(values), (Places{1, 5}));
}

TEST(Outliers, AreFewerThanAThird) {
  EXPECT_TRUE(find_outliers(std::vector<double>{0.1, 0, 9, 9.1, 0.05}).empty());
  EXPECT_TRUE(find_outliers(std::vector<double>{0.1, 0, 0.05, 9}).empty()) << "three values show too little";
}

TEST(Outliers, OfEqualValuesAreNone) {
  EXPECT_TRUE(find_outliers(std::vector<double>{1, 1, 1, 1, 1, 1, 2}).empty());
  EXPECT_TRUE(find_outliers(std::vector<double>{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2}).empty())
      << "their variance is an error of arithmetic";
  EXPECT_TRUE(find_outliers({}).empty());
}

TEST(Outliers, AreRareInNormalNoise) {
  Simulation simulation(5);
  for (const std::size_t count : {5u, 10u, 20u}) {
    int lists = 0;
    for (int i = 0; i < 2000; ++i) {
      std::vector<double> values;
      for (std::size_t k = 0; k < count; ++k) values.push_back(simulation.normal(1));
      lists += find_outliers(values).empty() ? 0 : 1;
    }
    EXPECT_LE(lists, 10) << count;
  }
}

TEST(VarianceFactor, HandComputed) {
  // Squares 2 about the mean of −1, 0, 1; with 1 once more in place of 9 they are 2.75.
  EXPECT_NEAR(variance_factor_without(std::vector<double>{-1, 0, 1, 9}, Places{3}), 2.75 / 2, 1e-12);
  EXPECT_EQ(variance_factor_without(std::vector<double>{-1, 0, 1}, {}), 1);
}

TEST(SlopeBetween, IsThatOfLeastSquares) {
  const std::vector<double> x{1, 2, 3, 4};
  const std::vector<double> y{10, 9, 9, 6};  // Σ dx·dy = −6, Σ dx² = 5
  EXPECT_DOUBLE_EQ(slope_between(x, y, -10, 10), -1.2);
}

TEST(SlopeBetween, StaysWithinItsLimits) {
  const std::vector<double> x{1, 2, 3};
  const std::vector<double> y{0, -5, -10};
  EXPECT_EQ(slope_between(x, y, -1, 0), -1);
  EXPECT_EQ(slope_between(x, y, 0, 1), 0);
}

TEST(SlopeBetween, IsNoneWhereNothingDiffers) {
  const std::vector<double> x{2, 2, 2};
  const std::vector<double> y{1, 2, 3};
  EXPECT_EQ(slope_between(x, y, -1, 1), 0);
}

}  // namespace

}  // namespace tracker::stats
