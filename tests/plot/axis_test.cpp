#include "tracker/plot/axis.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::plot {
namespace {

TEST(Scale, PicksThePrefixOfTheLargestValue) {
  struct Row {
    double size;
    const char* unit;
    double factor;
    const char* expected;
  };
  const Row rows[] = {
      {3.48e12, "B/s", 1e12, "TB/s"},
      {412e9, "B/s", 1e9, "GB/s"},
      {51.8e12, "FLOP/s", 1e12, "TFLOP/s"},
      {15.1e-6, "s", 1e-6, "µs"},
      {2.7e-3, "s", 1e-3, "ms"},
      {540e-9, "s", 1e-9, "ns"},
      {7200, "s", 1, "s"},
      {0.99999e12, "B/s", 1e12, "TB/s"},
      {0, "B/s", 1, "B/s"},
      {42, "", 1, ""},
      {0.25, "", 1, ""},
      {31000, "", 1, ""},
      {3.1e9, "", 1e9, "×1e9"},
      {2e-8, "", 1e-9, "×1e-9"},
      {4e25, "B/s", 1e24, "×1e24 B/s"},
      {-2e12, "B/s", 1e12, "TB/s"},
  };
  for (const auto& row : rows) {
    const Scale scale = choose_scale(row.size, row.unit);
    EXPECT_DOUBLE_EQ(scale.factor, row.factor) << row.size << row.unit;
    EXPECT_EQ(scale.unit, row.expected) << row.size << row.unit;
  }
}

TEST(Scale, ExtremesHaveAFactorThatDivides) {
  for (const double size : {5e-324, 1e-300, 1e280, 1e308, std::numeric_limits<double>::infinity()}) {
    const double factor = choose_scale(size, "B/s").factor;
    EXPECT_GT(factor, 0) << size;
    EXPECT_TRUE(drawable(factor)) << size;
  }
}

std::vector<std::string> labels(double low, double high, int count) {
  std::vector<std::string> result;
  for (const auto& tic : make_tics(low, high, count)) result.push_back(tic.label);
  return result;
}

TEST(Tics, AreRoundWithinTheRangeAndAlikeInDecimals) {
  EXPECT_THAT(labels(3.31, 3.56, 6), ::testing::ElementsAre("3.35", "3.40", "3.45", "3.50", "3.55"));
  EXPECT_THAT(labels(0, 4.9, 5), ::testing::ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_THAT(labels(-1, 1, 4), ::testing::ElementsAre("−1.0", "−0.5", "0.0", "0.5", "1.0"));
  EXPECT_THAT(labels(0, 320, 5), ::testing::ElementsAre("0", "100", "200", "300"));
}

TEST(Tics, AnEmptyRangeHasOne) {
  EXPECT_EQ(make_tics(2, 2, 5).size(), 1u);
}

TEST(Tics, StayFewWhateverTheRange) {
  for (const double low : {0.0, 1.0, 999.999999999, 1e15, -1e200})
    for (const double span : {1e-12, 1e-6, 0.3, 1.0, 7e9, 1e200})
      for (const int count : {2, 5, 8})
        EXPECT_LE(make_tics(low, low + span, count).size(), 10u) << low << ' ' << span;
}

TEST(Numbers, FourDigitsForReaders) {
  EXPECT_EQ(format_number(3.48), "3.480");
  EXPECT_EQ(format_number(0.04319), "0.04319");
  EXPECT_EQ(format_number(153.21), "153.2");
  EXPECT_EQ(format_number(999.97), "1000");
  EXPECT_EQ(format_number(-0.00001), "-1e-05");
  EXPECT_EQ(format_number(0), "0.00000");
}

TEST(Numbers, PlainForGnuplot) {
  EXPECT_EQ(plain_number(0.5), "0.5");
  EXPECT_EQ(plain_number(-0.0), "0");
  EXPECT_EQ(plain_number(1.0 / 3, 4), "0.3333");
  EXPECT_EQ(plain_number(1e-20), "1e-20");
}

}  // namespace
}  // namespace tracker::plot
