// tracker calibrate, on a binary whose noise is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;

TEST(CalibrateCommand, ProposesThresholdsThatTheConfigurationTakes) {
  const Scratch scratch;
  scratch.commit_speeds("copy/a/8 10000 0.002 1000000\nsum/b 9000 0.03\n");
  ASSERT_EQ(scratch.tracker({"run", "-n", "12"}).exit_code, 0);
  const auto result = scratch.tracker({"calibrate"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("12 invocations of the same code"));
  EXPECT_LT(result.output.find("sum/b"), result.output.find("copy/a/8")) << "the noisiest first";
  EXPECT_THAT(result.output, HasSubstr("false alarms: none in 2 comparisons (1 report of 5 pairs)"));
  const auto proposal = result.output.find("# Twice what ten pairs");
  ASSERT_NE(proposal, std::string::npos);
  scratch.write("tracker.toml", plain_config() + "\n" + result.output.substr(proposal));
  const auto again = scratch.tracker({"calibrate"});
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_THAT(again.output, HasSubstr("thresholds that hold with 10 pairs: 2 of 2"));
}

TEST(CalibrateCommand, MeasuresTheCommitAgainstItself) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds("copy/a/8 10000 0.002 1000000\nsum/b 9000 0.03\n");
  const auto result = scratch.tracker({"calibrate", "--measure", "10"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("10 pairs of the same code"));
  EXPECT_LT(result.output.find("sum/b"), result.output.find("copy/a/8")) << "the noisiest first";
  EXPECT_THAT(result.output, HasSubstr("in 4 comparisons (2 reports of 5 pairs)"));
  EXPECT_THAT(result.output, HasSubstr("proposal for tracker.toml:"));
  EXPECT_EQ(scratch.tracker({"calibrate", "--measure", "2"}).exit_code, 2) << "too few";
}

// As the documents have it.
TEST(CalibrateCommand, MeasuresTwentyPairsWhereNoneAreNamed) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds("copy/a/8 10000 0.002 1000000\n");
  const auto result = scratch.tracker({"calibrate", "--measure"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("20 pairs of the same code"));
}

TEST(CalibrateCommand, SaysWhatIsMissing) {
  const Scratch scratch;
  scratch.commit_speeds("copy/a/8 10000 0.002 1000000\n");
  const auto none = scratch.tracker({"calibrate"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.errors, HasSubstr("no run is stored for 'HEAD'"));
  EXPECT_THAT(none.errors, HasSubstr("tracker run -n 20"));
  ASSERT_EQ(scratch.tracker({"run", "-n", "3"}).exit_code, 0);
  const auto few = scratch.tracker({"calibrate"});
  EXPECT_EQ(few.exit_code, 3);
  EXPECT_THAT(few.errors, HasSubstr("no benchmark of 'HEAD' has 6 invocations in one run"));
}

}  // namespace
}  // namespace tracker::e2e
