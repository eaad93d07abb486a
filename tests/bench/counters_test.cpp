#include "bench/kit/counters.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::kit {
namespace {

using devices::Arithmetic;
using ::testing::HasSubstr;

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

constexpr double kNotFinite = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ResultCheck, WhatIsExactMayHaveNoWrongElement) {
  EXPECT_FALSE(wrong_result(exact_error(0, 1000)));
  EXPECT_FALSE(wrong_result(exact_error(0, 0)));
  EXPECT_EQ(wrong_result(exact_error(5, 1000)),
            "wrong result: 0.5 % of its elements differ from the reference");
  EXPECT_TRUE(wrong_result(exact_error(1, 1e9)));
}

TEST(ResultCheck, ProductsMayBeOffByWhatTheirArithmeticRounds) {
  EXPECT_FALSE(wrong_result(product_error(9e-6, 1, Arithmetic::kFp32)));
  EXPECT_TRUE(wrong_result(product_error(9e-3, 1, Arithmetic::kFp32)));
  EXPECT_FALSE(wrong_result(product_error(0.01 * 50, 50, Arithmetic::kTensorBf16)));
  EXPECT_FALSE(wrong_result(product_error(0.01, 1, Arithmetic::kTensorTf32)));
  EXPECT_EQ(wrong_result(product_error(0.47 * 50, 50, Arithmetic::kTensorBf16)),
            "wrong result: off by 0.47 of its root mean square, and rounding explains 0.03");
}

TEST(ResultCheck, WhatIsNotANumberIsWrong) {
  for (const double wrong : {kNotFinite, kNaN}) {
    EXPECT_THAT(wrong_result(product_error(wrong, 1, Arithmetic::kTensorBf16)).value_or(""),
                HasSubstr("not written, or not finite"));
    EXPECT_TRUE(wrong_result(product_error(0, wrong, Arithmetic::kFp32)));
    EXPECT_TRUE(wrong_result({.error = wrong, .bound = 0.03}));
  }
}

TEST(ResultCheck, AReferenceOfZerosTakesZerosAlone) {
  EXPECT_FALSE(wrong_result(product_error(0, 0, Arithmetic::kFp32)));
  EXPECT_TRUE(wrong_result(product_error(1e-9, 0, Arithmetic::kFp32)));
}

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
