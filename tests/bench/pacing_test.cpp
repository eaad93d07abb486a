#include "bench/kit/pacing.hpp"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::kit {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Pacing kPacing{.burst = milliseconds{5}, .idle = milliseconds{8}, .retakes_max = 2};

// A device whose bursts have these clocks, one after the other, and up to so many launches of 1 ms at 1000
// MHz.
struct FakeDevice {
  std::vector<std::optional<double>> clocks_mhz;  // the last one stays
  std::int64_t launches_max = 4;
  std::vector<std::int64_t> firsts;
  std::vector<microseconds> idles;

  TakeBurst taker() {
    return [this](std::int64_t first, std::int64_t launches, microseconds idle) {
      const auto clock_mhz = clocks_mhz.at(std::min(firsts.size(), clocks_mhz.size() - 1));
      firsts.push_back(first);
      idles.push_back(idle);
      const std::int64_t taken = std::min(launches, launches_max);
      return Burst{.sum_s = static_cast<double>(taken) / clock_mhz.value_or(1000.0),
                   .launches = taken,
                   .clock_mhz = clock_mhz};
    };
  }
};

TEST(PacingOf, FollowsWhatCarriesOutTheArithmetic) {
  EXPECT_EQ(&pacing_of(devices::Arithmetic::kFp32), &kSteady);
  EXPECT_EQ(&pacing_of(devices::Arithmetic::kTensorBf16), &kBursts);
  EXPECT_EQ(&pacing_of(devices::Arithmetic::kTensorTf32), &kBursts);
  for (const Pacing* pacing : {&kSteady, &kBursts}) {
    EXPECT_FALSE(pacing->name.empty());
    EXPECT_FALSE(pacing->reason.empty());
  }
}

TEST(TakeRepetition, AddsBurstsUntilAllLaunchesAreTimed) {
  FakeDevice device{.clocks_mhz = {1000.0}, .launches_max = 4};
  std::vector<double> clocks_mhz;
  const auto taken = take_repetition(kPacing, 10, clocks_mhz, device.taker());
  EXPECT_THAT(device.firsts, ElementsAre(0, 4, 8));
  EXPECT_THAT(device.idles, ElementsAre(milliseconds{8}, milliseconds{8}, milliseconds{8}));
  EXPECT_DOUBLE_EQ(taken.mean_s, 1e-3);
  EXPECT_DOUBLE_EQ(taken.clock_mhz.value(), 1000);
  EXPECT_EQ(taken.bursts, 3);
  EXPECT_EQ(taken.retaken, 0);
  EXPECT_THAT(clocks_mhz, ElementsAre(1000, 1000, 1000));
}

TEST(TakeRepetition, TakesABurstAtALowerClockAgainAfterMoreIdling) {
  FakeDevice device{.clocks_mhz = {1600.0, 1700.0, 1750.0}, .launches_max = 4};
  std::vector<double> clocks_mhz{1755, 1755, 1755};
  const auto taken = take_repetition(kPacing, 4, clocks_mhz, device.taker());
  EXPECT_THAT(device.firsts, ElementsAre(0, 0, 0));
  EXPECT_THAT(device.idles, ElementsAre(milliseconds{8}, milliseconds{16}, milliseconds{32}));
  EXPECT_EQ(taken.retaken, 2);
  EXPECT_EQ(taken.bursts, 1);
  EXPECT_DOUBLE_EQ(taken.clock_mhz.value(), 1750);
  EXPECT_DOUBLE_EQ(taken.mean_s, 1.0 / 1750);
  EXPECT_THAT(clocks_mhz, ElementsAre(1755, 1755, 1755, 1600, 1700, 1750));
}

TEST(TakeRepetition, TakesABurstAtAHigherClockAgainToo) {
  FakeDevice device{.clocks_mhz = {2002.0, 1941.0}};
  std::vector<double> clocks_mhz{1940, 1942, 1938};
  const auto taken = take_repetition(kPacing, 4, clocks_mhz, device.taker());
  EXPECT_EQ(taken.retaken, 1);
  EXPECT_DOUBLE_EQ(taken.clock_mhz.value(), 1941);
}

TEST(TakeRepetition, RetakesAreBoundedForTheWholeRepetition) {
  FakeDevice device{.clocks_mhz = {1500.0}, .launches_max = 2};
  std::vector<double> clocks_mhz(20, 1755.0);
  const auto taken = take_repetition(kPacing, 6, clocks_mhz, device.taker());
  EXPECT_EQ(taken.retaken, 2);
  EXPECT_EQ(taken.bursts, 3);
  EXPECT_THAT(device.firsts, ElementsAre(0, 0, 0, 2, 4));
}

