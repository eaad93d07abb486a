// The scripts, against reviewed ones: what is drawn changes only on purpose.
#include "tracker/plot/charts.hpp"

#include <gtest/gtest.h>

#include "tests/plot/fixtures.hpp"
#include "tests/support/golden.hpp"

namespace tracker {
namespace {

using test::matches_golden;

std::string script_of(const std::optional<Chart>& chart) {
  return chart ? chart->data + chart->commands : "nothing to draw\n";
}

Series series_with_a_gap() {
  Series series = make_series(12);
  series.metric = kTime;
  for (auto& point : series.points) {
    point.median = 1 / point.median;
    point.spread = {point.median * 0.997, point.median * 1.003};
    if (point.position > 5) point.position += 9;
  }
  series.points[3].disturbed = true;
  series.references.clear();
  return series;
}

// A creep over most of the series, and a step after it.
Series series_with_a_drift() {
  Series series = make_series(100, 3.48e12, 0);
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const double level = i < 80 ? 1 - 0.001 * static_cast<double>(i) : 1;
    series.points[i].median *= level;
    series.points[i].spread = {series.points[i].median * 0.997, series.points[i].median * 1.003};
  }
  SeriesDrift drift;
  drift.to = 80;
  drift.before = 3.48e12;
  drift.after = 3.48e12 * 0.921;
  drift.change = {-0.083, -0.075};
  drift.since = series.points[0].commit;
  drift.commits = 80;
  drift.worse = true;
  series.drifts = {drift};
  series.steps = {{80, drift.after, 3.48e12, false, true}};
  return series;
}

TEST(ChartScript, TrendsMatchTheGoldenFiles) {
  struct Row {
    const char* golden;
    Series series;
  };
  const Row rows[] = {
      {"trend-one.gp", make_series(1)},
      {"trend-ten-step.gp", make_series(10)},
      {"trend-references.gp", make_series(10, 3.48e12, 0.4)},
      {"trend-gap-time.gp", series_with_a_gap()},
      {"trend-dense.gp", make_series(120)},
      {"trend-drift.gp", series_with_a_drift()},
  };
  for (const auto& row : rows)
    EXPECT_TRUE(
        matches_golden(script_of(trend_chart(row.series)), std::string("tests/plot/golden/") + row.golden));
}

TEST(ChartScript, OneCommitWithoutRunsIsAGap) {
  for (const int commits : {3, 10, 120, 520}) {
    Series series = make_series(commits);
    EXPECT_EQ(script_of(trend_chart({series})).find("no runs"), std::string::npos) << commits;
    for (auto& point : series.points)
      if (point.position >= commits - 1) ++point.position;
    EXPECT_NE(script_of(trend_chart({series})).find("'no runs'"), std::string::npos) << commits;
  }
}

// 400 commits, of which every tenth has no runs.
Series series_with_many_gaps() {
  Series series = make_series(400, 3.48e12, 0.2);
  for (auto& point : series.points) point.position += point.position / 9;
  return series;
}

TEST(ChartScript, CommitsWithoutRunsDoNotBreakTheLevel) {
  const std::string script = script_of(trend_chart({series_with_many_gaps()}));
  const std::size_t from = script.find("$levels0 << EOD\n");
  ASSERT_NE(from, std::string::npos);
  const std::string levels = script.substr(from, script.find("EOD\n", from + 20) - from);
  EXPECT_EQ(std::count(levels.begin(), levels.end(), '\n'), 1 + 2 + 1 + 2) << levels;
}

// The rest of the axis gives way to the commits that somebody looks for.
TEST(ChartScript, StepsAndTheNewestCommitAreNamedWithTheirSubjects) {
  for (const int commits : {12, 40, 300}) {
    Series series = make_series(commits);
    series.points.back().subject = "The newest one";
    const std::size_t at = series.steps[0].point;
    series.points[at].subject = "Take the padding out of the tile";
    const std::string commands = trend_chart(series)->commands;
    EXPECT_NE(commands.find("'" + series.points[at].commit.substr(0, 7) + "' at"), std::string::npos);
    EXPECT_NE(commands.find("'Take the"), std::string::npos) << commits;
    EXPECT_NE(commands.find("'" + series.points.back().commit.substr(0, 7) + "  "), std::string::npos);
    EXPECT_NE(commands.find("'The newest"), std::string::npos) << commits;
  }
}

// A regression and what mended it soon after: both are named, and neither hides the other.
TEST(ChartScript, TwoStepsSideBySideAreBothNamed) {
  Series series = make_series(300, 3.48e12, 0);
  series.steps = {{150, 3.48e12, 3.1e12, true, true}, {156, 3.1e12, 3.48e12, false, true}};
  series.points[150].subject = "Take the padding out of the tile";
  series.points[156].subject = "Put it back again";
  const std::string commands = trend_chart(series)->commands;
  EXPECT_NE(commands.find("'Take the"), std::string::npos);
  EXPECT_NE(commands.find("'Put it"), std::string::npos);
}

TEST(ChartScript, WhereNotAllStepsFitRegressionsAreNamed) {
  Series series = make_series(300, 3.48e12, 0);
  series.steps.clear();
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t at = 150 + 2 * i;
    const bool worse = i == 2;
    series.steps.push_back({at, 3.48e12, worse ? 3.1e12 : 3.6e12, worse, true});
    series.points[at].subject = worse ? "The culprit of it all" : "Another";
  }
  EXPECT_NE(trend_chart(series)->commands.find("'The culprit"), std::string::npos);
}

