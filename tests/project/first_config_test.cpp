#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/formats/config_file.hpp"
#include "tracker/project/project.hpp"

namespace tracker::project {
namespace {

using formats::parse_config;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(FirstConfig, ReadsBackAsWhatWasFound) {
  std::vector<DetectedBinary> binaries{{.path = "build/a/bench", .names = {"x/8", "y/8"}},
                                       {.path = "build/b/bench"},
                                       {.path = "build/\"odd\\name", .names = {"z"}}};
  const DetectedBuild build{
      {{"cmake", "-B", "build", "-DCMAKE_CXX_FLAGS=-O2 -DNAME=\"x\""}, {"cmake", "--build", "build"}},
      "build/CMakeCache.txt"};
  const std::string text = first_config_text(binaries, build, "3%");
  const Config config = parse_config(text, "tracker.toml");
  EXPECT_EQ(config.measure.build, build.commands);
  ASSERT_EQ(config.binaries.size(), 3u);
  EXPECT_EQ(config.binaries[0].path, "build/a/bench");
  EXPECT_EQ(config.binaries[0].prefix, "a/") << "two binaries of one file name need it";
  EXPECT_EQ(config.binaries[1].prefix, "b/");
  EXPECT_EQ(config.binaries[2].path, "build/\"odd\\name");
  EXPECT_EQ(config.binaries[2].prefix, "");
  ASSERT_EQ(config.policy.rules.size(), 1u);
  EXPECT_DOUBLE_EQ(config.policy.rules[0].threshold.value_or(0), 0.03);
  EXPECT_THAT(text, HasSubstr("# 2 benchmarks"));
}

// A name is one measurement: two binaries with one are refused before anything is measured.
TEST(FirstConfig, PutsAPrefixWhereTwoBinariesHaveABenchmarkOfOneName) {
  std::vector<DetectedBinary> binaries{{.path = "build/sum/left", .names = {"sum/8", "left/8"}},
                                       {.path = "build/sum/right", .names = {"sum/8", "right/8"}},
                                       {.path = "build/copy", .names = {"copy/8"}}};
  const auto prefixes = [&] {
    std::vector<std::string> found;
    for (const auto& binary : parse_config(first_config_text(binaries, {}, "5%"), "tracker.toml").binaries)
      found.push_back(binary.prefix);
    return found;
  };
  EXPECT_THAT(prefixes(), ElementsAre("left/", "right/", ""));
  binaries = {{.path = "old/sum/bench", .names = {"sum/8"}},
              {.path = "new/sum/bench", .names = {"sum/8"}},
              {.path = "sum/bench", .names = {"sum/8"}}};
  EXPECT_THAT(prefixes(), ElementsAre("old/sum/", "new/sum/", "sum/"));
}

TEST(FirstConfig, MeasuresManyExecutionsOfWhatRepeatsAsItIsTold) {
  std::vector<DetectedBinary> binaries{{.path = "bench", .names = {"x/8", "y/8"}}};
  auto measure = parse_config(first_config_text(binaries, {}, "5%"), "tracker.toml").measure;
  EXPECT_EQ(measure.invocations, 12);
  EXPECT_EQ(measure.repetitions, 1);
  binaries.push_back({.path = "nvbench"});
  measure = parse_config(first_config_text(binaries, {}, "5%"), "tracker.toml").measure;
  EXPECT_EQ(measure.invocations, 5);
  EXPECT_EQ(measure.repetitions, 3);
}

TEST(FirstConfig, JudgesCudaByRealTimeWhereItStatesCpuTime) {
  std::vector<DetectedBinary> binaries{{.path = "cuda", .is_cuda = true, .has_cpu_time = true}};
  const auto metric = [&] {
    return parse_config(first_config_text(binaries, {}, "5%"), "tracker.toml")
        .policy.rules.at(0)
        .metric.value_or("");
  };
  EXPECT_EQ(metric(), "real_time");
  binaries.push_back({.path = "cpu", .has_cpu_time = true});
  EXPECT_EQ(metric(), "") << "the rule is for all of them";
  EXPECT_THAT(first_config_text(binaries, {}, "5%"), HasSubstr("\n# metric = \"real_time\""));
  binaries = {{.path = "cuda", .is_cuda = true}};
  EXPECT_EQ(metric(), "");
  EXPECT_THAT(first_config_text(binaries, {}, "5%"), testing::Not(HasSubstr("metric")));
}

TEST(FirstConfig, LeavesAnUnknownBuildToTheReader) {
  std::vector<DetectedBinary> binaries{{.path = "bench"}};
  const std::string text = first_config_text(binaries, {}, "5%");
  EXPECT_TRUE(parse_config(text, "tracker.toml").measure.build.empty());
  EXPECT_THAT(text, HasSubstr("# build = [["));
}

}  // namespace
}  // namespace tracker::project
