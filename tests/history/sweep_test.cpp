#include "tracker/history/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
namespace {

using test::around;
using test::make_run;
using test::Timed;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Timed at(const std::string& name, double time_ns) {
  return {.name = name, .times_ns = around(time_ns), .bytes_per_iteration = 1000};
}

CommitRuns commit_with(char id, const std::vector<Timed>& benchmarks) {
  CommitRuns commit;
  commit.commit.id = std::string(40, id);
  commit.runs = {make_run({}, benchmarks)};
  return commit;
}

// Two variants, two sizes, three blocks; one of them does not run everywhere.
std::vector<Timed> block_sweep() {
  std::vector<Timed> all;
  double time = 100;
  for (const char* variant : {"smem", "naive"})
    for (const char* size : {"64x64", "8x8"})
      for (const char* block : {"32x8", "8x32", "16x16"})
        if (std::string(variant) != "smem" || std::string(block) != "8x32")
          all.push_back(at("blocks/" + std::string(variant) + "/f32/" + size + "/" + block, time += 10));
  return all;
}

const Sweep kAll{.match = "*"};
const Sweep kBlocks{
    .match = "blocks/*", .rows = "{2}", .columns = "{5}", .row_title = "variant", .column_title = "block"};

std::vector<SweepGrid> sweeps_of(const std::vector<Timed>& benchmarks, const std::vector<Sweep>& sweeps,
                                 const std::vector<std::string>& globs = {}) {
  return make_sweeps({commit_with('a', benchmarks)}, "gpu", globs, {}, sweeps);
}

std::vector<std::string> titles(const std::vector<SweepGrid>& grids) {
  std::vector<std::string> all;
  for (const auto& grid : grids) all.push_back(grid.title);
  return all;
}

TEST(Sweep, WhatIsInNeitherAxisTellsGridsApart) {
  const auto grids = sweeps_of(block_sweep(), {kBlocks});
  ASSERT_THAT(titles(grids), ElementsAre("blocks/f32/64x64", "blocks/f32/8x8"));
  const SweepGrid& grid = grids[1];
  EXPECT_EQ(grid.device, "gpu");
  EXPECT_EQ(grid.commit, std::string(40, 'a'));
  EXPECT_EQ(grid.metric.name, "bytes_per_second");
  EXPECT_EQ(grid.row_title, "variant");
  EXPECT_EQ(grid.column_title, "block");
  EXPECT_THAT(grid.rows, ElementsAre("smem", "naive"));
  EXPECT_THAT(grid.columns, ElementsAre("8x32", "16x16", "32x8"));
  ASSERT_THAT(grid.cells, SizeIs(2));
  EXPECT_THAT(grid.cells[0], ElementsAre(std::nullopt, testing::Optional(testing::DoubleEq(1000 / 140e-9)),
                                         testing::Optional(testing::DoubleEq(1000 / 130e-9))));
  EXPECT_THAT(grid.cells[1][0], testing::Optional(testing::DoubleEq(1000 / 190e-9)));
  EXPECT_THAT(grid.thresholds, ElementsAre(0.05, 0.05));
}

TEST(Sweep, FindsTheAxesInTheNames) {
  const auto grids = sweeps_of(block_sweep(), {kAll});
  ASSERT_THAT(titles(grids), ElementsAre("blocks/f32/64x64", "blocks/f32/8x8"));
  EXPECT_THAT(grids[0].rows, ElementsAre("smem", "naive"));
  EXPECT_THAT(grids[0].columns, ElementsAre("8x32", "16x16", "32x8"));
}

TEST(Sweep, OneAxisMayBeSaidAndTheOtherFound) {
  const auto by_size = sweeps_of(block_sweep(), {{.match = "*", .columns = "{4}"}});
  EXPECT_THAT(titles(by_size), ElementsAre("blocks/f32/32x8", "blocks/f32/16x16", "blocks/f32/8x32"));
  EXPECT_THAT(by_size[0].columns, ElementsAre("8x8", "64x64"));
  const auto of_blocks = sweeps_of(block_sweep(), {{.match = "*", .rows = "{5} at {4}"}});
  ASSERT_THAT(titles(of_blocks), ElementsAre("blocks/f32"));
  EXPECT_THAT(of_blocks[0].rows, SizeIs(6));
  EXPECT_EQ(of_blocks[0].rows[0], "8x32 at 8x8");
  EXPECT_THAT(of_blocks[0].columns, ElementsAre("smem", "naive"));
}

TEST(Sweep, NumbersOfGoogleBenchmarksOwnNames) {
  const auto grids = sweeps_of(
      {at("BM_copy/8/1024", 10), at("BM_copy/16/1024", 11), at("BM_copy/8/64", 5), at("BM_copy/16/64", 6)},
      {kAll});
  ASSERT_THAT(titles(grids), ElementsAre("BM_copy"));
  EXPECT_THAT(grids[0].rows, ElementsAre("8", "16"));
  EXPECT_THAT(grids[0].columns, ElementsAre("64", "1024"));
  const auto line = sweeps_of({at("BM_copy/1024", 10), at("BM_copy/64", 11)}, {kAll});
  ASSERT_THAT(line, SizeIs(1));
  EXPECT_THAT(line[0].rows, ElementsAre("BM_copy"));
  EXPECT_THAT(line[0].columns, ElementsAre("64", "1024"));
}

TEST(Sweep, FamiliesAndMetricsStayApart) {
  auto benchmarks = block_sweep();
  benchmarks.push_back(at("gemm/a/f32/8x8/1", 5));
  benchmarks.push_back(at("gemm/b/f32/8x8/1", 5));
  benchmarks.push_back({.name = "gemm/b/f32/8x8/2", .times_ns = around(5)});  // bytes are not known
  const auto grids = sweeps_of(benchmarks, {kAll}, {"gemm/*"});
  ASSERT_THAT(titles(grids), ElementsAre("gemm/f32/8x8"));
  EXPECT_THAT(grids[0].rows, ElementsAre("a", "b"));
  EXPECT_THAT(grids[0].columns, ElementsAre("1"));
}

TEST(Sweep, TheLastThatMatchesCounts) {
  const Sweep sizes{.match = "blocks/naive/*", .rows = "{4}", .columns = "{5}"};
  EXPECT_THAT(titles(sweeps_of(block_sweep(), {kBlocks, sizes})),
              ElementsAre("blocks/f32/64x64", "blocks/f32/8x8", "blocks/naive/f32"));
}

TEST(Sweep, GlobsChooseBenchmarks) {
  const auto grids = sweeps_of(block_sweep(), {kBlocks}, {"*/64x64/*"});
  EXPECT_THAT(titles(grids), ElementsAre("blocks/f32/64x64"));
  EXPECT_THAT(sweeps_of(block_sweep(), {kBlocks}, {"other/*"}), IsEmpty());
  EXPECT_THAT(sweeps_of(block_sweep(), {}), IsEmpty());
}

TEST(Sweep, LeavesOutWhatIsNoGrid) {
  EXPECT_THAT(sweeps_of({at("alone/x", 10), at("segment", 10)}, {kAll}), IsEmpty());
  EXPECT_THAT(sweeps_of(block_sweep(), {{.match = "*", .rows = "{2}", .columns = "{6}"}}), IsEmpty());
  EXPECT_THAT(make_sweeps({}, "gpu", {}, {}, {kAll}), IsEmpty());
}

TEST(Sweep, WhatFailedIsAnEmptyCell) {
  auto benchmarks = block_sweep();
  benchmarks[0].error = "too many resources requested for launch";
  const auto grids = sweeps_of(benchmarks, {kBlocks});
  EXPECT_EQ(grids[0].rows[0], "smem");
  EXPECT_THAT(grids[0].cells[0], ElementsAre(std::nullopt, testing::Ne(std::nullopt), std::nullopt));
}

TEST(Sweep, EachGridIsOfTheNewestCommitThatHasIt) {
  std::vector<Timed> small;
  for (const auto& benchmark : block_sweep())
    if (benchmark.name.find("8x8") != std::string::npos) small.push_back(benchmark);
  const std::vector<CommitRuns> history{
      commit_with('a', block_sweep()), commit_with('b', small), commit_with('c', {at("other/x", 1)}),
      commit_with('d', {at("blocks/smem/f32/64x64/32x8", 1)})};  // one cell: nothing to look at
  const auto grids = make_sweeps(history, "gpu", {}, {}, {kBlocks});
  ASSERT_THAT(titles(grids), ElementsAre("blocks/f32/8x8", "blocks/f32/64x64"));
  EXPECT_EQ(grids[0].commit, std::string(40, 'b'));
  EXPECT_EQ(grids[1].commit, std::string(40, 'a'));
}

TEST(Sweep, HasTheNewNamesAndTheThresholdsOfThePolicy) {
  Policy policy;
  policy.rules = {{.match = "blocks/naive/*", .threshold = 0.01}};
  policy.renames = {{"blocks/smem/*", "blocks/tile/*"}};
  const auto grids = make_sweeps({commit_with('a', block_sweep())}, "gpu", {}, policy, {kBlocks});
  EXPECT_THAT(grids[0].rows, ElementsAre("tile", "naive"));
  EXPECT_THAT(grids[0].thresholds, ElementsAre(0.05, 0.01));
}

TEST(LeaveOutSweeps, TakesTheirBenchmarksAndEmptyCommitsOut) {
  auto both = block_sweep();
  both.push_back(at("copy/x", 1));
  std::vector<CommitRuns> history{commit_with('a', both), commit_with('b', block_sweep())};
  auto untouched = history;
  leave_out_sweeps(untouched, {}, {});
  EXPECT_THAT(untouched, SizeIs(2));
  leave_out_sweeps(history, {kBlocks}, {});
  ASSERT_THAT(history, SizeIs(1));
  ASSERT_THAT(history[0].runs[0].benchmarks, SizeIs(1));
  EXPECT_EQ(history[0].runs[0].benchmarks[0].name, "copy/x");
  std::vector<CommitRuns> old{commit_with('a', {at("old/x", 1), at("copy/x", 1)})};
  leave_out_sweeps(old, {kBlocks}, {{"old/*", "blocks/*"}});
  EXPECT_THAT(old[0].runs[0].benchmarks, SizeIs(1));
}

}  // namespace
}  // namespace tracker
