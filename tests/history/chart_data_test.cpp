#include "tracker/history/chart_data.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tests/support/make_run.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/baseline_document.hpp"

namespace tracker::history {
namespace {

using test::around;
using test::make_run;
using test::Timed;

CommitRuns commit_with(const std::vector<Timed>& benchmarks) {
  CommitRuns commit;
  commit.commit.id = std::string(40, 'a');
  commit.runs = {make_run({}, benchmarks)};
  return commit;
}

Policy bounded_by_copy() {
  Policy policy;
  policy.rules = {{.match = "t/*", .bound = "t/copy/{3}"}};
  return policy;
}

TEST(Overview, PutsVariantsOfOneShapeInOnePanel) {
  const auto overviews = make_overviews(commit_with({{"t/copy/8x8", around(100), 800},
                                                     {"t/naive/8x8", around(200), 800},
                                                     {"t/copy/9x9", around(100), 900},
                                                     {"t/naive/9x9", around(300), 900}}),
                                        "gpu", {}, bounded_by_copy());
  ASSERT_EQ(overviews.size(), 1u);
  EXPECT_EQ(overviews[0].family, "t");
  ASSERT_EQ(overviews[0].panels.size(), 2u);
  const auto& panel = overviews[0].panels[1];
  EXPECT_EQ(panel.shape, "9x9");
  ASSERT_EQ(panel.bars.size(), 2u);
  EXPECT_EQ(panel.bars[1].variant, "naive");
  EXPECT_DOUBLE_EQ(panel.bars[1].median, 900 / 300e-9);
  ASSERT_EQ(panel.references.size(), 1u);
  EXPECT_EQ(panel.references[0].label, "copy");
  EXPECT_DOUBLE_EQ(panel.references[0].value, 900 / 100e-9);
}

TEST(Overview, KeepsTypesApart) {
  CommitRuns commit = commit_with({{"t/copy/f32/8x8", around(100), 800},
                                   {"t/naive/f32/8x8", around(200), 800},
                                   {"t/naive/bf16/8x8/hot", around(50), 400},
                                   {"t/copy/bf16/8x8/hot", around(40), 400},
                                   {"t/copy/8x8/8", around(100), 800},
                                   {"t/naive/8x8/8", around(100), 800}});
  const auto overviews = make_overviews(commit, "gpu", {}, {});
  ASSERT_EQ(overviews.size(), 3u);
  EXPECT_EQ(overviews[0].family, "t f32");
  ASSERT_EQ(overviews[0].panels.size(), 1u);
  EXPECT_EQ(overviews[0].panels[0].shape, "8x8");
  EXPECT_EQ(overviews[0].panels[0].bars.size(), 2u);
  EXPECT_EQ(overviews[1].family, "t bf16");
  ASSERT_EQ(overviews[1].panels.size(), 1u);
  EXPECT_EQ(overviews[1].panels[0].shape, "8x8/hot");
  EXPECT_EQ(overviews[1].panels[0].bars.size(), 2u);
  EXPECT_EQ(overviews[2].family, "t");  // 8x8 is not a type
  EXPECT_EQ(overviews[2].panels.at(0).shape, "8x8/8");
}

TEST(Overview, DrawsThePeakOfEachType) {
  CommitRuns commit = commit_with({{"g/a/f32/8", around(100), {}},
                                   {"g/b/f32/8", around(200), {}},
                                   {"g/a/bf16/8", around(10), {}},
                                   {"g/b/bf16/8", around(20), {}}});
  auto& run = commit.runs.front();
  run.device.peak_flops = 67e12;
  for (auto& benchmark : run.benchmarks) {
    benchmark.flops_per_iteration = 1000;
    if (benchmark.name.find("bf16") != std::string::npos) benchmark.counters["peak_flops"] = 989e12;
  }
  const auto overviews = make_overviews(commit, "gpu", {}, {});
  ASSERT_EQ(overviews.size(), 2u);
  EXPECT_EQ(overviews[0].panels.at(0).references.at(0).value, 67e12);
  EXPECT_EQ(overviews[1].panels.at(0).references.at(0).value, 989e12);
}

TEST(Overview, HasTheNewNames) {
  Policy policy = bounded_by_copy();
  policy.renames = {{"old/*", "t/*"}};
  const auto overviews =
      make_overviews(commit_with({{"old/copy/8x8", around(100), 800}, {"t/naive/8x8", around(200), 800}}),
                     "gpu", {}, policy);
  ASSERT_EQ(overviews.size(), 1u);
  EXPECT_EQ(overviews[0].panels.front().bars.size(), 2u);
  EXPECT_EQ(overviews[0].panels.front().references.size(), 1u);
}

TEST(Overview, LeavesOutWhatHasNothingToCompareWith) {
  EXPECT_TRUE(
      make_overviews(commit_with({{"lonely/only/8x8", around(100), 800}, {"short", around(100), 800}}), "gpu",
                     {}, {})
          .empty());
}

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

using test::around;
using test::make_run;
using test::Timed;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::SizeIs;

const std::vector<WorkRule> kProducts{
    {.match = "gemm/*", .bytes = "4 * ({3.1}*{3.3} + {3.3}*{3.2} + {3.1}*{3.2})"}};

CommitRuns commit_for_roofline(const std::vector<Timed>& benchmarks, double flops = 0) {
  CommitRuns commit;
  commit.commit.id = std::string(40, 'a');
  commit.runs = {make_run({}, benchmarks)};
  Device& device = commit.runs.front().device;
  device.peak_bytes_per_second = 4.8e12;
  device.peak_flops = 67e12;
  for (auto& benchmark : commit.runs.front().benchmarks)
    if (flops > 0 && benchmark.name.starts_with("gemm")) benchmark.flops_per_iteration = flops;
  return commit;
}

Policy copy_is_bound() {
  Policy policy;
  policy.rules = {{.match = "t/*", .bound = "t/copy/{3}"}};
  return policy;
}

TEST(Roofline, TakesTheWorkFromTheRuleOrTheBenchmark) {
  const double flops = 2.0 * 64 * 32 * 16;
  const auto roofline = make_roofline(
      {commit_for_roofline({{"gemm/a/64x32x16", around(1000), {}}, {"t/copy/8x8", around(100), 800}}, flops)},
      "gpu", {}, {}, kProducts);
  ASSERT_TRUE(roofline);
  ASSERT_THAT(roofline->points, SizeIs(2));
  const RooflinePoint& product = roofline->points[0];
  EXPECT_DOUBLE_EQ(product.flops_per_second, flops / 1000e-9);
  EXPECT_DOUBLE_EQ(product.intensity(), flops / (4 * (64 * 16 + 16 * 32 + 64 * 32)));
  EXPECT_EQ(product.peak_flops, 67e12);
  EXPECT_EQ(product.variant, "a");
  EXPECT_EQ(product.shape, "64x32x16");
  EXPECT_DOUBLE_EQ(roofline->points[1].bytes_per_second, 800 / 100e-9);
  EXPECT_EQ(roofline->points[1].flops_per_second, 0);
  EXPECT_THAT(roofline->unplaced, IsEmpty());
}

TEST(Roofline, ARuleStandsOverWhatTheBenchmarkStates) {
  CommitRuns commit = commit_for_roofline({{"gemm/a/8x8x8", around(1000), 1e9}}, 1024);
  const auto stated = make_roofline({commit}, "gpu", {}, {}, {});
  EXPECT_DOUBLE_EQ(stated->points.at(0).intensity(), 1024 / 1e9);
  const auto ruled =
      make_roofline({commit}, "gpu", {}, {}, {{.match = "*", .bytes = "512", .flops = "4096"}});
  EXPECT_DOUBLE_EQ(ruled->points.at(0).intensity(), 8);
}

TEST(Roofline, NamesWhatHasNoPlaceForWantOfBytes) {
  const auto roofline =
      make_roofline({commit_for_roofline({{"gemm/a/8x8x8", around(1000), {}}}, 1024)}, "gpu", {}, {}, {});
  ASSERT_TRUE(roofline);
  EXPECT_THAT(roofline->points, IsEmpty());
  EXPECT_THAT(roofline->unplaced, ElementsAre("gemm/a/8x8x8"));
  EXPECT_FALSE(make_roofline({commit_for_roofline({{"x", around(10), {}}})}, "gpu", {}, {}, {}));
  EXPECT_FALSE(make_roofline({}, "gpu", {}, {}, {}));
}

TEST(Roofline, TheMeasuredBandwidthIsTheBestBoundThatIsPossible) {
  // In nanoseconds and bytes: 4 TB/s, 3 TB/s, faster than the memory, and no bound.
  const std::vector<Timed> benchmarks{{"t/copy/1", around(1000), 4e6},
                                      {"t/copy/2", around(1000), 3e6},
                                      {"t/copy/3", around(1000), 9e6},
                                      {"t/best/1", around(1000), 4.5e6}};
  const auto bounded = make_roofline({commit_for_roofline(benchmarks)}, "gpu", {}, copy_is_bound(), {});
  ASSERT_TRUE(bounded && bounded->measured);
  EXPECT_EQ(bounded->measured->label, "copy 1");
  EXPECT_DOUBLE_EQ(bounded->measured->value, 4e12);
  EXPECT_TRUE(bounded->points[0].is_bound);
  EXPECT_FALSE(bounded->points[3].is_bound);
  const auto free = make_roofline({commit_for_roofline(benchmarks)}, "gpu", {}, {}, {});
  EXPECT_EQ(free->measured->label, "best 1");
}

TEST(Roofline, TheMeasuredBandwidthIsOfTheDeviceNotOfWhatIsAskedFor) {
  const CommitRuns older = commit_for_roofline({{"t/copy/1", around(1000), 4e6}});
  const CommitRuns newer = commit_for_roofline({{"gemm/a/8x8x8", around(1000), {}}}, 1024);
  const auto roofline = make_roofline({older, newer}, "gpu", {"gemm/*"}, copy_is_bound(), kProducts);
  ASSERT_TRUE(roofline);
  EXPECT_THAT(roofline->points, SizeIs(1));
  ASSERT_TRUE(roofline->measured);
  EXPECT_EQ(roofline->measured->label, "copy 1");
}

TEST(Roofline, TheNewestCommitThatHasAnythingIsDrawn) {
  CommitRuns older = commit_for_roofline({{"t/copy/1", around(1000), 4e6}});
  CommitRuns newer = commit_for_roofline({{"other/x", around(1000), {}}});
  newer.commit.id = std::string(40, 'b');
  EXPECT_EQ(make_roofline({older, newer}, "gpu", {}, {}, {})->commit, older.commit.id);
  Policy policy;
  policy.renames = {{"t/*", "new/*"}};
  EXPECT_EQ(make_roofline({older}, "gpu", {"new/*"}, policy, {})->points.at(0).benchmark, "new/copy/1");
}

// The promoted baseline.
TEST(RecordedRoofline, TheProductsOfAnH200AreUnderItsFp32Peak) {
  const std::string path = TRACKER_SOURCE_DIR "/baselines/nvidia-h200-140gib-700w.json";
  CommitRuns commit;
  commit.runs = formats::read_baseline(tracker::read_file(path, 64 << 20), path).runs;
  const auto roofline =
      make_roofline({commit}, "nvidia-h200", {}, {},
                    {{.match = "gemm*", .bytes = "{3}/8 * ({4.1}*{4.3} + {4.3}*{4.2} + {4.1}*{4.2})"}});
  ASSERT_TRUE(roofline);
  EXPECT_THAT(roofline->unplaced, IsEmpty());
  EXPECT_EQ(roofline->peak_flops, 6.6908160e13);
  EXPECT_THAT(roofline->measured->label, EndsWith(" 8192x8192"))
      << "the fastest copy is of the largest matrix";
  for (const auto& point : roofline->points) {
    if (point.flops_per_second > 0) {
      EXPECT_THAT(point.flops_per_second, Lt(*point.peak_flops)) << point.benchmark;
    }
    EXPECT_THAT(point.bytes_per_second, Gt(0)) << point.benchmark;
    if (point.benchmark == "gemm/cublas/f32/4096x4096x4096") {
      EXPECT_NEAR(point.intensity(), 2.0 * 4096 / 12, 1e-9);
    }
  }
}

using RunList = std::vector<Run>;
using test::make_run;
using test::Timed;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Comparison comparison_of(const std::string& name, const std::string& metric = "real_time") {
  Comparison comparison;
  comparison.benchmark = name;
  comparison.metric = find_metric(metric);
  return comparison;
}

ComparisonReport report_of(const RunList& base, const RunList& candidate) {
  ComparisonReport report;
  for (const auto& run : base) report.base.runs.push_back(run.id);
  for (const auto& run : candidate) report.candidate.runs.push_back(run.id);
  return report;
}

Run run_with(const std::string& id, const std::string& job, const std::vector<Timed>& timed) {
  return make_run({.id = id, .job = job}, timed);
}

std::vector<double> medians_of(const std::vector<InvocationSamples>& side) {
  std::vector<double> medians;
  for (const auto& one : side) medians.push_back(std::round(one.median * 1e9));
  return medians;
}

TEST(Samples, KeepEveryRepetitionOfEveryInvocation) {
  auto base = run_with("a", "job", {{"k", {100, 110}}});
  base.invocations[1].samples["k"] = {
      {110, std::numeric_limits<double>::quiet_NaN(), 130}, {}, {1, 1, 1}, {}};
  base.invocations[1].round = 7;
  base.invocations[1].excluded = exclusion_of("warm-up");
  base.invocations[0].conditions.other_processes = 1;
  const RunList runs{base};
  const auto samples = make_samples(report_of(runs, {}), comparison_of("k"), runs, {}, {});
  ASSERT_EQ(samples.base.size(), 2u);
  EXPECT_THAT(samples.candidate, IsEmpty());
  EXPECT_EQ(samples.base[0].round, 1) << "its place, where the round is not known";
  EXPECT_TRUE(samples.base[0].disturbed);
  EXPECT_FALSE(samples.base[0].excluded);
  EXPECT_EQ(samples.base[1].round, 7);
  EXPECT_EQ(samples.base[1].excluded.reason, ExclusionReason::kWarmUp);
  EXPECT_EQ(samples.base[1].values.size(), 2u) << "a repetition without a value has no dot";
  EXPECT_DOUBLE_EQ(samples.base[1].median, 120e-9);
}

TEST(Samples, AreOfTheMetricThatIsJudged) {
  const RunList runs{run_with("a", "job", {{"k", {100}, 1000}})};
  const auto samples =
      make_samples(report_of(runs, {}), comparison_of("k", "bytes_per_second"), runs, {}, {});
  EXPECT_DOUBLE_EQ(samples.base.at(0).median, 1e10);
}

TEST(Samples, OfWhatWasMeasuredInTurnAreThoseOfTheNewestSharedJob) {
  const RunList base{run_with("a1", "1", {{"k", {100}}}), run_with("a2", "2", {{"k", {101}}}),
                     run_with("a3", "alone", {{"k", {102}}})};
  const RunList candidate{run_with("b1", "1", {{"k", {200}}}), run_with("b2", "2", {{"k", {201}}})};
  auto report = report_of(base, candidate);
  report.interleaved = true;
  const auto samples = make_samples(report, comparison_of("k"), base, candidate, {});
  EXPECT_TRUE(samples.paired);
  EXPECT_THAT(medians_of(samples.base), ElementsAre(101));
  EXPECT_THAT(medians_of(samples.candidate), ElementsAre(201));
}

TEST(Samples, OfStoredRunsAreThoseThatTheReportNames) {
  const RunList base{run_with("a1", "1", {{"k", {100}}}), run_with("a2", "2", {{"k", {101}}}),
                     run_with("a3", "3", {{"k", {102}}})};
  const RunList candidate{run_with("b1", "4", {{"k", {200}}})};
  auto report = report_of(base, candidate);
  report.base.runs = {"a1", "a3"};
  const auto samples = make_samples(report, comparison_of("k"), base, candidate, {});
  EXPECT_FALSE(samples.paired);
  EXPECT_THAT(medians_of(samples.base), ElementsAre(100, 102));
  EXPECT_EQ(samples.base[0].job, 0);
  EXPECT_EQ(samples.base[1].job, 1);
}

// The confirming job measured both benchmarks, but only one of the verdicts rests on it.
TEST(Samples, OfAConfirmedVerdictAreThoseOfTheConfirmingJob) {
  RunList base{run_with("a1", "1", {{"k", {100}}, {"other", {10}}}),
               run_with("a2", "c", {{"k", {101}}, {"other", {11}}})};
  RunList candidate{run_with("b1", "2", {{"k", {200}}, {"other", {20}}}),
                    run_with("b2", "c", {{"k", {201}}, {"other", {21}}})};
  base[1].selection = candidate[1].selection = {"^k$", 1};
  const auto report = report_of(base, candidate);
  Comparison confirmed = comparison_of("k");
  confirmed.confirmed = true;
  const auto in_turn = make_samples(report, confirmed, base, candidate, {});
  EXPECT_TRUE(in_turn.paired);
  EXPECT_THAT(medians_of(in_turn.candidate), ElementsAre(201));
  const auto stored = make_samples(report, comparison_of("other"), base, candidate, {});
  EXPECT_FALSE(stored.paired);
  EXPECT_THAT(medians_of(stored.candidate), ElementsAre(20));
}

TEST(Samples, FollowARename) {
  Policy policy;
  policy.renames = {{"old/*", "new/*"}};
  const RunList base{run_with("a", "1", {{"old/k", {100}}})};
  const RunList candidate{run_with("b", "2", {{"new/k", {200}}})};
  const auto samples =
      make_samples(report_of(base, candidate), comparison_of("new/k"), base, candidate, policy);
  EXPECT_THAT(medians_of(samples.base), ElementsAre(100));
  EXPECT_THAT(medians_of(samples.candidate), ElementsAre(200));
}

TEST(Samples, OfABenchmarkThatFailedAreNone) {
  RunList base{run_with("a", "1", {{"k", {100}}})};
  base[0].benchmarks[0].error = "no memory";
  EXPECT_THAT(make_samples(report_of(base, {}), comparison_of("k"), base, {}, {}).base, IsEmpty());
}

}  // namespace

}  // namespace tracker::history
