#include "tracker/measure/progress.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
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

}  // namespace
}  // namespace tracker
