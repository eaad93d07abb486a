// Whose noise a benchmark is believed to have, on numbers that can be checked by hand.
#include "tracker/judge/shared_noise.hpp"

#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace tracker::judge {
namespace {

constexpr double kUsual = stats::kUsualDegreesMax;

SharedNoise share(const NoiseShown& one) {
  return SharedNoise(std::vector<NoiseShown>{one});
}

TEST(SharedNoise, OfOneBenchmarkIsItsOwn) {
  const SharedNoise shared = share({{0.04, 4}, {}});
  EXPECT_EQ(shared.of(0).value, 0.04);
  EXPECT_EQ(shared.of(0).degrees, 4);
}

// Nobody else says whether today is like the past: all its degrees make the value, and few of them count
// besides today's.
TEST(SharedNoise, ThePastOfASingleOneAddsFewDegrees) {
  const SharedNoise shared = share({{0.02, 4}, {0.04, 16}});
  EXPECT_DOUBLE_EQ(shared.of(0).value, (4 * 0.02 + 16 * 0.04) / 20);
  EXPECT_EQ(shared.of(0).degrees, 4.8);
  EXPECT_EQ(share({{0.04, 4}, {0.04, 16}}).of(0).value, 0.04);
  EXPECT_EQ(share({{0.028, 4}, {0.02, 16}}).of(0).value, 0.028) << "a quiet past makes no noise look smaller";
  EXPECT_EQ(share({{0.02, 2}, {0.04, 16}}).of(0).degrees, 2.6) << "three pairs";
  EXPECT_EQ(share({{0.02, 1}, {0.04, 16}}).of(0).degrees, 1) << "two show nothing of today";
  EXPECT_EQ(share({{0.02, 16}, {0.04, 16}}).of(0).degrees, 16.25);
}

// The upper quarter of F with 4 and 20 degrees begins at 1.47.
TEST(SharedNoise, LouderThanItsPastIsItsOwn) {
  EXPECT_EQ(share({{0.0146, 4}, {0.01, 20}}).of(0).degrees, 4.8);
  EXPECT_EQ(share({{0.0148, 4}, {0.01, 20}}).of(0).degrees, 4);
  EXPECT_EQ(share({{0.0001, 4}, {0.01, 20}}).of(0).degrees, 4.8) << "quieter may be chance";
}

// So many benchmarks that show today what their past showed, times that.
SharedNoise as_before(std::size_t count, double times = 1) {
  return SharedNoise(std::vector<NoiseShown>(count, NoiseShown{{0.01 * times, 4}, {0.01, 20}}));
}

// Twenty whose pairs all move together have shown one moment of the machine, and not twenty.
TEST(SharedNoise, OfBenchmarksThatMoveTogetherIsOneOfThem) {
  const std::map<int, double> together{{1, 0.1}, {2, -0.05}, {3, 0.02}, {4, -0.1}, {5, 0.03}};
  std::vector<NoiseShown> alike(20, NoiseShown{{0.01, 4}, {0.01, 20}});
  std::vector<NoiseShown> copies = alike;
  for (auto& one : copies) one.deviations = together;
  EXPECT_GT(SharedNoise(alike).of(0).degrees, 15);
  EXPECT_EQ(SharedNoise(copies).of(0).degrees, 4.8) << "as of a single one";
}

// The fewer they are, the less do they say of how they scatter.
TEST(SharedNoise, ThePastCountsAsWellAsTheOthersTellThatItHolds) {
  double last = 4;
  for (const std::size_t count : {2, 4, 8, 20}) {
    const double degrees = as_before(count).of(0).degrees;
    EXPECT_GT(degrees, last + 0.5) << count << " benchmarks";
    last = degrees;
  }
}

// What twenty benchmarks show today, each so many times what its past showed.
SharedNoise shared_past(const std::vector<double>& ratios) {
  std::vector<NoiseShown> shown;
  for (int i = 0; i < 20; ++i) {
    const double past = 0.01 * std::exp(i);
    shown.push_back({{past * ratios[static_cast<std::size_t>(i) % ratios.size()], 4}, {past, 400}});
  }
  return SharedNoise(shown);
}

TEST(SharedNoise, APastThatHoldsForAllCountsAsManyObservations) {
  const SharedNoise shared = shared_past({1});
  EXPECT_GT(shared.of(0).degrees, 14);
  EXPECT_LE(shared.of(0).degrees, 24);
  EXPECT_LT(shared_past({0.2, 1, 3}).of(0).degrees, shared.of(0).degrees) << "it holds less well";
}

TEST(SharedNoise, APastThatAllAreLouderThanIsScaled) {
  const SharedNoise as_before = shared_past({1});
  const SharedNoise doubled = shared_past({4});
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(doubled.of(i).value / as_before.of(i).value, 4, 1e-9) << i;
    EXPECT_NEAR(doubled.of(i).degrees, as_before.of(i).degrees, 1e-9) << i;
  }
}

