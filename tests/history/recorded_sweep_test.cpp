// The sweep of block shapes that an H200 did: tests/data/h200_blocks.run.json.xz.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/process.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/history/chart_data.hpp"

namespace tracker::history {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;
using testing::StartsWith;

std::vector<SweepGrid> recorded_grids() {
  const std::string path = TRACKER_TEST_DATA "/h200_blocks.run.json.xz";
  ProcessSpec unpack;
  unpack.argv = {"xz", "--decompress", "--stdout", path};
  const auto unpacked = run_process(unpack);
  EXPECT_TRUE(unpacked.ok()) << unpacked.errors;
  CommitRuns commit;
  commit.runs = {formats::read_run(unpacked.output, path)};
  return make_sweeps({commit}, "nvidia-h200", {}, {}, {{.match = "transpose_blocks/*"}});
}

std::string best_block(const SweepGrid& grid, const std::string& variant) {
  const auto row = std::find(grid.rows.begin(), grid.rows.end(), variant) - grid.rows.begin();
  const auto& cells = grid.cells.at(static_cast<std::size_t>(row));
  const auto best = std::max_element(cells.begin(), cells.end()) - cells.begin();  // an empty one is least
  return grid.columns.at(static_cast<std::size_t>(best));
}

TEST(RecordedSweep, EverySizeIsAWholeGridOfVariantsAndBlocks) {
  const auto grids = recorded_grids();
  std::vector<std::string> titles;
  for (const auto& grid : grids) {
    titles.push_back(grid.title);
    EXPECT_THAT(grid.rows, SizeIs(24u));
    EXPECT_EQ(grid.rows.front(), "memcpy") << "the order of the table, although repetitions were shuffled";
    EXPECT_THAT(grid.columns, SizeIs(18u)) << "seventeen shapes, and memcpy's own";
    EXPECT_THAT(grid.columns, Contains("8x32"));
    EXPECT_EQ(grid.columns.front(), "1x1");
    EXPECT_EQ(grid.metric.name, "bytes_per_second");
  }
  EXPECT_THAT(titles, ElementsAre("transpose_blocks/f32/2048x2048", "transpose_blocks/f32/4000x4000",
                                  "transpose_blocks/f32/8192x8192", "transpose_blocks/f32/65536x64"));
}

TEST(RecordedSweep, ColumnReadsWantBlocksOf8By32AsTheClassicResultHasIt) {
  for (const auto& grid : recorded_grids()) {
    EXPECT_EQ(best_block(grid, "naive_col"), "8x32") << grid.title;
    EXPECT_THAT(best_block(grid, "copy_col"), AnyOf(StartsWith("1x"), StartsWith("4x"))) << grid.title;
  }
}

}  // namespace
}  // namespace tracker::history
