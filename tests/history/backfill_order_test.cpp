// Which commits of a line are measured first, and which one narrows a change.
#include "tracker/history/backfill_order.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SpreadOrder, BothEndsThenTheMiddleOfTheWidestGap) {
  EXPECT_THAT(spread_order(std::vector<bool>(9, false), 1), ElementsAre(8, 0, 4, 6, 2, 7, 5, 3, 1));
}

TEST(SpreadOrder, HasEveryOpenPlaceOnce) {
  for (std::size_t size : {1U, 2U, 3U, 17U, 100U}) {
    std::vector<bool> measured(size, false);
    for (std::size_t i = 0; i < size; i += 5) measured[i] = i % 10 == 0;
    const auto order = spread_order(measured, 1);
    const std::set<std::size_t> once(order.begin(), order.end());
    EXPECT_EQ(once.size(), order.size());
    for (std::size_t i = 0; i < size; ++i)
      EXPECT_EQ(once.count(i), measured[i] ? 0U : 1U) << size << " " << i;
  }
}

TEST(SpreadOrder, WhatIsMeasuredBoundsTheGaps) {
  std::vector<bool> measured(11, false);
  measured[0] = measured[10] = measured[8] = true;
  EXPECT_EQ(spread_order(measured, 1).front(), 4U) << "the middle of 0 to 8";
  measured[4] = true;
  EXPECT_EQ(spread_order(measured, 1).front(), 6U) << "of two gaps of one width the newer";
}

TEST(SpreadOrder, EveryNthCountsFromTheNewest) {
  EXPECT_THAT(spread_order(std::vector<bool>(10, false), 4), ElementsAre(9, 1, 5));
  EXPECT_THAT(spread_order(std::vector<bool>(3, true), 1), IsEmpty());
  EXPECT_THAT(spread_order({}, 1), IsEmpty());
}

TEST(NextToNarrow, IsTheMiddleOfTheGapBeforeTheChange) {
  std::vector<bool> measured(9, false);
  measured[0] = measured[8] = true;
  EXPECT_EQ(next_to_narrow({{8, 1}}, measured, measured), 4U);
}

TEST(NextToNarrow, GoesOnUntilTheChangeHasOneCommit) {
  std::vector<bool> measured(33, false);
  measured[0] = measured[32] = true;
  std::size_t seen = 32;
  int steps = 0;
  while (const auto next = next_to_narrow({{seen, 1}}, measured, measured)) {
    measured[*next] = true;
    if (*next >= 19) seen = *next;  // place 19 makes the change
    ASSERT_LE(++steps, 6);
  }
  EXPECT_EQ(seen, 19U);
  EXPECT_EQ(steps, 5) << "half of what is left each time";
}

TEST(NextToNarrow, PassesOverWhatCannotBeMeasured) {
  std::vector<bool> measured(5, false);
  measured[0] = measured[4] = true;
  std::vector<bool> tried = measured;
  tried[2] = true;
  const auto next = next_to_narrow({{4, 1}}, measured, tried);
  ASSERT_TRUE(next.has_value());
  EXPECT_TRUE(*next == 1 || *next == 3);
  tried[1] = tried[3] = true;
  EXPECT_EQ(next_to_narrow({{4, 1}}, measured, tried), std::nullopt);
}

TEST(NextToNarrow, TakesTheChangeThatWeighsMost) {
  std::vector<bool> measured(20, false);
  for (std::size_t i : {0U, 4U, 10U, 14U, 19U}) measured[i] = true;
  EXPECT_EQ(next_to_narrow({{4, 1}, {14, 3}}, measured, measured), 12U);
  EXPECT_EQ(next_to_narrow({{10, 2}, {14, 2}}, measured, measured), 7U) << "the wider gap";
  EXPECT_EQ(next_to_narrow({}, measured, measured), std::nullopt);
}

}  // namespace
}  // namespace tracker::history