TEST(ChartScript, ShortHistoriesAreSentences) {
  EXPECT_EQ(script_of(trend_chart(make_series(1))).find("$line"), std::string::npos);
  EXPECT_NE(script_of(trend_chart(make_series(1))).find("'One commit has runs so far."), std::string::npos);
  EXPECT_NE(script_of(trend_chart(make_series(2, 3.48e12, 0))).find("Two commits have runs so far"),
            std::string::npos);
  EXPECT_NE(script_of(trend_chart(make_series(3))).find("$line"), std::string::npos);
}

// One device has a history, another a run: both are said.
TEST(ChartScript, AShortHistoryBesideALongOneIsASentenceUnderIt) {
  Series one = make_series(1);
  one.device = "another";
  const std::string script = script_of(trend_chart({one, make_series(20)}));
  EXPECT_NE(script.find("$line0"), std::string::npos);
  EXPECT_EQ(script.find("$line1"), std::string::npos);
  EXPECT_NE(script.find("'One commit has runs so far."), std::string::npos);
}

TEST(ChartScript, AnAcceptedStepIsHollowAndSaysSo) {
  Series series = make_series(30);
  series.steps[0].accepted = "needed for odd sizes";
  const std::string commands = trend_chart(series)->commands;
  EXPECT_NE(commands.find("'−5.00 % accepted' at"), std::string::npos);
  EXPECT_NE(commands.find("'hollow: accepted' at"), std::string::npos);
}

TEST(ChartScript, ASeriesOfEveryThirdCommitHasNoGaps) {
  Series series = make_series(20);
  for (auto& point : series.points) point.position *= 3;
  EXPECT_EQ(script_of(trend_chart({series})).find("no runs"), std::string::npos);
}

TEST(ChartScript, OverviewsMatchTheGoldenFiles) {
  struct Row {
    const char* golden;
    FamilyOverview overview;
  };
  FamilyOverview time = make_overview(3, 2);
  time.metric = kTime;
  for (auto& panel : time.panels) {
    panel.references.clear();
    for (auto& bar : panel.bars) bar = {bar.variant, 1 / bar.median, {0.99 / bar.median, 1.01 / bar.median}};
  }
  const Row rows[] = {{"overview-3x1.gp", make_overview(3, 1)}, {"overview-time-3x2.gp", time}};
  for (const auto& row : rows)
    EXPECT_TRUE(matches_golden(script_of(overview_chart(row.overview)),
                               std::string("tests/plot/golden/") + row.golden));
}

