#include "tracker/history/overview.hpp"

#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
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

}  // namespace
}  // namespace tracker
