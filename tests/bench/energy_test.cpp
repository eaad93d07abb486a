#include <array>

#include <gtest/gtest.h>

#include "bench/kit/counters.hpp"

namespace tracker::kit {
namespace {

// A counter that moves every 100 ms, read every 20 ms while 600 W are drawn.
std::vector<EnergyReading> readings_of(double seconds) {
  std::vector<EnergyReading> readings;
  for (int i = 0; i * 20 < static_cast<int>(seconds * 1000); ++i) {
    const int steps = (i * 20 + 30) / 100;
    readings.push_back({i * 0.02, 1000 + 60.0 * steps});
  }
  return readings;
}

TEST(MeanPower, IsThatBetweenTheFirstAndTheLastStep) {
  EXPECT_NEAR(mean_power_w(readings_of(1.0)).value(), 600, 1e-9);
}

TEST(MeanPower, IsUnknownWithFewSteps) {
  EXPECT_FALSE(mean_power_w(readings_of(0.5)));
  EXPECT_FALSE(mean_power_w(readings_of(0.01)));
  EXPECT_FALSE(mean_power_w({}));
  constexpr std::array<EnergyReading, 3> kStill{{{0, 5}, {1, 5}, {2, 5}}};
  EXPECT_FALSE(mean_power_w(kStill));
}

TEST(EnergyWatch, SaysNothingWithoutACounter) {
  EnergyWatch watch([] { return std::optional<double>{}; });
  EXPECT_FALSE(watch.mean_power_w());
}

}  // namespace
}  // namespace tracker::kit