TEST(SharedNoise, APastThatHoldsForFewTalksNobodyDown) {
  const std::vector<double> ratios{0.02, 0.2, 1, 5};
  const SharedNoise shared = shared_past(ratios);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_GE(shared.of(i).value, 0.01 * std::exp(static_cast<double>(i)) * ratios[i % 4] * (1 - 1e-9)) << i;
}

// Its past knows a benchmark's noise from the others' already, so that the two do not add up.
TEST(SharedNoise, OthersSayNoMoreThanWhatThePastLeavesOpen) {
  std::vector<NoiseShown> shown(20, NoiseShown{{0.04, 4}, {}});
  const double alone = SharedNoise(shown).of(0).degrees;
  EXPECT_GT(alone, 4 + 5);
  EXPECT_LE(alone, 4 + kUsual);
  shown[0].past = {0.04, 3};
  shown[1].past = {0.04, 20};
  const SharedNoise shared(shown);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(shared.of(i).degrees, alone, 0.5) << i;
}

// Deviations of 0.1 % and, for so many of them, 4 %.
std::vector<NoiseShown> suite(int quiet, int loud) {
  std::vector<NoiseShown> shown;
  for (int i = 0; i < quiet; ++i) shown.push_back({{1e-6, 4}, {}});
  for (int i = 0; i < loud; ++i) shown.push_back({{16e-4, 4}, {}});
  return shown;
}

Suspicion pairs(int count, double change) {
  return {.change = change, .paired = true, .base_invocations = count, .candidate_invocations = count};
}

// At five pairs one report in a thousand has a benchmark in one mode and then in the other, for each that has
// two: 7 · 4⁻⁵ is less than three quarters of 1 %, 8 · 4⁻⁵ is more.
TEST(HiddenModes, AreFearedWhereEnoughBenchmarksMoveAsFar) {
  EXPECT_FALSE(SharedNoise(suite(20, 7)).hidden_modes(0, pairs(5, 0.05)));
  const auto hidden = SharedNoise(suite(20, 8)).hidden_modes(0, pairs(5, 0.05));
  ASSERT_TRUE(hidden);
  EXPECT_EQ(hidden->peers, 8);
  EXPECT_EQ(hidden->more, 1);
  EXPECT_NEAR(hidden->noise.value, (4 * 1e-6 + kUsual * 16e-4) / (4 + kUsual), 1e-9);
  EXPECT_FALSE(SharedNoise(suite(20, 8)).hidden_modes(0, pairs(6, 0.05)));
}

TEST(HiddenModes, OfPeersThatMoveLessAreNoReason) {
  EXPECT_TRUE(SharedNoise(suite(20, 8)).hidden_modes(0, pairs(5, 0.09)));
  EXPECT_FALSE(SharedNoise(suite(20, 8)).hidden_modes(0, pairs(5, 0.11)));
}

TEST(HiddenModes, ABenchmarkIsNotItsOwnPeer) {
  auto shown = suite(20, 8);
  EXPECT_FALSE(SharedNoise(shown).hidden_modes(20, pairs(5, 0.05)));
}

// 4⁻³ is more than 1 %: nobody else needs to move.
TEST(HiddenModes, AreFearedBelowFourPairsInAnyCase) {
  const SharedNoise alone(suite(1, 0));
  const auto hidden = alone.hidden_modes(0, pairs(3, 0.05));
  ASSERT_TRUE(hidden);
  EXPECT_EQ(hidden->peers, 0);
  EXPECT_EQ(hidden->more, 1);
  EXPECT_NEAR(hidden->noise.value, (4 * 1e-6 + kUsual * 0.05 * 0.05 / 2) / (4 + kUsual), 1e-9);
  EXPECT_FALSE(alone.hidden_modes(0, pairs(4, 0.05)));
}

