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
