#include "tracker/report/data_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::report {
namespace {

using testing::HasSubstr;
using testing::Not;

CalibratedBenchmark calibrated_one(const std::string& name, double ten_pairs) {
  return {.name = name,
          .threshold = 0.01,
          .noise = ten_pairs,
          .resolvable = {1.6 * ten_pairs, ten_pairs, ten_pairs / 1.6},
          .pairs_needed = 2 * ten_pairs <= 0.01 ? std::optional(10) : std::nullopt};
}

Calibration two_kinds() {
  Calibration calibration;
  calibration.benchmarks.push_back(calibrated_one("copy/wild/8", 0.04));
  for (int i = 0; i < 10; ++i)
    calibration.benchmarks.push_back(calibrated_one("copy/" + std::to_string(i) + "/8", 0.004));
  calibration.benchmarks.push_back(calibrated_one("single", 0.02));
  calibration.reports = 2;
  calibration.pairs_a_report = 5;
  calibration.comparisons = 24;
  calibration.pair_s = 30;
  return calibration;
}

TEST(CalibrationText, ShowsEachBenchmarkAndWhatItCosts) {
  const std::string text = calibration_text(two_kinds(), 100);
  EXPECT_THAT(text, HasSubstr("10 pairs"));
  EXPECT_THAT(text, HasSubstr("1 % holds from 10 pairs"));
  EXPECT_THAT(text, HasSubstr("1 % is too small for 20"));
  EXPECT_THAT(text, HasSubstr("thresholds that hold with 5 pairs: 0 of 12"));
  EXPECT_THAT(text, HasSubstr("thresholds that hold with 10 pairs: 10 of 12"));
  EXPECT_THAT(text, HasSubstr("false alarms: none in 24 comparisons (2 reports of 5 pairs)"));
  EXPECT_THAT(text, HasSubstr("10 pairs 5 min"));
}

TEST(CalibrationText, CountsWhatItLeavesOut) {
  const std::string text = calibration_text(two_kinds(), 2);
  EXPECT_THAT(text, HasSubstr("… and 10 quieter: --all lists them"));
  EXPECT_THAT(text, Not(HasSubstr("single")));
}

TEST(CalibrationText, SaysWhatIsAtTheSameClock) {
  EXPECT_THAT(calibration_text(two_kinds(), 100), Not(HasSubstr("same clock")));
  Calibration calibration = two_kinds();
  calibration.benchmarks[0].at_same_clock = calibration.benchmarks[1].at_same_clock = true;
  calibration.without_clock = 1;
  const std::string text = calibration_text(calibration, 100);
  EXPECT_THAT(text, HasSubstr("1 % is too small for 20, at the same clock\n"));
  EXPECT_THAT(text, HasSubstr("1 % holds from 10 pairs, at the same clock\n"));
  EXPECT_THAT(text,
              HasSubstr("at the same clock: 2 benchmarks; the noise and the figures of 10 and 20 pairs are "
                        "what is left then, those of 5 are as measured\n"));
  EXPECT_THAT(text,
              HasSubstr("not at the same clock, as condition_core_clock_mhz is missing: 1 benchmark\n"));
}

TEST(CalibrationText, ProposesAThresholdForEachKindAndForWhatNeedsMore) {
  EXPECT_EQ(calibration_proposal(two_kinds()),
            R"(# Twice what ten pairs resolve here, rounded up. Later tables win.

[[policy]]
match = "copy/*"
threshold = "1%"

[[policy]]
match = "single"
threshold = "5%"

[[policy]]
match = "copy/wild/8"
threshold = "10%"
)");
}

}  // namespace
}  // namespace tracker::report