// One comparison is wrong in at most one of a thousand cases: 4⁻⁵ is less, 4⁻⁴ is more.
TEST(HiddenModes, OfAFewComparisonsAreFearedSooner) {
  const SharedNoise alone(suite(1, 0));
  for (const auto& [comparisons, count, feared] :
       {std::tuple{1.0, 4, true}, {1.0, 5, false}, {3.0, 4, true}, {4.0, 4, false}}) {
    Suspicion suspicion = pairs(count, 0.05);
    suspicion.comparisons = comparisons;
    EXPECT_EQ(alone.hidden_modes(0, suspicion).has_value(), feared) << comparisons << ", " << count;
  }
}

TEST(HiddenModes, AShareOfTheErrorIsUsedUpSooner) {
  Suspicion suspicion = pairs(5, 0.05);
  suspicion.error = 0.0025;
  const auto hidden = SharedNoise(suite(20, 2)).hidden_modes(0, suspicion);
  ASSERT_TRUE(hidden);
  EXPECT_EQ(hidden->more, 1);
}

// One pair of six that lies where the other mode would be: 6 · 3 · 4⁻⁶ is more than a quarter of 1 %.
TEST(HiddenModes, AreFearedWhereTheOtherModeWasLeftOut) {
  Suspicion suspicion = pairs(5, 0.05);
  EXPECT_FALSE(SharedNoise(suite(20, 0)).hidden_modes(0, suspicion));
  suspicion.base_outliers = suspicion.candidate_outliers = 1;
  const auto hidden = SharedNoise(suite(20, 0)).hidden_modes(0, suspicion);
  ASSERT_TRUE(hidden);
  EXPECT_EQ(hidden->more, 1);
  EXPECT_DOUBLE_EQ(hidden->noise.value, 0.05 * 0.05 / 2);
}

// A change that looks like none: 4⁻⁴ is more than one in a thousand, 4⁻⁵ is less, whatever the others do.
TEST(HiddenChange, IsFearedBelowFivePairs) {
  const SharedNoise shared(suite(12, 8));
  for (const auto& [count, more] : {std::pair{2, 3}, {3, 2}, {4, 1}})
    EXPECT_EQ(shared.more_to_rule_out_hiding(0, pairs(count, 0.05)), more) << count;
  EXPECT_FALSE(shared.more_to_rule_out_hiding(0, pairs(5, 0.05)));
}

TEST(HiddenChange, IsFearedWhereTheOtherModeWasLeftOut) {
  Suspicion suspicion = pairs(5, 0.05);
  suspicion.base_outliers = suspicion.candidate_outliers = 1;
  EXPECT_EQ(SharedNoise(suite(20, 0)).more_to_rule_out_hiding(0, suspicion), 2);
}

// The past counts by its invocations, and where it deviates by less than a quarter of the distance.
TEST(HiddenChange, IsRuledOutByAQuietPast) {
  auto shown = suite(20, 0);
  for (auto& one : shown) one.past = {1e-6, 14.5};
  shown[0].past_invocations = 21.8;
  shown[1].past_invocations = 4;
  const SharedNoise shared(shown);
  EXPECT_FALSE(shared.more_to_rule_out_hiding(0, pairs(2, 0.0041)));
  EXPECT_TRUE(shared.more_to_rule_out_hiding(0, pairs(2, 0.0039)));
  EXPECT_TRUE(shared.more_to_rule_out_hiding(1, pairs(2, 0.0041)));
}

TEST(HiddenModes, ALoudPastRulesNothingOut) {
  std::vector<NoiseShown> shown(6, NoiseShown{{1e-6, 2}, {16e-4, 40}});
  const auto hidden = SharedNoise(shown).hidden_modes(0, pairs(3, 0.05));
  ASSERT_TRUE(hidden);
}

TEST(HiddenModes, AQuietPastRulesThemOut) {
  auto shown = suite(20, 8);
  shown[0].past = {1e-6, 10};
  EXPECT_FALSE(SharedNoise(shown).hidden_modes(0, pairs(5, 0.05)));
  shown[0].past = {1e-8, 10};  // so quiet that the benchmark is not what it was
  EXPECT_TRUE(SharedNoise(shown).hidden_modes(0, pairs(5, 0.05)));
}

}  // namespace
}  // namespace tracker::judge
