#include "bench/kit/contexts.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::kit {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

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

std::vector<double> times_us(std::span<const Outcome> outcomes) {
  std::vector<double> times;
  for (const Outcome& outcome : outcomes) times.push_back(outcome.measured.mean_s * 1e6);
  return times;
}

Outcome of_time(double time_us) {
  return {.measured = {.mean_s = time_us * 1e-6}};
}

TEST(CallsOfASearch, GathersTheCallsAfterTheFirst) {
  const int origin = 0;
  CallsOfASearch calls;
  EXPECT_THAT(times_us(calls.add(&origin, 1, of_time(10))), ElementsAre(DoubleEq(10)));
  EXPECT_THAT(times_us(calls.add(&origin, 10, of_time(11))), ElementsAre(DoubleEq(11)));
  EXPECT_THAT(times_us(calls.add(&origin, 100, of_time(9))), ElementsAre(DoubleEq(11), DoubleEq(9)));
  EXPECT_THAT(times_us(calls.add(&origin, 140, of_time(10))),
              ElementsAre(DoubleEq(11), DoubleEq(9), DoubleEq(10)));
  // The next repetition, and the next benchmark.
  EXPECT_THAT(times_us(calls.add(&origin, 140, of_time(12))), ElementsAre(DoubleEq(12)));
  EXPECT_THAT(times_us(calls.add(&origin, 1, of_time(20))), ElementsAre(DoubleEq(20)));
}

TEST(CallsOfASearch, KeepsOtherBenchmarksApart) {
  const int origin = 0;
  const int other = 0;
  CallsOfASearch calls;
  calls.add(&origin, 1, of_time(10));
  calls.add(&origin, 1000, of_time(10));
  EXPECT_THAT(times_us(calls.add(&other, 10000, of_time(10))), ElementsAre(DoubleEq(10)));
  calls.add(&origin, 1, of_time(10));
  calls.add(&origin, 1000, of_time(10));
  // A repetition of a benchmark of the same code that takes a tenth of the time.
  EXPECT_THAT(times_us(calls.add(&origin, 10000, of_time(1))), ElementsAre(DoubleEq(1)));
  // Fixed iterations, in repetitions.
  EXPECT_THAT(times_us(calls.add(&origin, 50, of_time(1))), ElementsAre(DoubleEq(1)));
  EXPECT_THAT(times_us(calls.add(&origin, 50, of_time(2))), ElementsAre(DoubleEq(2)));
}

TEST(CallsOfASearch, ReportsAnErrorAlone) {
  const int origin = 0;
  CallsOfASearch calls;
  calls.add(&origin, 1, of_time(10));
  calls.add(&origin, 10, of_time(10));
  const auto failed = calls.add(&origin, 100, {.error = "launching"});
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed.front().error, "launching");
  EXPECT_EQ(calls.add(nullptr, 1000, of_time(10)).size(), 1U);
}

TEST(SpreadOf, IsNothingOfNoTime) {
  EXPECT_EQ(spread_of(contexts_of({0, 0, 1})), 0);
}

TEST(StandardError, IsThatOfTheMeanAsAShareOfIt) {
  // The deviation is 1, and the error 1 / √3.
  EXPECT_NEAR(standard_error(std::vector<double>{99, 100, 101}), 1 / std::sqrt(3.0) / 100, 1e-12);
  EXPECT_NEAR(standard_error(std::vector<double>{100, 104}), 2.0 / 102, 1e-12);
  EXPECT_EQ(standard_error(std::vector<double>{7, 7, 7}), 0);
}

