#include "tests/changepoints/scores.hpp"

#include <gtest/gtest.h>

namespace tracker::changepoints {
namespace {

TEST(Scores, MatchEveryFoundPlaceOnce) {
  EXPECT_EQ(matched({1, 10, 20, 23}, {3, 8, 20}), 3u);
  EXPECT_EQ(matched({1, 10, 20, 23}, {1, 3, 5, 8, 20}), 3u);
  EXPECT_EQ(matched({}, {1, 2}), 0u);
  EXPECT_EQ(matched({10}, {16}), 0u);
  EXPECT_EQ(matched({10}, {15}), 1u);
}

TEST(Scores, F1CountsTheTrivialPoint) {
  EXPECT_DOUBLE_EQ(f1({{}}, {}), 1);
  EXPECT_NEAR(f1({{10}}, {}), 2.0 / 3, 1e-12);                // precision 1, recall 1/2
  EXPECT_NEAR(f1({{}, {10}, {50}}, {10}), 10.0 / 11, 1e-12);  // precision 1, recall (1 + 1 + 1/2) / 3
  EXPECT_NEAR(f1({{}, {10}, {50}}, {}), 0.8, 1e-12);
}

TEST(Scores, CoveringIsTheBestOverlapOfEverySegment) {
  EXPECT_DOUBLE_EQ(covering({{10, 20}}, {10, 20}, 45), 1);
  EXPECT_NEAR(covering({{}}, {3, 5}, 6), 3.0 / 6, 1e-12);
  // {10,20}: 1; {10}: 10/45 + 35/45 · 25/35; {0,5}: 5/45 · 5/10 + 40/45 · 25/40
  EXPECT_NEAR(covering({{10, 20}, {10}, {0, 5}}, {10, 20}, 45),
              (1 + (10 + 25) / 45.0 + (5 * 0.5 + 25) / 45) / 3, 1e-12);
}

}  // namespace
}  // namespace tracker::changepoints
