#include "tracker/site/family_months.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/site/made_up.hpp"

namespace tracker {
namespace {

using test::daily;
using test::stepped;

TEST(FamilyMonths, ACellIsTheGeometricMeanOfWhatTheMonthsStepsDid) {
  // Months of 28 days: the step is in February.
  const auto history = test::site_of({stepped("gemm/a/f32/8", 60, {{30, 2}}),
                                      stepped("gemm/b/f32/8", 60, {{31, 8}}), daily("gemm/c/f32/8", {1, 1})});
  const auto table = family_months(history.devices[0].series, 12);
  EXPECT_THAT(table.months, testing::ElementsAre("2026-01", "2026-02", "2026-03"));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].family, "gemm f32");
  EXPECT_EQ(table.rows[0].cells[0]->change, 0);
  EXPECT_EQ(table.rows[0].cells[0]->benchmarks, 3);
  EXPECT_NEAR(table.rows[0].cells[1]->change, 3, 1e-9);  // √(2 · 8) − 1, of the two that were measured
  EXPECT_EQ(table.rows[0].cells[1]->changed, 2);
  EXPECT_EQ(table.rows[0].cells[1]->benchmarks, 2);
}

TEST(FamilyMonths, MetricsAreRowsOfTheirOwnAndGapsAreEmpty) {
  Series late = daily("gemm/b/f32/8", std::vector<double>(60, 1.0), find_metric("bytes_per_second"));
  late.points.erase(late.points.begin(), late.points.begin() + 40);
  const auto history =
      test::site_of({daily("gemm/a/f32/8", std::vector<double>(60, 1.0)), late, daily("sort", {1})});
  const auto table = family_months(history.devices[0].series, 2);
  EXPECT_THAT(table.months, testing::ElementsAre("2026-02", "2026-03"));
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[1].metric.name, "bytes_per_second");
  EXPECT_EQ(table.rows[2].family, "sort");
  EXPECT_FALSE(table.rows[2].cells[0]);
}

TEST(FamilyMonths, WhatIsNotSettledCountsAndOtherConditionsDoNot) {
  auto newly = stepped("a/a/8", 20, {{19, 2}});
  newly.steps[0].settled = false;
  auto other = stepped("b/a/8", 20, {{19, 2}});
  other.steps[0].settled = false;
  other.steps[0].other_conditions = "load";
  const auto table = family_months(test::site_of({newly, other}).devices[0].series, 12);
  EXPECT_NEAR(table.rows[0].cells[0]->change, 1, 1e-9);
  EXPECT_EQ(table.rows[1].cells[0]->change, 0);
}

}  // namespace
}  // namespace tracker
