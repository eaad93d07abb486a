// The real gnuplot draws grids of every size and with any names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/fixtures.hpp"
#include "tests/plot/pictures.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::plot {
namespace {

using test::read_text;

TEST(DrawSweeps, EverySizeGivesWholePictures) {
  const TempFolder folder;
  std::vector<SweepGrid> all;
  const std::pair<int, int> sizes[] = {{16, 14}, {1, 1}, {3, 40}, {60, 60}, {100, 2}};
  for (const auto& [rows, columns] : sizes) {
    all.push_back(make_sweep_grid(rows, columns));
    all.back().title += "/" + std::to_string(rows);
  }
  all.emplace_back();  // nothing to draw
  const auto files = draw_sweeps(all, folder.path());
  ASSERT_EQ(files.size(), all.size());
  EXPECT_TRUE(files.back().png.empty());
  for (std::size_t i = 0; i + 1 < files.size(); ++i) {
    const std::string png = read_text(files[i].png);
    expect_pictures(files[i], big_endian(png, 16), big_endian(png, 20));
  }
  EXPECT_LE(big_endian(read_text(files[0].png), 16), 1240u);  // a README's width, halved at most
}

TEST(DrawSweeps, HostileNamesNeitherRunNorFail) {
  const TempFolder folder;
  std::vector<SweepGrid> all;
  for (const auto& name : hostile_names()) {
    SweepGrid grid = make_sweep_grid(3, 4);
    grid.device = grid.title = grid.commit = grid.metric.name = name;
    grid.metric.unit = name.substr(0, 40);
    grid.row_title = grid.column_title = grid.rows[1] = grid.columns[2] = name;
    all.push_back(grid);
  }
  const auto files = draw_sweeps(all, folder.path());
  for (const auto& one : files) {
    const std::string png = read_text(one.png);
    expect_pictures(one, big_endian(png, 16), big_endian(png, 20));
    EXPECT_LE(big_endian(png, 16), 1240u);
  }
  EXPECT_EQ(entries(folder.path()).size(), 4 * all.size());
  EXPECT_THAT(entries(folder.path()), ::testing::Not(::testing::Contains("pwned")));
}

}  // namespace
}  // namespace tracker::plot
