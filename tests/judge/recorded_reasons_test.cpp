// Three real changes on an H200, each measured side by side with the commit before it:
// tests/data/h200_reasons.
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tests/support/policy.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kTile2d[] = "gemm/tile_2d/f32/4096x4096x4096";
constexpr char kPadded[] = "transpose/smem_padded/f32/2048x2048";

Run recorded(const std::string& name) {
  const std::string path = TRACKER_TEST_DATA "/h200_reasons/" + name + ".run.json";
  return formats::read_run(read_file(path, 1 << 20), path);
}

ComparisonReport judge_change(const std::string& change, double threshold = 0.01) {
  return judge({{}, {recorded(change + "-base")}}, {{}, {recorded(change + "-candidate")}}, {},
               test::policy_at(threshold));
}

const Comparison& comparison_of(const ComparisonReport& report, std::string_view benchmark) {
  for (const auto& comparison : report.comparisons)
    if (comparison.benchmark == benchmark) return comparison;
  throw std::out_of_range(std::string(benchmark));
}

TEST(RecordedReasons, ACommentChangesNoCode) {
  const auto report = judge_change("comment", 0.02);
  ASSERT_THAT(report.comparisons, SizeIs(3));
  for (const auto& comparison : report.comparisons) {
    EXPECT_EQ(comparison.verdict, Verdict::kUnchanged) << comparison.benchmark;
    EXPECT_EQ(comparison.same_code, true) << comparison.benchmark;
    EXPECT_THAT(comparison.cause, IsEmpty()) << comparison.benchmark;
  }
}

TEST(RecordedReasons, AnotherBlockIsTheCauseAlthoughTheCodeIsTheSame) {
  const auto report = judge_change("block");
  const Comparison& padded = comparison_of(report, kPadded);
  EXPECT_EQ(padded.verdict, Verdict::kRegressed);
  EXPECT_EQ(padded.same_code, false);
  EXPECT_THAT(padded.cause, HasSubstr("block 32x8 → 16x16"));
  EXPECT_EQ(comparison_of(judge_change("block", 0.02), kTile2d).verdict, Verdict::kUnchanged);
}

TEST(RecordedReasons, SpillsAreTheCauseAndOccupancyIsNot) {
  const auto report = judge_change("spills");
  const Comparison& tile_2d = comparison_of(report, kTile2d);
  EXPECT_EQ(tile_2d.verdict, Verdict::kRegressed);
  EXPECT_EQ(tile_2d.same_code, false);
  EXPECT_THAT(tile_2d.cause, AllOf(HasSubstr("spills 0 → 456 bytes: registers 125 → 64"),
                                   HasSubstr("machine code changed: LDL 0 → 369"),
                                   testing::Not(HasSubstr("blocks per SM"))));
  EXPECT_EQ(comparison_of(report, kPadded).same_code, true);
}

}  // namespace
}  // namespace tracker::judge
