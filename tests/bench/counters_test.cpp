#include "bench/kit/counters.hpp"

#include <cstddef>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::kit {
namespace {

TEST(MeanOf, TakesMeansAndKeepsTheCyclesTheirMean) {
  const std::vector<Measured> parts{
      {.mean_s = 1e-6, .clock_mhz = 2000, .retaken_bursts = 1, .power_w = 400},
      {.mean_s = 3e-6, .clock_mhz = 1000, .retaken_bursts = 2, .power_w = 500},
  };
  const Measured all = mean_of(parts);
  EXPECT_DOUBLE_EQ(all.mean_s, 2e-6);
  EXPECT_DOUBLE_EQ(all.clock_mhz.value() * 1e6 * all.mean_s, 2500);  // of 2000 and 3000 cycles
  EXPECT_EQ(all.retaken_bursts, 3);
  EXPECT_EQ(all.power_w, 450);
}

TEST(MeanOf, OneIsItself) {
  const std::vector<Measured> parts{{.mean_s = 7e-6, .clock_mhz = 1980, .retaken_bursts = 0}};
  const Measured all = mean_of(parts);
  EXPECT_DOUBLE_EQ(all.mean_s, 7e-6);
  EXPECT_DOUBLE_EQ(all.clock_mhz.value(), 1980);
  EXPECT_EQ(all.retaken_bursts, 0);
  EXPECT_EQ(all.power_w, std::nullopt);
}

TEST(MeanOf, LeavesOutWhatOneOfThemLacks) {
  const std::vector<Measured> parts{{.mean_s = 1e-6, .clock_mhz = 1980, .power_w = 400}, {.mean_s = 1e-6}};
  const Measured all = mean_of(parts);
  EXPECT_EQ(all.clock_mhz, std::nullopt);
  EXPECT_EQ(all.retaken_bursts, std::nullopt);
  EXPECT_EQ(all.power_w, std::nullopt);
}

TEST(ConditionsOf, AddsUpThrottlingAndTakesTheGreatestOfAllElse) {
  const std::vector<benchmark::UserCounters> parts{
      {{"condition_throttled_s", 0.1}, {"condition_temperature_c", 40}, {"condition_other_processes", 2}},
      {{"condition_throttled_s", 0.2}, {"condition_temperature_c", 41}, {"condition_throttle_power_cap", 1}}};
  const auto all = conditions_of(parts);
  EXPECT_EQ(all.size(), 4u);
  EXPECT_DOUBLE_EQ(all.at("condition_throttled_s"), 0.3);
  EXPECT_EQ(all.at("condition_temperature_c"), 41);
  EXPECT_EQ(all.at("condition_other_processes"), 2);
  EXPECT_EQ(all.at("condition_throttle_power_cap"), 1);
}

}  // namespace
}  // namespace tracker::kit
