// Sweeps: what a grid shows, as numbers, as a script and as text.
#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/fixtures.hpp"
#include "tests/support/golden.hpp"
#include "tracker/base/text.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

using test::matches_golden;
using ::testing::HasSubstr;
using ::testing::Not;

SweepGrid one_row(const std::vector<std::optional<double>>& cells, const Metric& metric) {
  SweepGrid grid = make_sweep_grid(1, static_cast<int>(cells.size()));
  grid.metric = metric;
  grid.cells = {cells};
  return grid;
}

std::size_t widest(const std::string& text) {
  std::size_t columns = 0;
  const auto lines = split(text, '\n');
  for (const auto& line : lines) columns = std::max(columns, display_width(line));
  return columns;
}

TEST(SweepView, TheBestIsTheFastest) {
  const SweepView rates = view_sweep(one_row({1e12, 3e12, {}, 2e12}, kBandwidth));
  ASSERT_EQ(rates.rows.size(), 1u);
  EXPECT_EQ(rates.rows[0].best, 1u);
  EXPECT_EQ(rates.rows[0].worst, 0u);
  EXPECT_FALSE(rates.rows[0].cells[2]);
  EXPECT_EQ(rates.scale.unit, "TB/s");
  EXPECT_DOUBLE_EQ(rates.rows[0].cells[1]->shade, 1);
  EXPECT_DOUBLE_EQ(rates.rows[0].cells[3]->shade, 0.5);
  EXPECT_DOUBLE_EQ(rates.rows[0].cells[0]->shade, 0);

  const SweepView times = view_sweep(one_row({1e-3, 4e-3, 2e-3}, kTime));
  EXPECT_EQ(times.rows[0].best, 0u);
  EXPECT_EQ(times.rows[0].worst, 1u);
  EXPECT_DOUBLE_EQ(times.rows[0].cells[0]->shade, 1);
  EXPECT_NEAR(times.rows[0].cells[2]->shade, 1.0 / 3, 1e-12);  // half as fast, where a quarter is the slowest
  EXPECT_DOUBLE_EQ(times.lightest, 1);
  EXPECT_DOUBLE_EQ(times.darkest, 4);
}

TEST(SweepView, AsGoodIsWithinTheThreshold) {
  const auto as_good = [](const SweepView& view) {
    std::vector<bool> all;
    for (const auto& cell : view.rows[0].cells) all.push_back(cell->as_good);
    return all;
  };
  EXPECT_EQ(as_good(view_sweep(one_row({97.9, 98.1, 100.0}, kBandwidth))),
            (std::vector<bool>{false, true, true}));
  EXPECT_EQ(as_good(view_sweep(one_row({102.1, 101.9, 100.0}, kTime))),
            (std::vector<bool>{false, true, true}));
}

TEST(SweepView, SmallDifferencesAreNotDrivenApart) {
  const SweepView view = view_sweep(one_row({99.0, 100.0}, kBandwidth));
  EXPECT_DOUBLE_EQ(view.darkest, 90);
  EXPECT_DOUBLE_EQ(view.lightest, 100);
  EXPECT_NEAR(view.rows[0].cells[0]->shade, 0.9, 1e-12);
}

TEST(SweepView, LeavesOutWhatIsNoSpeed) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const SweepView view = view_sweep(one_row({kNan, kInfinity, 0.0, -1.0, 5.0}, kBandwidth));
  ASSERT_EQ(view.rows.size(), 1u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(view.rows[0].cells[i]) << i;
  EXPECT_EQ(view.rows[0].best, 4u);
  EXPECT_TRUE(view_sweep(one_row({kNan, {}}, kBandwidth)).rows.empty());
  EXPECT_TRUE(view_sweep({}).rows.empty());
}

TEST(SweepView, ARowWithoutResultsStaysAnEmptyRow) {
  SweepGrid grid = make_sweep_grid(2, 3);
  grid.cells[0] = {{}, {}, {}};
  const SweepView view = view_sweep(grid);
  ASSERT_EQ(view.rows.size(), 2u);
  EXPECT_FALSE(view.rows[0].best);
  EXPECT_TRUE(view.rows[1].best);
}

