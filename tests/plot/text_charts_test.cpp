#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/fixtures.hpp"
#include "tests/support/golden.hpp"
#include "tracker/base/text.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::plot {
namespace {

using test::matches_golden;

std::size_t widest_line(const std::string& text) {
  std::size_t columns = 0;
  for (const auto& line : split(text, '\n')) columns = std::max(columns, display_width(line));
  return columns;
}

TEST(TrendText, MatchesTheGoldenFiles) {
  struct Row {
    const char* golden;
    Series series;
    int columns;
  };
  Series disturbed = make_series(10);
  Series drifting = make_series(60, 3.48e12, 0);
  drifting.drifts = {{20, 60, 3.48e12, 3.4e12, {-0.03, -0.02}, drifting.points[20].commit, 40, true}};
  disturbed.points[3].disturbed = true;
  const Row rows[] = {{"trend-one.txt", make_series(1), 80},
                      {"trend-ten-step.txt", disturbed, 80},
                      {"trend-references.txt", make_series(10, 3.48e12, 0.4), 120},
                      {"trend-dense.txt", make_series(300), 100},
                      {"trend-drift.txt", drifting, 100}};
  for (const auto& row : rows)
    EXPECT_TRUE(matches_golden(draw_trend_text(row.series, row.columns, 24),
                               std::string("tests/plot/golden/") + row.golden));
}

TEST(TrendText, NeverWiderOrHigherThanTheTerminal) {
  for (const int count : {1, 2, 10, 300, 10000})
    for (const int columns : {40, 80, 120, 200})
      for (const int rows : {16, 24, 50}) {
        const std::string text = draw_trend_text(make_series(count), columns, rows);
        EXPECT_LE(widest_line(text), static_cast<std::size_t>(columns)) << count;
        EXPECT_LE(std::count(text.begin(), text.end(), '\n'), rows) << count;
      }
}

TEST(TrendText, StrangersTextCannotReachTheTerminal) {
  Series series = make_series(3);
  series.benchmark = "\x1B[2J\nname" + std::string(10000, 'x');
  series.device =
      "\x9B"
      "5m";
  series.references = {{"\x1B]0;title\x07", 3.5e12}};
  series.points[0].date = "\x1B[0m\n";
  const std::string text = draw_trend_text(series, 80, 24);
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_LE(widest_line(text), 80u);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24);
}

TEST(TrendText, EmptyForNothing) {
  EXPECT_EQ(draw_trend_text({}, 80, 24), "");
  EXPECT_EQ(draw_overview_text({}, 80), "");
}

TEST(OverviewText, MatchesTheGoldenFile) {
  EXPECT_TRUE(
      matches_golden(draw_overview_text(make_overview(6, 2), 100), "tests/plot/golden/overview-6x2.txt"));
}

TEST(OverviewText, StaysInItsColumnsWithAnyNames) {
  FamilyOverview overview = make_overview(3, 2);
  overview.family = "\x1B[31m" + std::string(500, 'f');
  overview.panels[0].bars[0].variant = std::string(10000, 'v') + "\n\xFF";
  overview.panels[0].shape = std::string(300, 's');
  overview.panels[1].references.push_back({"\x1B[1m" + std::string(300, 'r'), 1e12});
  for (const int columns : {40, 80, 120}) {
    const std::string text = draw_overview_text(overview, columns);
    EXPECT_LE(widest_line(text), static_cast<std::size_t>(columns));
    EXPECT_EQ(text.find('\x1B'), std::string::npos);
  }
}

// All kinds of charts for a terminal, with this name wherever a name can be.
std::vector<std::string> text_charts_of(const std::string& name) {
  Series series = make_series(40);
  series.benchmark = series.device = series.references.front().label = name;
  for (auto& point : series.points) point.subject = name;
  Series young = make_series(2);
  young.benchmark = young.device = young.points[0].subject = name;
  FamilyOverview overview = make_overview(3, 1);
  overview.device = overview.family = name;
  overview.panels[0].shape = overview.panels[0].bars[0].variant = overview.panels[0].references[0].label =
      name;
  SweepGrid grid = make_sweep_grid(3, 3);
  grid.device = grid.title = grid.row_title = grid.column_title = grid.rows[0] = grid.columns[0] = name;
  Roofline roofline = make_roofline(2, 1, 1);
  roofline.device = roofline.points[0].benchmark = name;
  return {draw_trend_text(series, 150, 24),  draw_trend_text(young, 150, 24),
          draw_overview_text(overview, 150), draw_sweep_text(grid, 150),
          best_of_sweep(grid, 150),          draw_roofline_text(roofline, 150)};
}

TEST(TextCharts, NoNameMakesALineOfItsOwn) {
  for (const std::string name : {"a\nb", "a\x1b[1mb", "a\u202Eb", "##[error]a"}) {
    const auto charts = text_charts_of(name);
    const auto as_printed = text_charts_of(printable(name));
    for (std::size_t i = 0; i < charts.size(); ++i) EXPECT_EQ(charts[i], as_printed[i]) << name;
  }
}

}  // namespace
}  // namespace tracker::plot
