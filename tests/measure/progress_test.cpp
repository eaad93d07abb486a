#include "tracker/measure/progress.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::measure {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TimeLeft, ExtrapolatesFromTheMeanOfWhatEnded) {
  TimeLeft left(4);
  EXPECT_LT(left.seconds(0), 0) << "nothing is known yet";
  left.add(10);
  left.add(20);
  EXPECT_DOUBLE_EQ(left.seconds(0), 30);
  EXPECT_DOUBLE_EQ(left.seconds(5), 25);
  EXPECT_DOUBLE_EQ(left.seconds(100), 15) << "a step that takes longer than usual is about to end";
  TimeLeft first(2);
  first.expect(30);
  EXPECT_DOUBLE_EQ(first.seconds(10), 50) << "from what is expected, while none has ended";
  left.skip();
  EXPECT_EQ(left.steps(), 3);
  EXPECT_DOUBLE_EQ(left.seconds(0), 15);
}

TEST(TimeLeft, GoesOnWithTheMeanUntilOneOfTheNewStepsHasEnded) {
  TimeLeft left(2);
  left.add(10);
  left.add(20);
  left.go_on(4);
  EXPECT_EQ(left.steps(), 6);
  EXPECT_EQ(left.done(), 2);
  EXPECT_DOUBLE_EQ(left.seconds(0), 60) << "four steps like those before";
  left.add(5);
  EXPECT_DOUBLE_EQ(left.seconds(0), 15) << "what measures fewer benchmarks is shorter";
}

TEST(LineProgress, PrintsOneLineAStepWithoutControlCodes) {
  std::ostringstream out;
  const auto progress = make_line_progress(out);
  progress->begin(3);
  progress->start_step("bench, invocation 1 of 3");
  progress->tick();
  progress->end_step();
  progress->skip_step();
  progress->start_step("bench, invocation 2 of 3");
  progress->end_step();
  progress->end();
  EXPECT_EQ(out.str(),
            "[1/3] bench, invocation 1 of 3: 0 s, 0 s left\n[2/2] bench, invocation 2 of 3: 0 s\n");
}

// Steps are named after benchmarks and programs.
TEST(LineProgress, NoNameMakesALineOfItsOwn) {
  for (const bool at_once : {false, true}) {
    std::ostringstream out;
    const auto progress = make_line_progress(out, std::chrono::milliseconds(0));
    progress->begin(1);
    progress->start_step("a\nforged\x1b[1m");
    progress->tick();
    if (at_once)
      progress->end_one_of(1, "a\nforged\x1b[1m", 0);
    else
      progress->end_step();
    EXPECT_EQ(out.str(), "        a forged [1m: 0 s so far\n[1/1] a forged [1m: 0 s\n");
  }
}

// A log of CI is read afterwards: a line a tenth says as much.
TEST(LineProgress, ManyStepsHaveALineATenth) {
  std::ostringstream out;
  const auto progress = make_line_progress(out);
  progress->begin(200);
  for (int i = 0; i < 200; ++i) {
    progress->start_step("bench, invocation " + std::to_string(i + 1) + " of 200");
    progress->end_step();
  }
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  EXPECT_THAT(text, HasSubstr("[100/200] "));
  EXPECT_THAT(text, HasSubstr("[200/200] "));
}

TEST(LineProgress, ALongStepTellsHowFarItIs) {
  std::ostringstream out;
  const auto progress = make_line_progress(out, std::chrono::milliseconds(0));
  progress->begin(3);
  progress->start_step("bench, invocation 1 of 3");
  progress->expect(600, 620);
  progress->benchmark_done();
  progress->benchmark_done();
  progress->tick();
  EXPECT_EQ(out.str(),
            "        bench, invocation 1 of 3: 0 s so far, 2 of 620 benchmarks, 30 min 0 s left in all\n");
}

TEST(BarProgress, MovesWithinAStep) {
  std::ostringstream out;
  const auto progress = make_bar_progress(out, 100);
  progress->begin(1);
  progress->start_step("bench");
  progress->expect(0, 2);
  progress->benchmark_done();
  progress->tick();
  const std::string last = out.str().substr(out.str().rfind('\r'));
  EXPECT_THAT(last, HasSubstr("████████████░░░░░░░░░░░░ 0/1"));
  EXPECT_THAT(last, HasSubstr("bench, 1 of 2 benchmarks"));
}

TEST(BarProgress, GoesOnOverSeveralAnalysesAndSaysWhatIsLeft) {
  std::ostringstream out;
  const auto progress = make_bar_progress(out, 120);
  progress->begin(1);
  progress->start_step("bench");
  progress->end_step();
  progress->end();
  progress->begin(3);
  progress->tell("6 undecided, 21 min of budget left");
  progress->start_step("bench");
  const std::string last = out.str().substr(out.str().rfind('\r'));
  EXPECT_THAT(last, HasSubstr("1/4"));
  EXPECT_THAT(last, HasSubstr(" left, 6 undecided, 21 min of budget left  bench"));
}

TEST(BarProgress, FitsTheTerminalAndCleansUp) {
  std::ostringstream out;
  const auto progress = make_bar_progress(out, 60);
  progress->begin(2);
  progress->start_step(std::string(200, 'x'));
  progress->end_step();
  progress->end();
  EXPECT_THAT(out.str(), HasSubstr("1/2"));
  EXPECT_THAT(out.str(), Not(HasSubstr(std::string(60, 'x'))));
  EXPECT_TRUE(out.str().ends_with("\r\x1b[K"));
}

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

const std::map<std::string, std::string> kListed{{"sum/8", "sum/8"},
                                                 {"by_hand", "by_hand/iterations:50/manual_time"}};

TEST(BenchmarkCounter, CountsEachOnceHoweverThePiecesFall) {
  BenchmarkCounter counter(kListed, 1);
  EXPECT_EQ(counter.read("Benchmark   Time\n--------\nsum/8   3 ns   3 ns\nsum/"), 1);
  EXPECT_EQ(counter.read("8   4 ns   3 ns\nsum/8_mean   3 ns\n"), 0) << "a repetition and an aggregate";
  EXPECT_EQ(counter.read("by_hand/iterations:50/manual_time   6 ns   6 ns   50\n"), 1);
}

TEST(BenchmarkCounter, CountsAsOftenAsThereAreExecutions) {
  BenchmarkCounter counter(kListed, 2);
  EXPECT_EQ(counter.read("sum/8 3 ns\nsum/8 3 ns\nsum/8 3 ns\n"), 2);
}

}  // namespace

}  // namespace tracker::measure
