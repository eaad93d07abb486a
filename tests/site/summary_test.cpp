#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/site/made_up.hpp"
#include "tracker/events/events.hpp"
#include "tracker/site/pages.hpp"
#include "tracker/site/site.hpp"

namespace tracker::site {
namespace {

using test::daily;
using test::day;
using test::stepped;

const std::size_t kAllOfIt = site_ranges().size() - 1;

TEST(SiteSummary, ARangeBeginsSoManyDaysBeforeTheNewestCommit) {
  EXPECT_EQ(first_day(site_ranges()[kMainRange], "2026-11-20T12:00:00Z"), "2026-08-22");
  EXPECT_EQ(first_day(site_ranges().back(), "2026-11-20T12:00:00Z"), "");
  EXPECT_EQ(first_day(site_ranges()[kMainRange], ""), "");
}

TEST(SiteSummary, OnlyStepsOfTheRangeCount) {
  const Series series = stepped("a", 40, {{10, 2}, {30, 3}});
  const auto late = summarize(series, day(20));
  EXPECT_EQ(late.state, SeriesState::kSlower);
  EXPECT_NEAR(late.change, 0.5, 1e-9);
  EXPECT_DOUBLE_EQ(*late.before, 2);
  EXPECT_DOUBLE_EQ(late.now, 3);
  EXPECT_NEAR(summarize(series, "").change, 2, 1e-9);
  EXPECT_EQ(summarize(series, day(31)).state, SeriesState::kSteady);
}

TEST(SiteSummary, TheStepAtTheFirstDayOfTheRangeIsPartOfIt) {
  const Series series = stepped("a", 40, {{30, 3}});
  EXPECT_EQ(summarize(series, day(30)).state, SeriesState::kSlower);
  EXPECT_DOUBLE_EQ(*summarize(series, day(30)).before, 1);
}

TEST(SiteSummary, WhatCameBackIsNoChange) {
  const auto summary = summarize(stepped("a", 40, {{10, 2}, {30, 1.001}}), "");
  EXPECT_EQ(summary.state, SeriesState::kSteady);
  EXPECT_NEAR(summary.change, 0.001, 1e-9);
}

TEST(SiteSummary, LessBandwidthIsSlower) {
  const Metric bandwidth = find_metric("bytes_per_second");
  EXPECT_EQ(summarize(stepped("a", 40, {{10, 0.5}}, bandwidth), "").state, SeriesState::kSlower);
  EXPECT_EQ(summarize(stepped("a", 40, {{10, 2}}, bandwidth), "").state, SeriesState::kFaster);
  EXPECT_EQ(summarize(stepped("a", 40, {{10, 0.5}}), "").state, SeriesState::kFaster);
}

TEST(SiteSummary, StepsUnderOtherConditionsAreNotOfTheCode) {
  Series series = stepped("a", 40, {{30, 3}});
  series.steps[0].other_conditions = "SM clock 1980 → 1000 MHz";
  series.steps[0].settled = false;
  EXPECT_EQ(summarize(series, "").state, SeriesState::kSteady);
  EXPECT_EQ(summarize(series, "").change, 0);
}

TEST(SiteSummary, ANewStepIsNotSettled) {
  Series series = stepped("a", 40, {{39, 3}});
  series.steps[0].settled = false;
  EXPECT_EQ(summarize(series, "").state, SeriesState::kNewlySlower);
  EXPECT_NEAR(summarize(series, "").change, 2, 1e-9);
  series.steps[0].after = 0.5;
  EXPECT_EQ(summarize(series, "").state, SeriesState::kNewlyFaster);
  // What is settled says more.
  series.steps.insert(series.steps.begin(), {10, 1, 4, true, true, {}, 10, 10, 1});
  EXPECT_EQ(summarize(series, "").state, SeriesState::kSlower);
  EXPECT_NEAR(summarize(series, "").change, 3, 1e-9);
}

TEST(SiteSummary, WhatGotFasterAndLatelySlowerAgainCountsAsBoth) {
  Series series = stepped("a", 40, {{10, 0.5}, {39, 0.6}});
  series.steps[1].settled = false;
  EXPECT_EQ(summarize(series, "").state, SeriesState::kFaster);
  EXPECT_EQ(counts_in_words(count_states({summarize_ranges(series, "")}, kAllOfIt)),
            "1 newly slower, 1 faster");
}

TEST(SiteSummary, OfADriftThePartOfTheRangeCounts) {
  std::vector<double> values;
  for (int i = 0; i <= 40; ++i) values.push_back(std::pow(1.01, i));
  Series series = daily("a", values);
  series.drifts.push_back({0, 41, 1, std::pow(1.01, 40), {}, series.points[0].commit, 41, true, {}});
  const auto all = summarize(series, "");
  EXPECT_EQ(all.state, SeriesState::kDrifting);
  EXPECT_NEAR(all.change, std::pow(1.01, 40) - 1, 1e-9);
  const auto late = summarize(series, day(31));  // from the value of day 30 on
  EXPECT_NEAR(late.change, std::pow(1.01, 10) - 1, 1e-9);
  EXPECT_NEAR(*late.before, std::pow(1.01, 30), 1e-9);
}

TEST(SiteSummary, ALevelIsTheMedianOfItsUndisturbedPoints) {
  Series series = daily("a", {1, 1, 50, 50, 50, 2});
  for (const std::size_t i : {2, 3, 4}) series.points[i].disturbed = true;
  EXPECT_DOUBLE_EQ(summarize(series, "").now, 1);
}

TEST(SiteSummary, BeforeIsTheFirstLevelWhereThereIsNoOlderOne) {
  EXPECT_DOUBLE_EQ(*summarize(stepped("a", 10, {{5, 3}}), day(0)).before, 1);
  EXPECT_FALSE(summarize(daily("a", {1}), day(0)).before);
}

// No rule finds a change in so few values, and the middle of two was measured by nobody.
TEST(SiteSummary, TwoCommitsTellNoChange) {
  const Series series = daily("a", {218, 415});
  const auto summary = summarize(series, "");
  EXPECT_DOUBLE_EQ(summary.now, 415);
  EXPECT_FALSE(summary.before);
  const std::vector<SeriesSummaries> both{summarize_ranges(series, "")};
  EXPECT_EQ(headline_in_words(both, kAllOfIt), "too few commits to tell");
  EXPECT_EQ(headline_in_words({both[0], summarize_ranges(daily("b", {1, 1, 1}), "")}, kAllOfIt),
            "no lasting change");
  EXPECT_EQ(headline_in_words({}, kAllOfIt), "no lasting change");
}

TEST(SiteSummary, FamiliesHaveNoMonthsWhereNothingTellsAChange) {
  EXPECT_TRUE(tables_of(test::site_of({daily("a", {218, 415})}))[0].months.rows.empty());
  EXPECT_EQ(tables_of(test::site_of({daily("a", {218, 415}), daily("b", {1, 1, 1})}))[0].months.rows.size(),
            2);
}

TEST(SiteSummary, TheNewestOfFewValuesIsOneThatWasNotDisturbed) {
  Series series = daily("a", {218, 415});
  series.points[1].disturbed = true;
  EXPECT_DOUBLE_EQ(summarize(series, "").now, 218);
}

TEST(SiteSummary, CountsAreWords) {
  Series unsettled = stepped("d", 40, {{39, 3}});
  unsettled.steps[0].settled = false;
  const auto history = test::site_of({stepped("a", 40, {{30, 3}}), stepped("b", 40, {{30, 2}}),
                                      stepped("c", 40, {{30, 0.5}}), unsettled, daily("e", {1, 1})});
  EXPECT_EQ(counts_in_words(count_states(tables_of(history)[0].series, kAllOfIt)),
            "2 slower, 1 newly slower, 1 faster");
  EXPECT_EQ(counts_in_words({{SeriesState::kNewlyFaster, 2}}), "2 newly faster");
  EXPECT_EQ(counts_in_words({}), "no lasting change");
  EXPECT_EQ(counts_in_words({{SeriesState::kSteady, 3}}), "no lasting change");
}

TEST(SiteSummary, TheShareOfTheLimitIsOfTheBoundWhereThereIsOne) {
  Series series = daily("a", {4, 4}, find_metric("bytes_per_second"));
  EXPECT_FALSE(summarize_ranges(series, "").limit);
  series.references = {{"theoretical peak", 10}, {"copy", 5}};
  EXPECT_EQ(summarize_ranges(series, "").limit->label, "copy");
  EXPECT_DOUBLE_EQ(summarize_ranges(series, "").limit->share, 0.8);
  series.metric = find_metric("real_time");
  EXPECT_DOUBLE_EQ(summarize_ranges(series, "").limit->share, 1.25);
}

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

TEST(EventText, SaysWhetherItIsStillThere) {
  auto events = events::find({stepped("a", 60, {{20, 2}})});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(state_in_words(events[0]), "still there");
  EXPECT_DOUBLE_EQ(largest_change(events[0]), 1);
  events[0].changes[0].settled = false;
  EXPECT_EQ(state_in_words(events[0]), "not settled yet");
  events[0].changes[0].other_conditions = "load";
  EXPECT_EQ(state_in_words(events[0]), "measured under other conditions");
}

TEST(EventText, SaysWhatWasMended) {
  const auto mended = events::find({stepped("a", 60, {{20, 2}, {40, 1}})});
  ASSERT_EQ(mended.size(), 2U);
  EXPECT_EQ(state_in_words(mended[0]), "mended by");
  EXPECT_EQ(mended[0].undone_by->position, 40);
  const auto partly = events::find({stepped("a", 60, {{20, 2}, {40, 1}}), stepped("b", 60, {{20, 3}})});
  EXPECT_EQ(state_in_words(partly[0]), "1 of 2 mended");
  EXPECT_EQ(state_in_words(events::find({stepped("a", 60, {{20, 0.5}, {40, 1}})})[0]), "undone by");
}

}  // namespace

}  // namespace tracker::site
