#include "tracker/stats/ranks.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/stats/simulate.hpp"
#include "tracker/stats/change_points.hpp"

namespace tracker::stats {
namespace {

constexpr unsigned kRankSeries = 200;
constexpr std::size_t kRankValues = 120;
constexpr std::size_t kRankStep = 70;

// Most values crowd within half a deviation, and one in six lies seven higher: a second speed.
std::vector<double> crowded(unsigned seed, double step) {
  Simulation noise(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < kRankValues; ++i) {
    const double slow = noise.normal(1) > 1 ? 7 : 0;
    values.push_back(100 * std::exp(0.01 * (0.5 * noise.normal(1) + slow + (i < kRankStep ? 0 : step))));
  }
  return values;
}

TEST(Ranks, FindAStepThatASecondSpeedHides) {
  int found = 0;
  int alarms = 0;
  for (unsigned seed = 0; seed < kRankSeries; ++seed) {
    for (const auto& point : find_changes(crowded(seed, 1.5)).points)
      if (point.at + 5 >= kRankStep && point.at <= kRankStep + 5) ++found;
    alarms += find_changes(crowded(seed, 0)).points.empty() ? 0 : 1;
  }
  EXPECT_GE(found, 0.65 * kRankSeries);
  EXPECT_LE(alarms, 0.02 * kRankSeries);
}

TEST(Ranks, OfNoiseShowNone) {
  int alarms = 0;
  for (unsigned seed = 0; seed < kRankSeries; ++seed) {
    Simulation noise(seed);
    std::vector<double> values;
    for (std::size_t i = 0; i < kRankValues; ++i) values.push_back(noise.normal(1));
    alarms += rank_step(values, 0, kRankValues) > 0 ? 1 : 0;
  }
  EXPECT_LE(alarms, 2);
}

TEST(Ranks, TakeManyEqualValuesAndTooFew) {
  EXPECT_EQ(rank_step({}, 0, 1), 0u);
  EXPECT_EQ(rank_step(std::vector<double>(200, 1.0), 0, 200), 0u);
  std::vector<double> two(40, 1.0);
  std::fill(two.begin() + 20, two.end(), 2.0);
  EXPECT_EQ(rank_step(two, 0.1, 40), 20u);
  EXPECT_EQ(rank_step(two, 2, 40), 0u) << "values are known to vary by more";
  EXPECT_EQ(rank_step(std::span(two).subspan(10, 20), 0.1, 20), 0u) << "parts of ten values";
}

}  // namespace
}  // namespace tracker::stats