TEST(ChartScript, DrawsEachChartFourTimes) {
  Chart chart{"slug", 300, 200, "$dots << EOD\n0 1\nEOD\n", {}};
  Canvas canvas(chart.width_px, chart.height_px);
  canvas.text(150, 20, "words", {});
  canvas.command("plot $dots with points lc " + rgb(colour::kBlue));
  chart.commands = canvas.commands();
  EXPECT_TRUE(matches_golden(chart_script({chart, chart}), "tests/plot/golden/script.gp"));
}

TEST(ChartScript, NothingToDraw) {
  EXPECT_FALSE(trend_chart(Series{}));
  EXPECT_FALSE(trend_chart(std::vector<Series>{}));
  EXPECT_FALSE(overview_chart({}));
}

TEST(ChartScript, ManyCommitsStayASmallScriptWithFewTics) {
  const auto chart = trend_chart(make_series(10000));
  ASSERT_TRUE(chart);
  EXPECT_LT(chart->data.size(), 100000u);
  EXPECT_LT(chart->commands.size(), 20000u);
  std::size_t dates = 0;
  for (std::size_t at = chart->commands.find("'2026-11-"); at != std::string::npos;
       at = chart->commands.find("'2026-11-", at + 1))
    ++dates;
  EXPECT_GE(dates, 5u);
  EXPECT_LE(dates, 13u);
}

// Twenty steps in a row: each has its mark, and those named are the ones that find room.
TEST(ChartScript, AManySteppedSeriesNamesWhatFits) {
  Series series = make_series(400, 3.48e12, 0);
  for (std::size_t i = 1; i <= 20; ++i) {
    const double level = i % 2 == 1 ? 0.9 : 1;
    for (std::size_t at = i * 19; at < (i + 1) * 19; ++at) {
      series.points[at].median *= level;
      series.points[at].spread = {series.points[at].spread.low * level,
                                  series.points[at].spread.high * level};
    }
    series.steps.push_back({i * 19, 3.48e12 * (1.9 - level), 3.48e12 * level, level < 1, true});
  }
  const auto chart = trend_chart(series);
  ASSERT_TRUE(chart);
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (std::size_t at = chart->commands.find(text); at != std::string::npos;
         at = chart->commands.find(text, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("object polygon"), 22);  // two of them in the legend
  EXPECT_GE(count(" %' at") - count("'±"), 10);
}

// Shape and words say what colour says.
TEST(ChartScript, AStepIsATriangleWithItsChange) {
  const std::string commands = trend_chart(make_series(20))->commands;
  EXPECT_NE(commands.find("'−5.00 %' at"), std::string::npos);
  EXPECT_NE(commands.find("'regressed' at"), std::string::npos);
  EXPECT_EQ(commands.find("'improved' at"), std::string::npos);
  EXPECT_NE(trend_chart(make_series(10))->commands.find("'−5.00 % new' at"), std::string::npos);
}

// 15 of 1200 pixels are 11 at the 880 that a comment shows.
TEST(ChartScript, NoTextIsTooSmallForAComment) {
  for (const int length : {1, 10, 300}) {
    const auto chart = trend_chart(make_series(length, 3.48e12, 0.3));
    EXPECT_EQ(chart->width_px, 1200);
    const std::string& text = chart->commands;
    for (std::size_t at = text.find("font '"); at != std::string::npos; at = text.find("font '", at + 1)) {
      const std::size_t comma = text.find(',', at);
      EXPECT_GE(std::stod(text.substr(comma + 1)), 15) << text.substr(at, 40);
    }
  }
}

}  // namespace
}  // namespace tracker
