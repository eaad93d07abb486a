#include "tests/quality/share.hpp"

#include <gtest/gtest.h>

namespace tracker::quality {
namespace {

// Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
TEST(Share, WilsonAgainstPublishedIntervals) {
  struct Row {
    Share share;
    double low, high;
  };
  for (const Row& row : {Row{{81, 263}, 0.2553, 0.3662}, Row{{15, 148}, 0.0624, 0.1605},
                         Row{{0, 20}, 0, 0.1611}, Row{{1, 29}, 0.0061, 0.1718}}) {
    const Interval interval = wilson(row.share);
    EXPECT_NEAR(interval.low, row.low, 5e-5) << row.share.hits;
    EXPECT_NEAR(interval.high, row.high, 5e-5) << row.share.hits;
  }
  EXPECT_EQ(wilson({7, 7}).high, 1);
}

TEST(Share, TextKeepsDigitsNearTheEnds) {
  EXPECT_EQ(percent_number(Share{0, 10}), "0");
  EXPECT_EQ(percent_number(Share{10, 10}), "100");
  EXPECT_EQ(percent_number(Share{1, 300}), "0.33");
  EXPECT_EQ(percent_number(Share{299, 300}), "99.67");
  EXPECT_EQ(percent_number(Share{1, 40}), "2.5");
  EXPECT_EQ(percent_number(Share{1, 3}), "33");
  EXPECT_EQ(percent_number(Share{}), "–");
  EXPECT_EQ(with_interval({15, 148}), "10 (6.2–16)");
}

TEST(Share, Adds) {
  Share share;
  share.add(true);
  share.add(false);
  share.add(Share{2, 5});
  EXPECT_EQ(share.hits, 3);
  EXPECT_EQ(share.of, 7);
}

}  // namespace
}  // namespace tracker::quality
