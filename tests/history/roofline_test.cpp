#include "tracker/history/roofline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tests/support/make_run.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/baseline_document.hpp"

namespace tracker {
namespace {

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
  commit.runs = read_baseline(read_file(path, 64 << 20), path).runs;
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

}  // namespace
}  // namespace tracker
