// What docs/changepoints.md states of the newest values: a step of five deviations is found within two
// values, and noise makes few alarms, whatever its shape.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "tests/changepoints/made_up.hpp"
#include "tests/changepoints/measures.hpp"
#include "tests/stats/simulate.hpp"

namespace tracker::changepoints {
namespace {

constexpr std::size_t kNewestValues = 8;

TEST(Newest, AStepOfFiveDeviationsIsFoundWithinTwoValues) {
  const Newest seen = newest(stats::detectors().front(), made_up_noise());
  EXPECT_GE(seen.found.at(2).share(), 0.95);
  EXPECT_GE(seen.found.at(3).share(), 0.98);
  EXPECT_LE(seen.alarmed.share(), 0.01);
}

// How many of 300 series of so many values have a change among the newest ones, and two of five deviations
// found in the same ones.
struct Rates {
  int alarmed = 0;
  int found = 0;
};

Rates rates_of(std::size_t count, const std::function<double(stats::Simulation&, double)>& next) {
  constexpr unsigned kSeries = 300;
  Rates rates;
  const auto changed = [&](const std::vector<double>& values) {
    const auto points = stats::find_changes(values).points;
    return !points.empty() && points.back().at + kNewestValues >= count ? 1 : 0;
  };
  for (unsigned seed = 0; seed < kSeries; ++seed) {
    stats::Simulation noise(seed);
    std::vector<double> values;
    double deviation = 0;
    for (std::size_t i = 0; i < count; ++i) {
      deviation = next(noise, deviation);
      values.push_back(100 * std::exp(0.01 * deviation));
    }
    rates.alarmed += changed(values);
    for (std::size_t i = count - 2; i < count; ++i) values[i] *= std::exp(0.05);
    rates.found += changed(values);
  }
  return rates;
}

TEST(Newest, FewAlarmsWhateverTheNoise) {
  const auto heavy_tails = [](stats::Simulation& noise, double) {  // Student's t with three degrees
    const double a = noise.normal(1);
    const double b = noise.normal(1);
    const double c = noise.normal(1);
    return noise.normal(1) / std::sqrt((a * a + b * b + c * c) / 3);
  };
  const auto spikes = [](stats::Simulation& noise, double) {  // one in twenty
    return noise.normal(1) + (noise.normal(1) > 1.645 ? 12 : 0);
  };
  const auto following = [](stats::Simulation& noise, double last) {
    return 0.5 * last + std::sqrt(0.75) * noise.normal(1);
  };
  for (const std::size_t count : {120u, 400u}) {
    EXPECT_LE(rates_of(count, heavy_tails).alarmed, 4) << count;
    EXPECT_GE(rates_of(count, heavy_tails).found, 245) << count;
    EXPECT_LE(rates_of(count, spikes).alarmed, 4) << count;
    EXPECT_LE(rates_of(count, following).alarmed, 5) << count;
    EXPECT_GE(rates_of(count, following).found, 280) << count;
  }
}

// Trends, seasons, prices and counts. Saying nothing has an F1 of .80 and .74, and a covering of .73 and .66.
TEST(PublicKinds, AreToldBetterThanBySilence) {
  const auto detector = stats::detectors().front();
  const Agreement first = agreement(detector, made_up_kinds().series);
  EXPECT_GE(first.f1, 0.94);
  EXPECT_GE(first.covering, 0.94);
  const Agreement second = agreement(detector, made_up_public().series);
  EXPECT_GE(second.f1, 0.9);
  EXPECT_GE(second.covering, 0.9);
}

// Forty values say little of how they follow one another; then a change needs to be larger.
TEST(ShortSeries, MakeFewAlarmsWhereValuesFollowOneAnother) {
  const auto alarms = [](double correlation, bool jobs) {
    constexpr unsigned kSeries = 300;
    constexpr std::size_t kCount = 40;
    int sum = 0;
    for (unsigned seed = 0; seed < kSeries; ++seed) {
      stats::Simulation noise(seed);
      std::vector<double> values;
      double last = noise.normal(1);
      double job = 0;
      for (std::size_t i = 0; i < kCount; ++i) {
        last = correlation * last + std::sqrt(1 - correlation * correlation) * noise.normal(1);
        if (i % 4 == 0) job = noise.normal(2);
        values.push_back(100 * std::exp(0.01 * (last + (jobs ? job : 0))));
      }
      sum += stats::find_changes(values).points.empty() ? 0 : 1;
    }
    return sum;
  };
  EXPECT_LE(alarms(0, false), 3);
  EXPECT_LE(alarms(0.5, false), 12);
  EXPECT_LE(alarms(0.7, false), 30);
  EXPECT_LE(alarms(0, true), 21);
}

}  // namespace
}  // namespace tracker::changepoints