TEST(SweepView, SaysThatItIsCut) {
  EXPECT_FALSE(view_sweep(make_sweep_grid(60, 60)).cut);
  const SweepView view = view_sweep(make_sweep_grid(61, 200));
  EXPECT_TRUE(view.cut);
  EXPECT_EQ(view.rows.size(), 60u);
  EXPECT_EQ(view.columns.size(), 60u);
  EXPECT_EQ(view.rows[0].cells.size(), 60u);
}

TEST(CellNumber, HasThreeDigits) {
  const std::pair<double, const char*> rows[] = {{3.944, "3.94"},    {0.2121, "0.212"}, {12.34, "12.3"},
                                                 {153.2, "153"},     {999.4, "999"},    {9.996, "10.0"},
                                                 {0.0813, "0.0813"}, {1, "1.00"},       {1234, "1.23e+03"}};
  for (const auto& [value, text] : rows) EXPECT_EQ(cell_number(value), text);
}

TEST(SweepScript, MatchesTheGoldenFiles) {
  SweepGrid times = make_sweep_grid(3, 4);
  times.metric = kTime;
  times.row_title.clear();
  times.column_title.clear();
  for (auto& line : times.cells)
    for (auto& cell : line)
      if (cell) cell = 1 / *cell;
  times.columns[1] = "a column whose name is too wide for its cell";
  const std::pair<const char*, SweepGrid> rows[] = {{"sweep-3x5.gp", make_sweep_grid(3, 5)},
                                                    {"sweep-time-3x4.gp", times}};
  for (const auto& [golden, grid] : rows) {
    const auto chart = sweep_chart(grid);
    ASSERT_TRUE(chart) << golden;
    EXPECT_TRUE(matches_golden(chart->data + chart->commands, std::string("tests/plot/golden/") + golden));
  }
  EXPECT_FALSE(sweep_chart({}));
}

TEST(SweepText, MatchesTheGoldenFile) {
  const SweepGrid grid = make_sweep_grid(4, 14);
  EXPECT_TRUE(matches_golden(draw_sweep_text(grid, 80) + "\n" + best_of_sweep(grid, 80),
                             "tests/plot/golden/sweep-4x14.txt"));
}

TEST(SweepText, EmptyForNothing) {
  EXPECT_EQ(draw_sweep_text({}, 80), "");
  EXPECT_EQ(best_of_sweep({}, 80), "");
}

TEST(SweepText, CountsTheGoodOnesThatDoNotFit) {
  SweepGrid grid = make_sweep_grid(1, 30);
  for (auto& cell : grid.cells[0]) cell = 1e12;
  EXPECT_THAT(best_of_sweep(grid, 80), HasSubstr("16x8 24x8"));
  EXPECT_THAT(best_of_sweep(grid, 80), HasSubstr(" more\n"));
  EXPECT_THAT(best_of_sweep(grid, 40), Not(HasSubstr("24x8")));
}

TEST(SweepText, StaysInItsColumnsWithAnyNames) {
  SweepGrid grid = make_sweep_grid(3, 40);
  grid.title = "\x1B[31m" + std::string(500, 't');
  grid.device =
      "\x9B"
      "5m" +
      std::string(500, 'd');
  grid.rows[0] = std::string(10000, 'r') + "\n\xFF";
  grid.columns[3] = "\x1B]0;title\x07" + std::string(300, 'c');
  grid.row_title = grid.column_title = "\x1B[1m" + std::string(300, 'x');
  for (const int columns : {40, 80, 120}) {
    const std::string text = draw_sweep_text(grid, columns) + best_of_sweep(grid, columns);
    EXPECT_LE(widest(text), static_cast<std::size_t>(columns));
    EXPECT_THAT(text, Not(HasSubstr("\x1B")));
    EXPECT_THAT(text, Not(HasSubstr("\x07")));
  }
}

}  // namespace
}  // namespace tracker::plot
