#include "tracker/stats/summary.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tracker::stats
