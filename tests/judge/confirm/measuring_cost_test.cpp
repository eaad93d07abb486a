// What confirming costs and spares.
#include "tracker/judge/confirm/measuring_cost.hpp"

#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
namespace {

TEST(MeasuringCost, ExpectsTheNextLookByTheLastOne) {
  MeasuringCost cost;
  EXPECT_EQ(cost.expected_s(5, 10), 0) << "nothing is known";
  cost.set_suite(100, 50);
  EXPECT_DOUBLE_EQ(cost.expected_s(5, 10), 25);
  cost.add(5, 10, 40);
  EXPECT_DOUBLE_EQ(cost.expected_s(3, 2), 4.8);
  cost.add(3, 2, 12);
  EXPECT_DOUBLE_EQ(cost.expected_s(4, 1), 8);
  EXPECT_DOUBLE_EQ(cost.measured_s(), 52);
}

TEST(MeasuringCost, SavesWhatTheWholeSuiteWouldHaveCost) {
  MeasuringCost known;
  known.set_suite(100, 50);
  known.add(5, 10, 40);
  known.add(3, 2, 12);
  EXPECT_DOUBLE_EQ(known.saved_s(8), 8 * 50 - 52);
  MeasuringCost guessed;
  guessed.set_suite(100, std::vector<tracker::Run>{});
  EXPECT_EQ(guessed.saved_s(8), 0) << "nothing was measured";
  guessed.add(5, 10, 40);
  EXPECT_DOUBLE_EQ(guessed.saved_s(5), 400 - 40);
  MeasuringCost dear;
  dear.set_suite(2, 1);
  dear.add(5, 2, 100);
  EXPECT_EQ(dear.saved_s(5), 0) << "never less than nothing";
}

TEST(MeasuringCost, TakesTheTimeFromWholeRuns) {
  const auto run_of = [](const std::string& filter, double length_s) {
    tracker::Run run = test::make_run({}, {{"k", {1, 2, 3, 4}}});
    run.selection.expression = filter;
    for (auto& invocation : run.invocations) invocation.length_s = length_s;
    return run;
  };
  MeasuringCost cost;
  cost.set_suite(10, {run_of("", 3), run_of("^k$", 100), run_of("", 0)});
  EXPECT_DOUBLE_EQ(cost.expected_s(1, 10), 2 * 3) << "a round has an invocation of each side";
}

}  // namespace
}  // namespace tracker
