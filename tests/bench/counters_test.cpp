#include "bench/counters.hpp"

#include <cstddef>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bench {
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

std::vector<Outcome> contexts_of(const std::vector<double>& times_us) {
  std::vector<Outcome> contexts;
  for (const double time_us : times_us) contexts.push_back({.measured = {.mean_s = time_us * 1e-6}});
  return contexts;
}

TEST(SpreadOf, IsThatOfTheLargestAndTheSmallestOverTheMedian) {
  EXPECT_DOUBLE_EQ(spread_of(contexts_of({104, 100, 101})), 4.0 / 101);
  EXPECT_DOUBLE_EQ(spread_of(contexts_of({100, 104})), 4.0 / 102);
  EXPECT_EQ(spread_of(contexts_of({100, 100, 100})), 0);
  EXPECT_EQ(spread_of(contexts_of({100})), 0);
  EXPECT_EQ(spread_of({}), 0);
}

TEST(SpreadOf, IsNothingOfNoTime) {
  EXPECT_EQ(spread_of(contexts_of({0, 0, 1})), 0);
}

TEST(ContextsAgree, UpToTwoPerCent) {
  EXPECT_TRUE(contexts_agree(contexts_of({100, 101.9, 100})));
  EXPECT_FALSE(contexts_agree(contexts_of({100, 102.1, 100})));
  EXPECT_FALSE(contexts_agree(contexts_of({6.84, 7.70, 6.85})));
  EXPECT_TRUE(contexts_agree(contexts_of({100})));
}

// The error is what is reported, and no context more would change that.
TEST(ContextsAgree, WhereOneHasAnError) {
  auto contexts = contexts_of({100, 150, 100});
  contexts[2] = {.error = "launching the kernel: out of memory"};
  EXPECT_TRUE(contexts_agree(contexts));
}

TEST(RepetitionOf, IsTheMeanWhereContextsAgree) {
  const Outcome all = repetition_of(contexts_of({100, 101, 102}), 0);
  EXPECT_DOUBLE_EQ(all.measured.mean_s, 101e-6);
  EXPECT_EQ(all.measured.retaken_contexts, 0);
}

TEST(RepetitionOf, LeavesOutTheFastestAndTheSlowestOfFive) {
  const Outcome all = repetition_of(contexts_of({100, 113, 101, 99, 102}), 2);
  EXPECT_DOUBLE_EQ(all.measured.mean_s, 101e-6);
  EXPECT_EQ(all.measured.retaken_contexts, 2);
}

// Also where both lie on one side: neither is chosen by how far it is off.
TEST(RepetitionOf, LeavesOutOneAtEachEnd) {
  EXPECT_DOUBLE_EQ(repetition_of(contexts_of({100, 110, 120, 101, 99}), 2).measured.mean_s, 311e-6 / 3);
  EXPECT_DOUBLE_EQ(repetition_of(contexts_of({100, 100, 100, 110, 110}), 2).measured.mean_s, 310e-6 / 3);
}

TEST(RepetitionOf, LeavesOutAsManyAsWereMeasuredAgain) {
  EXPECT_DOUBLE_EQ(repetition_of(contexts_of({100, 104, 102, 101}), 2).measured.mean_s, 101.5e-6);
}

TEST(RepetitionOf, OneContextSaysNothingOfOthers) {
  const Outcome all = repetition_of(contexts_of({100}), 0);
  EXPECT_DOUBLE_EQ(all.measured.mean_s, 100e-6);
  EXPECT_EQ(all.measured.retaken_contexts, std::nullopt);
}

// Everything of the contexts whose times count, and nothing of the others.
TEST(RepetitionOf, TakesClocksConditionsAndOverheadsOfThoseThatCount) {
  std::vector<Outcome> contexts;
  const auto add = [&](double time_us, double clock_mhz, double throttled_s, double overhead_us) {
    contexts.push_back({.measured = {.mean_s = time_us * 1e-6, .clock_mhz = clock_mhz, .retaken_bursts = 1},
                        .conditions = {{"condition_throttled_s", throttled_s}},
                        .overhead_s = overhead_us * 1e-6});
  };
  add(100, 1980, 0.1, 2.8);
  add(113, 1000, 0.2, 9);
  add(100, 1950, 0.3, 2.9);
  add(99, 2500, 0.4, 1);
  add(100, 1950, 0.5, 3.0);
  const Outcome all = repetition_of(contexts, 2);
  EXPECT_DOUBLE_EQ(all.measured.mean_s, 100e-6);
  EXPECT_DOUBLE_EQ(all.measured.clock_mhz.value(), 1960);
  EXPECT_EQ(all.measured.retaken_bursts, 3);
  EXPECT_DOUBLE_EQ(all.conditions.at("condition_throttled_s"), 0.9);
  EXPECT_DOUBLE_EQ(all.overhead_s.value(), 2.9e-6);
}

TEST(RepetitionOf, HasAClockWhereAllThatCountHaveOne) {
  auto contexts = contexts_of({100, 113, 101, 99, 102});
  for (const std::size_t counted : {0u, 2u, 4u}) contexts[counted].measured.clock_mhz = 1980;
  EXPECT_DOUBLE_EQ(repetition_of(contexts, 2).measured.clock_mhz.value(), 1980);
  contexts[2].measured.clock_mhz.reset();
  EXPECT_EQ(repetition_of(contexts, 2).measured.clock_mhz, std::nullopt);
}

// Also of a further context: a kernel that fails once has failed.
TEST(RepetitionOf, IsTheFirstErrorOfAny) {
  auto contexts = contexts_of({100, 110, 100, 100, 100});
  contexts[3].error = "running the kernel: an illegal memory access";
  contexts[4].error = "a later one";
  const Outcome all = repetition_of(contexts, 2);
  EXPECT_EQ(all.error, "running the kernel: an illegal memory access");
}

}  // namespace
}  // namespace bench
