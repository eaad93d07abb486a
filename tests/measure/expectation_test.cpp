#include "tracker/measure/expectation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

TEST(Expectation, CountsWhatTheListAndTheArgumentsSay) {
  const auto plain = expect_time({"a", "b/8"}, {}, 5);
  EXPECT_EQ(plain.benchmarks, 2u);
  EXPECT_DOUBLE_EQ(plain.seconds, 2 * 0.5 * (5 * 1.4 + 0.3));
  EXPECT_DOUBLE_EQ(expect_time({"a"}, {"--benchmark_min_time=0.1s"}, 1).seconds, 0.1 * 1.7);
  EXPECT_DOUBLE_EQ(expect_time({"a/min_time:2.000/repeats:3"}, {"--benchmark_min_time=0.1"}, 9).seconds,
                   2 * (3 * 1.4 + 0.3));
}

// What lies between their launches is in none of their times.
TEST(Expectation, ManualTimeTakesLongerThanItSays) {
  const auto manual = expect_time({"a/manual_time", "b"}, {}, 1);
  EXPECT_EQ(manual.manual, 1u);
  EXPECT_DOUBLE_EQ(manual.seconds, 0.5 * 1.7 * 1.7 + 0.5 * 1.7);
  EXPECT_THAT(expectation_in_words(manual, 1, 5, 1),
              testing::HasSubstr("; the first one shows how much longer"));
  EXPECT_EQ(learned_in_words(51, 89, 255),
            "the first invocation took 1 min 29 s, not 51 s: about 7 min 25 s in all");
  EXPECT_EQ(learned_in_words(51, 60, 255), "") << "near enough";
  EXPECT_EQ(learned_in_words(1, 3, 5), "") << "seconds are no matter";
  EXPECT_EQ(learned_in_words(0, 89, 0), "") << "nothing was said";
}

TEST(Expectation, WallTimeThatIsAMultipleOfTheMeasuredOneIsWorthFewerRounds) {
  EXPECT_EQ(rounds_worth_it(5, {100, 90, 300}, 60), 5) << "measuring takes most of it";
  EXPECT_EQ(rounds_worth_it(5, {100, 40, 50}, 60), 5) << "a short job";
  EXPECT_EQ(rounds_worth_it(5, {100, 0, 300}, 60), 5) << "not known";
  EXPECT_EQ(rounds_worth_it(5, {100, 58, 300}, 60), 4);
  EXPECT_EQ(rounds_worth_it(5, {100, 40, 300}, 60), 3);
  EXPECT_EQ(rounds_worth_it(5, {100, 1, 300}, 60), 3) << "fewer say nothing";
  EXPECT_EQ(rounds_worth_it(2, {100, 1, 300}, 60), 2);
  EXPECT_EQ(rounds_worth_it(20, {100, 20, 300}, 60), 6);
  EXPECT_EQ(shortened_in_words(3, 5, {100, 41, 300}),
            "measured 3 rounds instead of 5, as a round takes 2.4 times what it measures; -n 5 measures all");
}

TEST(Expectation, WhatWasMeasuredIsTimesTimesIterations) {
  Invocation invocation;
  invocation.samples["a"].real_time_ns = {1e9, 2e9};
  invocation.samples["a"].iterations = {2, 1};
  EXPECT_DOUBLE_EQ(measured_s(invocation), 4);
  invocation.samples["a"].iterations = {1, 1};
  EXPECT_EQ(measured_s(invocation), 0) << "rows of a program that says nothing of iterations";
}

TEST(Expectation, AFixedNumberOfIterationsSaysNothingOfTheTime) {
  const auto some = expect_time({"a/iterations:50/manual_time", "b"}, {}, 1);
  EXPECT_EQ(some.open, 1u);
  EXPECT_DOUBLE_EQ(some.seconds, 0.5 * 1.7);
  EXPECT_EQ(expect_time({"a", "b"}, {"--benchmark_min_time=10x"}, 1).open, 2u);
}

TEST(Expectation, IsSaidInWords) {
  EXPECT_EQ(
      expectation_in_words({620, 0, 2263, 0.5}, 5, 5, 1),
      "620 benchmarks × 5 repetitions of 500.0 ms or more: about 37 min 43 s an invocation, 3 h 8 min for 5");
  EXPECT_EQ(
      expectation_in_words({1, 1, 0, 0.5}, 5, 3, 2),
      "1 benchmark × 5 repetitions of a fixed number of iterations, 3 invocations of both sides: the first "
      "one shows how long it takes");
}

TEST(Expectation, NamesFewerRepetitionsThanThereAre) {
  EXPECT_THAT(how_to_shorten_in_words(5), testing::HasSubstr("fewer repetitions (-r 3)"));
  EXPECT_THAT(how_to_shorten_in_words(2), testing::HasSubstr("fewer repetitions (-r 1)"));
  EXPECT_THAT(how_to_shorten_in_words(1), testing::Not(testing::HasSubstr("repetitions")));
}

}  // namespace
}  // namespace tracker
