#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/report_fixtures.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names_of(const ComparisonView& view) {
  std::vector<std::string> names;
  for (const auto& row : view.rows) names.push_back(row.benchmark);
  return names;
}

std::vector<std::string> labels_of(const ComparisonView& view) {
  std::vector<std::string> labels;
  for (const auto& tic : change_tics(view, 0.1)) labels.push_back(tic.label);
  return labels;
}

TEST(ComparisonView, TheSlowestComesFirstAndWhatHasNoChangeLast) {
  const auto view = view_comparison(make_report_of_all());
  EXPECT_THAT(names_of(view),
              ElementsAre("slow", "same", "waived", "floor", "unknown", "calm", "fast", "missing", "new"));
  EXPECT_TRUE(view.rows[2].excused);
  EXPECT_FALSE(view.rows[0].excused);
  EXPECT_EQ(view.rows[0].values, "3.480 → 3.097 TB/s");
  EXPECT_EQ(view.rows[7].values, "3.480 → – TB/s");
  EXPECT_EQ(view.rows[7].change_text, "missing");
  EXPECT_FALSE(view.rows[7].change);
}

TEST(ComparisonView, FasterIsToTheRightWhateverTheMetric) {
  const auto view = view_comparison(make_report({make_comparison("slow", 0.5, Verdict::kRegressed, kTime),
                                                 make_comparison("fast", -0.1, Verdict::kImproved, kTime)}));
  EXPECT_THAT(names_of(view), ElementsAre("slow", "fast"));
  EXPECT_DOUBLE_EQ(*view.rows[0].change, -0.5);
  EXPECT_DOUBLE_EQ(view.rows[0].interval->low, -0.503);
  EXPECT_EQ(view.rows[0].change_text, "+50.0 %") << "in words the sign stays";
  EXPECT_EQ(view.signs, ChangeSigns::kTurned);
  EXPECT_LT(view.place(-0.5), view.place(0.1));
}

TEST(ComparisonView, TicsHaveSigns) {
  const auto slow = make_comparison("a", -0.03, Verdict::kRegressed);
  const auto late = make_comparison("b", 0.03, Verdict::kRegressed, kTime);
  EXPECT_THAT(labels_of(view_comparison(make_report({slow}))), ::testing::Contains("−2 %"));
  EXPECT_THAT(labels_of(view_comparison(make_report({late}))),
              ::testing::AllOf(::testing::Contains("+2 %"), ::testing::Contains("−2 %")));
  EXPECT_THAT(labels_of(view_comparison(make_report({slow, late}))), ::testing::Contains("−2 %"));
}

TEST(ComparisonView, AnAxisThatHoldsAllShowsTheThresholdStill) {
  const auto calm = make_comparison("calm", 0.001, Verdict::kUnchanged);
  const auto halved = make_comparison("halved", -0.53, Verdict::kRegressed);
  const auto wide = view_comparison(make_report({calm, halved}));
  EXPECT_GT(wide.knee, 0);
  EXPECT_GT(wide.place(0.02) - wide.place(-0.02), 0.15);
  EXPECT_EQ(view_comparison(make_report({calm})).knee, 0);
}

TEST(ComparisonView, ALongIntervalIsCutOffAndEndsBeyondTheAxis) {
  Comparison wild = make_comparison("wild", -0.03, Verdict::kInconclusive);
  wild.interval = Interval{-0.9, 5.0};
  Comparison unknown = make_comparison("unknown", 0.01, Verdict::kInconclusive);
  unknown.interval = {};
  const auto view = view_comparison(make_report({wild, unknown}));
  for (const auto& row : view.rows) {
    EXPECT_LT(row.interval->low, view.low) << row.benchmark;
    EXPECT_GT(row.interval->high, view.high) << row.benchmark;
  }
  EXPECT_LT(view.high, 0.2);
}

TEST(ComparisonView, KeepsWhatSaysSomethingAndSaysWhatItLeavesOut) {
  std::vector<Comparison> all;
  for (int i = 0; i < 190; ++i)
    all.push_back(make_comparison("calm" + std::to_string(i), 1e-5 * i, Verdict::kUnchanged));
  for (int i = 0; i < 10; ++i)
    all.push_back(make_comparison("slow" + std::to_string(i), -0.03 - 0.01 * i, Verdict::kRegressed));
  const auto view = view_comparison(make_report(all));
  ASSERT_EQ(view.rows.size(), 24u);
  EXPECT_EQ(view.rows[9].benchmark, "slow0");
  EXPECT_EQ(view.rows[23].benchmark, "calm189");
  EXPECT_THAT(view.left_out, HasSubstr("176 rows more: 176 unchanged, none beyond 0.1"));
  for (auto& one : all) one.verdict = Verdict::kRegressed;
  EXPECT_EQ(view_comparison(make_report(all)).rows.size(), 40u);
}

TEST(ComparisonView, NothingComparedIsNothingToDraw) {
  EXPECT_TRUE(view_comparison({}).rows.empty());
  Comparison missing = make_comparison("missing", 0, Verdict::kMissing);
  EXPECT_TRUE(view_comparison(make_report({missing})).rows.empty());
  Comparison absurd = make_comparison("absurd", INFINITY, Verdict::kRegressed);
  EXPECT_TRUE(view_comparison(make_report({absurd})).rows.empty());
}

}  // namespace
}  // namespace tracker::plot