TEST(TakeRepetition, KeepsTheTakeNearestToTheMedian) {
  FakeDevice device{.clocks_mhz = {1700.0, 1600.0, 1650.0}};
  std::vector<double> clocks_mhz(20, 1755.0);
  const auto taken = take_repetition(kPacing, 4, clocks_mhz, device.taker());
  EXPECT_DOUBLE_EQ(taken.clock_mhz.value(), 1700);
}

// The first burst of a process has nothing to be compared with; it must not decide over all others.
TEST(TakeRepetition, RecoversFromALowFirstBurst) {
  FakeDevice device{.clocks_mhz = {1700.0, 1750.0, 1751.0, 1749.0}, .launches_max = 2};
  std::vector<double> clocks_mhz;
  const auto taken = take_repetition(kPacing, 6, clocks_mhz, device.taker());
  EXPECT_THAT(device.firsts, ElementsAre(0, 2, 4));
  EXPECT_EQ(taken.retaken, 0);
}

TEST(TakeRepetition, RecoversFromAHighFirstBurst) {
  FakeDevice device{.clocks_mhz = {2002.0, 1940.0, 1941.0, 1939.0}, .launches_max = 2};
  std::vector<double> clocks_mhz;
  const auto taken = take_repetition(kPacing, 6, clocks_mhz, device.taker());
  EXPECT_THAT(device.firsts, ElementsAre(0, 2, 2, 4));
  EXPECT_EQ(taken.retaken, 1);
}

TEST(TakeRepetition, WithoutAClockNothingIsTakenAgain) {
  FakeDevice device{.clocks_mhz = {std::nullopt}};
  std::vector<double> clocks_mhz;
  const auto taken = take_repetition(kPacing, 8, clocks_mhz, device.taker());
  EXPECT_EQ(taken.retaken, 0);
  EXPECT_FALSE(taken.clock_mhz);
  EXPECT_THAT(clocks_mhz, IsEmpty());
  EXPECT_DOUBLE_EQ(taken.mean_s, 1e-3);
}

TEST(TakeRepetition, SteadyLaunchesAreNeverTakenAgain) {
  FakeDevice device{.clocks_mhz = {1500.0}, .launches_max = 100};
  std::vector<double> clocks_mhz(20, 1980.0);
  const auto taken = take_repetition(kSteady, 50, clocks_mhz, device.taker());
  EXPECT_EQ(taken.bursts, 1);
  EXPECT_EQ(taken.retaken, 0);
  EXPECT_THAT(device.idles, ElementsAre(microseconds{0}));
}

TEST(TakeRepetition, NoLaunchesTakeNoBurst) {
  FakeDevice device{.clocks_mhz = {1500.0}};
  std::vector<double> clocks_mhz;
  EXPECT_EQ(take_repetition(kPacing, 0, clocks_mhz, device.taker()).bursts, 0);
  EXPECT_THAT(device.firsts, IsEmpty());
}

TEST(IsSameClock, WithinLessThanAStep) {
  EXPECT_TRUE(is_same_clock(1750, 1756));   // what bursts of one kernel differ by
  EXPECT_FALSE(is_same_clock(1740, 1756));  // 15 MHz
  EXPECT_FALSE(is_same_clock(1771, 1756));
}

TEST(BurstIsOver, AShortRestJoinsTheBurst) {
  EXPECT_FALSE(burst_is_over(0.0049, 50, 50, milliseconds{5}));
  EXPECT_TRUE(burst_is_over(0.0050, 50, 50, milliseconds{5}));
  EXPECT_FALSE(burst_is_over(0.0050, 115, 1, milliseconds{5}));
  EXPECT_TRUE(burst_is_over(0.0050, 40, 10, milliseconds{5}));
  EXPECT_FALSE(burst_is_over(0.0050, 41, 10, milliseconds{5}));
  EXPECT_FALSE(burst_is_over(1.0, 40, 10, microseconds{0}));  // no bound
}

TEST(LaunchesPerBurst, AreEqualParts) {
  EXPECT_EQ(launches_per_burst(192, 10e-6, milliseconds{5}), 192);
  EXPECT_EQ(launches_per_burst(15, 0.0015, milliseconds{5}), 3);  // 22.5 ms: five bursts
  EXPECT_EQ(launches_per_burst(4, 0.0124, milliseconds{5}), 1);   // longer than a burst
  EXPECT_EQ(launches_per_burst(4, 0, milliseconds{5}), 4);
  EXPECT_EQ(launches_per_burst(4, 1, microseconds{0}), 4);
}

}  // namespace
}  // namespace tracker::kit
