#include "tracker/formats/first_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/formats/config_file.hpp"

namespace tracker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(FirstConfig, ReadsBackAsWhatWasFound) {
  FirstConfig first;
  first.binaries = {
      {"build/a/bench", "32 benchmarks"}, {"build/b/bench", ""}, {"build/\"odd\\name", "1 benchmark"}};
  first.build = {{"cmake", "-B", "build", "-DCMAKE_CXX_FLAGS=-O2 -DNAME=\"x\""},
                 {"cmake", "--build", "build"}};
  first.build_from = "build/CMakeCache.txt";
  first.threshold = "3%";
  const std::string text = first_config_text(first);
  const Config config = parse_config(text, "tracker.toml");
  EXPECT_EQ(config.measure.build, first.build);
  ASSERT_EQ(config.binaries.size(), 3u);
  EXPECT_EQ(config.binaries[0].path, "build/a/bench");
  EXPECT_EQ(config.binaries[0].prefix, "a/") << "two binaries of one file name need it";
  EXPECT_EQ(config.binaries[1].prefix, "b/");
  EXPECT_EQ(config.binaries[2].path, "build/\"odd\\name");
  EXPECT_EQ(config.binaries[2].prefix, "");
  ASSERT_EQ(config.policy.rules.size(), 1u);
  EXPECT_DOUBLE_EQ(config.policy.rules[0].threshold.value_or(0), 0.03);
  EXPECT_THAT(text, HasSubstr("# 32 benchmarks"));
}

TEST(FirstConfig, MeasuresManyExecutionsOfWhatRepeatsAsItIsTold) {
  FirstConfig first;
  first.binaries = {{"bench", "2 benchmarks"}};
  auto measure = parse_config(first_config_text(first), "tracker.toml").measure;
  EXPECT_EQ(measure.invocations, 12);
  EXPECT_EQ(measure.repetitions, 1);
  first.binaries.push_back({"nvbench", "", false});
  measure = parse_config(first_config_text(first), "tracker.toml").measure;
  EXPECT_EQ(measure.invocations, 5);
  EXPECT_EQ(measure.repetitions, 3);
}

TEST(FirstConfig, JudgesCudaByRealTimeWhereItStatesCpuTime) {
  FirstConfig first;
  first.binaries = {{"cuda", "2 benchmarks", true, true, true}};
  const auto metric = [&] {
    return parse_config(first_config_text(first), "tracker.toml").policy.rules.at(0).metric.value_or("");
  };
  EXPECT_EQ(metric(), "real_time");
  first.binaries.push_back({"cpu", "2 benchmarks", true, false, true});
  EXPECT_EQ(metric(), "") << "the rule is for all of them";
  EXPECT_THAT(first_config_text(first), HasSubstr("\n# metric = \"real_time\""));
  first.binaries = {{"cuda", "2 benchmarks", true, true, false}};
  EXPECT_EQ(metric(), "");
  EXPECT_THAT(first_config_text(first), testing::Not(HasSubstr("metric")));
}

TEST(FirstConfig, LeavesAnUnknownBuildToTheReader) {
  FirstConfig first;
  first.binaries = {{"bench", ""}};
  const std::string text = first_config_text(first);
  EXPECT_TRUE(parse_config(text, "tracker.toml").measure.build.empty());
  EXPECT_THAT(text, HasSubstr("# build = [["));
}

}  // namespace
}  // namespace tracker
