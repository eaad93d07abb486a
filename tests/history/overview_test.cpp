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