TEST(StandardError, IsUnknownOfOneValue) {
  EXPECT_EQ(standard_error(std::vector<double>{100}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(standard_error({}), std::numeric_limits<double>::infinity());
}

// 99, 99, 100, 101, 101 after winsorizing: a deviation of 1, and 1 · √5 / 3.
TEST(StandardError, OfFiveValuesTakesTheOuterOnesForAsFarOutAsTheOthers) {
  const double expected = std::sqrt(5.0) / 3 / 100;
  EXPECT_NEAR(standard_error(std::vector<double>{100, 113, 101, 99, 50}), expected, 1e-12);
}

TEST(TrimmedAtEachEnd, IsAFifth) {
  EXPECT_EQ(trimmed_at_each_end(3), 0u);
  EXPECT_EQ(trimmed_at_each_end(4), 0u);
  EXPECT_EQ(trimmed_at_each_end(5), 1u);
  EXPECT_EQ(trimmed_at_each_end(12), 2u);
}

TEST(ContextsSuffice, WhereTheStandardErrorIsSmall) {
  EXPECT_TRUE(contexts_suffice(contexts_of({100, 100.4, 99.6})));   // 0.23 %
  EXPECT_FALSE(contexts_suffice(contexts_of({100, 100.5, 99.5})));  // 0.29 %
  EXPECT_FALSE(contexts_suffice(contexts_of({6.84, 7.70, 6.85})));
}

// One that lies far off no longer counts once there are five.
TEST(ContextsSuffice, WithOneFarOffFromFiveOn) {
  EXPECT_FALSE(contexts_suffice(contexts_of({100, 113, 100.1, 99.9})));
  EXPECT_TRUE(contexts_suffice(contexts_of({100, 113, 100.1, 99.9, 100})));
}

std::vector<Outcome> with_clocks(std::vector<Outcome> contexts, const std::vector<double>& clocks_mhz) {
  for (std::size_t i = 0; i < contexts.size(); ++i) contexts[i].measured.clock_mhz = clocks_mhz.at(i);
  return contexts;
}

// A step of the clock of 15 MHz: the time follows it, and the cycles are the same.
TEST(ContextsSuffice, WhereCyclesAgreeAndTheClockDiffers) {
  const auto contexts = contexts_of({100, 100.77, 100});
  EXPECT_FALSE(contexts_suffice(contexts));
  EXPECT_TRUE(contexts_suffice(with_clocks(contexts, {1978, 1963, 1978})));
  EXPECT_FALSE(contexts_suffice(with_clocks(contexts, {1978, 1978, 1978})));
}

// Tensor products follow it in part: half of 1.54 % is within the error, and all of it is too much.
TEST(ContextsSuffice, WhereTimesFollowTheClockInPart) {
  const auto contexts = contexts_of({100, 100.77, 100});
  EXPECT_TRUE(contexts_suffice(with_clocks(contexts, {1978, 1978 / 1.0154, 1978})));
  EXPECT_FALSE(contexts_suffice(with_clocks(contexts, {1978, 1978 * 1.0154, 1978})));
}

TEST(ContextsSuffice, NotWhereAClockDiffersByMoreThanTwoPerCent) {
  const auto slower = contexts_of({100, 102.1, 100});
  EXPECT_FALSE(contexts_suffice(with_clocks(slower, {1980, 1980 / 1.021, 1980})));
}

TEST(ContextsSuffice, ByTimesAloneWhereAClockIsUnknown) {
  auto contexts = with_clocks(contexts_of({100, 100.77, 100}), {1978, 1963, 1978});
  contexts[1].measured.clock_mhz.reset();
  EXPECT_FALSE(contexts_suffice(contexts));
}

// Nothing is known of its error, and one is what was asked for.
TEST(ContextsSuffice, WhereThereIsOneOnly) {
  EXPECT_TRUE(contexts_suffice(contexts_of({100})));
  EXPECT_TRUE(contexts_suffice({}));
}

// The error is what is reported, and no context more would change that.
TEST(ContextsSuffice, WhereOneHasAnError) {
  auto contexts = contexts_of({100, 150, 100});
  contexts[2] = {.error = "launching the kernel: out of memory"};
  EXPECT_TRUE(contexts_suffice(contexts));
}

TEST(RepetitionOf, IsTheMeanOfFewContexts) {
  const Outcome all = repetition_of(contexts_of({100, 101, 102}), 0);
  EXPECT_DOUBLE_EQ(all.measured.mean_s, 101e-6);
  EXPECT_EQ(all.measured.retaken_contexts, 0);
  EXPECT_DOUBLE_EQ(repetition_of(contexts_of({100, 104, 102, 102}), 1).measured.mean_s, 102e-6);
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

TEST(RepetitionOf, LeavesOutTwoAtEachEndOfTen) {
  const Outcome all = repetition_of(contexts_of({100, 101, 102, 103, 104, 105, 1, 2, 300, 400}), 7);
  EXPECT_DOUBLE_EQ(all.measured.mean_s, 102.5e-6);
  EXPECT_EQ(all.measured.retaken_contexts, 7);
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
}  // namespace tracker::kit
