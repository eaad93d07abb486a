// Every reason has a name for programs and words for people.

#include <set>

#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tests/support/said.hpp"
#include "tracker/base/file.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::report {
namespace {

Comparison because(Reasons reasons) {
  Comparison comparison;
  comparison.metric = find_metric("real_time");
  comparison.reasons = std::move(reasons);
  return comparison;
}

TEST(ReasonWords, EveryCodeHasANameOfItsOwnAndWords) {
  std::set<std::string> names;
  for (int code = 0; code <= static_cast<int>(ReasonCode::kStopped); ++code) {
    const auto reason = static_cast<ReasonCode>(code);
    EXPECT_FALSE(reason_name(reason).empty()) << code;
    EXPECT_TRUE(names.insert(reason_name(reason)).second) << reason_name(reason);
    EXPECT_FALSE(reason_in_words(because({{reason, {{"text", "t"}}}})).empty()) << reason_name(reason);
  }
}

TEST(ReasonWords, TheFormatsPageNamesEveryCode) {
  const std::string page = read_file(TRACKER_SOURCE_DIR "/docs/outputs.md", 1 << 20);
  for (int code = 0; code <= static_cast<int>(ReasonCode::kStopped); ++code) {
    const std::string name = reason_name(static_cast<ReasonCode>(code));
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
  }
}

TEST(ReasonWords, JoinsWhatIsSaidInTurn) {
  EXPECT_EQ(
      reason_in_words(because({{ReasonCode::kPastThreshold, {{"change", 0.042}, {"threshold", 0.02}}},
                               {ReasonCode::kSameCodeButSlower},
                               {ReasonCode::kNothingElseDiffers},
                               {ReasonCode::kAccepted, {{"text", "known"}}}})),
      "4.2 % slower, past the threshold of 2 % and more than noise, but its machine code is identical, and "
      "nothing recorded differs; accepted: known");
  EXPECT_EQ(reason_in_words(because({{ReasonCode::kNotConfirmed},
                                     {ReasonCode::kNoiseHidesAll},
                                     {ReasonCode::kMoreNeeded, {{"invocations", 1}}}})),
            "not confirmed: the noise hides any change; about 1 more invocation a side would decide it");
}

TEST(ReasonWords, NamesAFewOutliers) {
  const auto outlier = [](int round, double distance) {
    return Reason{ReasonCode::kOutlier, {{"round", round}, {"in_candidate", 1}, {"distance", distance}}};
  };
  EXPECT_EQ(reason_in_words(because({outlier(4, 2)})),
            "excluded as an outlier: round 4, where the candidate is 200 % above its usual value");
  EXPECT_EQ(
      reason_in_words(
          because({outlier(4, 2), outlier(7, -0.5), {ReasonCode::kMoreOutliers, {{"count", 1}}}})),
      "excluded as outliers: round 4, where the candidate is 200 % above its usual value; round 7, where the "
      "candidate is 50 % below its usual value; and 1 more round");
}

TEST(ReasonWords, SaysAFloorWithAsManyDecimalsAsTellItApart) {
  EXPECT_EQ(reason_in_words(because(
                {{ReasonCode::kBelowReference, {{"reached", 0.8998}, {"limit", 0.9}, {"of", "copy"}}}})),
            "89.98 % of copy, below its floor of 90.00 %");
}

TEST(ReasonWords, SaysWhyAWaiverFails) {
  EXPECT_EQ(why_waiver_fails(because(test::said("as judged"))), "");
  EXPECT_EQ(
      why_waiver_fails(because({{ReasonCode::kWaiverExpired, {{"text", "w"}, {"until", "2026-11-01"}}}})),
      "expired on 2026-11-01");
}

}  // namespace
}  // namespace tracker::report
