#include "tracker/model/exclusion.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

TEST(Exclusion, GoesIntoADocumentAndBack) {
  const Exclusion all[] = {{},
                           {ExclusionReason::kWarmUp, ""},
                           {ExclusionReason::kOtherProcess, ""},
                           {ExclusionReason::kThrottled, "sw_thermal, hw_slowdown"},
                           {ExclusionReason::kLowClocks, "1200 MHz, usually 1980"},
                           {ExclusionReason::kPairDisturbed, ""},
                           {ExclusionReason::kPairInterrupted, ""},
                           {ExclusionReason::kOther, "a reason of another version"}};
  for (const auto& exclusion : all)
    EXPECT_EQ(exclusion_of(exclusion_in_words(exclusion)), exclusion) << exclusion_in_words(exclusion);
}

// Documents that are stored have these words.
TEST(Exclusion, TheWordsOfDocumentsStayAsTheyAre) {
  EXPECT_EQ(exclusion_of("warm-up").reason, ExclusionReason::kWarmUp);
  EXPECT_EQ(exclusion_of("throttled: sw_thermal"), (Exclusion{ExclusionReason::kThrottled, "sw_thermal"}));
  EXPECT_EQ(exclusion_of("its pair was disturbed").reason, ExclusionReason::kPairDisturbed);
  EXPECT_EQ(exclusion_of("its pair was interrupted").reason, ExclusionReason::kPairInterrupted);
  EXPECT_EQ(exclusion_of("another process was on the GPU").reason, ExclusionReason::kOtherProcess);
  EXPECT_EQ(exclusion_of("the clocks were low: 1 MHz").reason, ExclusionReason::kLowClocks);
  EXPECT_FALSE(exclusion_of(""));
  EXPECT_TRUE(exclusion_of("throttled"));
}

}  // namespace
}  // namespace tracker
