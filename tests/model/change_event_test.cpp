// One table of words for levels that wander: reports, sites, charts and `changepoints` take them from here.
#include "tracker/model/change_event.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

Series wandering(const std::string& benchmark, double share) {
  Series series;
  series.benchmark = benchmark;
  series.wanders = share;
  return series;
}

TEST(WanderingWords, OfOneSeries) {
  EXPECT_EQ(wandering_of(wandering("a", 0.031)),
            "wanders by up to 3.1 %: the level moves by itself, and no single commit made it");
  EXPECT_EQ(wandering_of(wandering("a", 0)), "");
}

TEST(WanderingWords, OfPlainNumbers) {
  EXPECT_EQ(
      wandering_at({"12", "40"}),
      "wanders: the level moves by itself, and no single value made what looks like a change at 12, 40");
  EXPECT_EQ(wandering_at({}), "");
}

TEST(BelowThreshold, SaysHowManyAndWhichThresholdShowsThem) {
  Series series;
  series.threshold = 0.05;
  for (const char* date : {"2026-01-05T08:00:00Z", "2026-02-05T08:00:00Z"}) {
    SeriesPoint point;
    point.date = date;
    series.points.push_back(point);
  }
  EXPECT_EQ(below_threshold_among({series}, ""), "");
  series.below = {{0, 0.03}, {1, -0.041}};
  EXPECT_EQ(below_threshold_among({series}, ""),
            "2 certain changes below 5 % are not shown: --threshold 2% shows them");
  EXPECT_EQ(below_threshold_among({series}, "2026-02-01"),
            "1 certain change below 5 % is not shown: --threshold 2% shows it");
  EXPECT_EQ(below_threshold_among({series}, "2026-03-01"), "");
  Series other = series;
  other.threshold = 0.04;
  other.below = {{0, 0.0037}};
  EXPECT_EQ(below_threshold_among({series, other}, ""),
            "3 certain changes below their thresholds are not shown: --threshold 0.2% shows them");
}

TEST(WanderingWords, TheLargestFirst) {
  EXPECT_EQ(wandering_among({wandering("a", 0)}, 2), "");
  EXPECT_EQ(wandering_among({wandering("a", 0.01), wandering("b", 0)}, 2),
            "1 benchmark wanders by itself, moved by no single commit: a by up to 1 %");
  EXPECT_EQ(
      wandering_among({wandering("a", 0.01), wandering("b", 0.03), wandering("c", 0.02)}, 2),
      "3 benchmarks wander by themselves, moved by no single commit: b by up to 3 %, c by up to 2 %, 1 more");
}

}  // namespace
}  // namespace tracker
