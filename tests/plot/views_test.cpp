#include "tracker/plot/views.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/fixtures.hpp"

namespace tracker::plot {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> names(const std::vector<ReferenceLine>& lines) {
  std::vector<std::string> result;
  for (const auto& line : lines) result.push_back(line.label);
  return result;
}

// One change has one number in a report, whatever the other runs of a commit say.
TEST(TrendView, TheComparisonsNumberIsThatOfTheChart) {
  Series series;
  series.metric = kTime;
  for (int i = 0; i < 3; ++i)
    series.points.push_back({.commit = commit_of(i), .position = i, .median = i < 2 ? 3.98e-3 : 36.60e-3});
  series.base = commit_of(1);
  series.steps = {{.point = 2, .before = 3.985e-3, .after = 36.60e-3, .worse = true}};
  TrendView view = view_trend(series);
  EXPECT_DOUBLE_EQ(newest_change(view)->share, 36.60 / 3.98 - 1);
  EXPECT_DOUBLE_EQ(step_change(view, view.steps.front()), 36.60 / 3.985 - 1);
  series.judged = JudgedChange{3.991e-3, 36.59e-3, 8.17};
  view = view_trend(series);
  EXPECT_DOUBLE_EQ(newest_value(view), 36.59);
  EXPECT_EQ(newest_change(view)->share, 8.17);
  EXPECT_EQ(step_change(view, view.steps.front()), 8.17);
  series.base = commit_of(0);  // the step is against another commit
  view = view_trend(series);
  EXPECT_DOUBLE_EQ(step_change(view, view.steps.front()), 36.60 / 3.985 - 1);
}

TEST(TrendView, LeavesOutWhatIsNoNumber) {
  Series series = make_series(5);
  series.points[1].median = kNan;
  series.points[2].median = kInfinity;
  series.points[3].spread = {kNan, kInfinity};
  const TrendView view = view_trend(series);
  ASSERT_EQ(view.points.size(), 3u);
  EXPECT_EQ(view.points[1].spread.low, view.points[1].median);
  EXPECT_EQ(view.points[1].spread.high, view.points[1].median);
  EXPECT_TRUE(std::isfinite(view.low) && std::isfinite(view.high));
}

TEST(TrendView, NothingToDraw) {
  EXPECT_TRUE(view_trend({}).points.empty());
  Series series = make_series(2);
  for (auto& point : series.points) point.median = kNan;
  EXPECT_TRUE(view_trend(series).points.empty());
}

TEST(TrendView, ReferencesThatWouldSquashTheDataBecomeNotes) {
  const TrendView steady = view_trend(make_series(10, 3.48e12, 0));
  EXPECT_THAT(names(steady.lines), ::testing::IsEmpty());
  EXPECT_THAT(names(steady.above), ::testing::ElementsAre("copy_row", "theoretical peak"));
  EXPECT_THAT(off_axis_notes(steady),
              ::testing::ElementsAre("copy_row 3.930 TB/s ↑", "theoretical peak 4.916 TB/s ↑"));
  const TrendView stepped = view_trend(make_series(10, 3.48e12, 0.4));
  EXPECT_THAT(names(stepped.lines), ::testing::ElementsAre("copy_row", "theoretical peak"));
  EXPECT_GT(stepped.high, 4.916);
}

TEST(TrendView, DataKeepsAThirdOfTheAxisAndItsNoiseIsNoCliff) {
  for (const int count : {1, 2, 10, 300})
    for (const double drop : {0.0, 0.02, 0.5}) {
      const TrendView view = view_trend(make_series(count, 3.48e12, drop));
      double low = kInfinity;
      double high = -kInfinity;
      for (const auto& point : view.points) {
        low = std::min(low, point.median);
        high = std::max(high, point.median);
      }
      EXPECT_LT(view.low, low);
      EXPECT_GT(view.high, high);
      EXPECT_GE(view.high - view.low, 0.04 * high) << count << ' ' << drop;
      EXPECT_LE(view.high - view.low, std::max(high - low, 0.04 * high) * 4) << count << ' ' << drop;
    }
}

TEST(TrendView, ABaseWithoutARunIsNotMarked) {
  Series series = make_series(4);
  EXPECT_EQ(view_trend(series).base, 2u);
  series.base = std::string(40, '0');
  EXPECT_EQ(view_trend(series).base, std::nullopt);
}

TEST(TrendView, OneOldSpikeIsCutOffButTheNewestRunNever) {
  Series series = make_series(100, 3.48e12, 0);
  series.points[20].median = 40e12;
  TrendView view = view_trend(series);
  EXPECT_EQ(view.spikes, 1u);
  EXPECT_LT(view.high, 5);
  EXPECT_THAT(off_axis_notes(view)[0], ::testing::HasSubstr("1 run off the axis, at 40.00 TB/s"));
  std::swap(series.points[20].median, series.points[99].median);
  view = view_trend(series);
  EXPECT_EQ(view.spikes, 0u);
  EXPECT_GT(view.high, 40);
}

TEST(TrendView, AnyNumbersGiveARealAxis) {
  for (const double value : {0.0, 5e-324, -3.0, 1e-30, 1e200, 1e289})
    for (const int count : {1, 3, 50}) {
      const TrendView view = view_trend(make_series(count, value));
      ASSERT_FALSE(view.points.empty());
      EXPECT_LT(view.low, view.high) << value;
      EXPECT_TRUE(std::isfinite(view.high - view.low)) << value;
      EXPECT_LT(view.axis.first, view.axis.last);
    }
}

TEST(CommitAxis, FewCommitsHaveTheSameRoom) {
  const TrendView view = view_trend(make_series(80));
  EXPECT_FALSE(view.axis.is_split());
  EXPECT_EQ(view.axis.place(12), 12);
}

TEST(CommitAxis, TheNewestOfManyHaveAThirdOfTheWidth) {
  const TrendView view = view_trend(make_series(1000));
  const CommitAxis& axis = view.axis;
  ASSERT_TRUE(axis.is_split());
  const double width = axis.last - axis.first;
  EXPECT_NEAR((axis.place(969.5) - axis.first) / width, 0.64, 1e-9);
  EXPECT_LT(axis.place(999), axis.last);
  double before = axis.first;
  for (int position = 0; position < 1000; ++position) {
    EXPECT_GT(axis.place(position), before);
    before = axis.place(position);
  }
  const auto shown = shown_points(view, 100);
  EXPECT_EQ(shown.size(), 130u);
  EXPECT_EQ(shown[101].position, 971);
}

TEST(ThinOut, KeepsLevelsAndRanges) {
  const Series series = make_series(10000, 100, 0.1);
  const auto thinned = thin_out(series.points, 500);
  EXPECT_LE(thinned.size(), 500u);
  EXPECT_GE(thinned.size(), 490u);
  EXPECT_NEAR(thinned.front().median, 100, 0.5);
  EXPECT_NEAR(thinned.back().median, 90, 0.5);
  EXPECT_LE(thinned.front().spread.low, 99.3 + 0.01);
  EXPECT_GE(thinned.front().spread.high, 100.7 - 0.01);
  EXPECT_EQ(thin_out(series.points, 10000).size(), 10000u);
}

TEST(OverviewView, RowsAreAllVariantsAndTheBestIsNoReference) {
  FamilyOverview overview = make_overview(3, 2);
  overview.panels[0].bars.erase(overview.panels[0].bars.begin() + 1);
  overview.panels[0].references.push_back({"variant_2", 3.9e12});
  const OverviewView view = view_overview(overview);
  EXPECT_THAT(view.rows, ::testing::ElementsAre("variant_2", "variant_1", "variant_0")) << "fastest first";
  EXPECT_THAT(view.bounds, ::testing::ElementsAre(true, false, true));
  EXPECT_FALSE(view.panels[0].bars[1]);
  EXPECT_EQ(view.panels[0].best, std::nullopt);
  EXPECT_EQ(view.panels[1].best, 1u);
  EXPECT_DOUBLE_EQ(view.panels[0].peak.value(), 4.916);
}

TEST(OverviewView, LessTimeIsBestAndHasNoPeak) {
  FamilyOverview overview = make_overview(4, 1);
  overview.metric = kTime;
  overview.panels[0].references = {{"theoretical peak", 1e12}};
  const OverviewView view = view_overview(overview);
  EXPECT_EQ(view.panels[0].best, 0u);
  EXPECT_EQ(view.panels[0].peak, std::nullopt);
}

TEST(OverviewView, ReferencesFarAwayDoNotSquashTheBars) {
  FamilyOverview overview = make_overview(2, 1);
  overview.panels[0].references = {{"theoretical peak", 100e12}, {"near", 5e12}};
  const OverviewView view = view_overview(overview);
  EXPECT_THAT(names(view.panels[0].above), ::testing::ElementsAre("theoretical peak"));
  EXPECT_DOUBLE_EQ(view.panels[0].high, 5);
}

TEST(OverviewView, PanelsWithoutNumbersAreLeftOut) {
  FamilyOverview overview = make_overview(2, 2);
  for (auto& bar : overview.panels[0].bars) bar.median = kNan;
  EXPECT_EQ(view_overview(overview).panels.size(), 1u);
  EXPECT_TRUE(view_overview({}).panels.empty());
}

TEST(OverviewView, WhatDoesNotFitIsSaid) {
  const OverviewView view = view_overview(make_overview(300, 1));
  EXPECT_TRUE(view.cut);
  EXPECT_LE(view.rows.size(), 100u);
  EXPECT_EQ(view.rows[0], "variant_299") << "the slowest are left out";
  EXPECT_FALSE(view_overview(make_overview(18, 5)).cut);
}

}  // namespace
}  // namespace tracker::plot
