#include "tests/changepoints/peers.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/changepoints/made_up.hpp"

namespace tracker::changepoints {
namespace {

// Every rule but the one that says nothing finds a step that nobody can miss, and few in noise.
TEST(Detectors, FindAClearStep) {
  for (const auto& detector : scored_detectors()) {
    auto values = made_up_noise().front().values;
    for (std::size_t i = 60; i < values.size(); ++i) values[i] *= 1.2;
    const auto changes = detector.find(values, {});
    if (detector.name == "says nothing") {
      EXPECT_TRUE(changes.points.empty());
      continue;
    }
    ASSERT_EQ(changes.points.size(), 1u) << detector.name;
    EXPECT_EQ(changes.points[0].at, 60u) << detector.name;
  }
}

TEST(Detectors, FindFewInNoise) {
  for (const auto& detector : scored_detectors()) {
    int alarms = 0;
    for (const auto& series : made_up_noise())
      alarms += detector.find(series.values, {}).points.empty() ? 0 : 1;
    EXPECT_LE(alarms, 6) << detector.name;  // of 50
  }
}

TEST(Detectors, TakeAnySeries) {
  const std::vector<std::vector<double>> series{{}, {1}, {1, 2}, {0, 0, 0, 0, 0}, std::vector<double>(40, 7)};
  for (const auto& detector : scored_detectors())
    for (const auto& values : series) EXPECT_TRUE(detector.find(values, {}).points.empty()) << detector.name;
}

}  // namespace
}  // namespace tracker::changepoints
