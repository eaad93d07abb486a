#include "tracker/formats/first_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/base/error.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(FirstConfig, ReadsBackAsWhatWasFound) {
  FirstConfig first;
  first.binaries = {{.path = "build/a/bench", .names = {"x/8", "y/8"}},
                    {.path = "build/b/bench"},
                    {.path = "build/\"odd\\name", .names = {"z"}}};
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
  EXPECT_THAT(text, HasSubstr("# 2 benchmarks"));
}

// A name is one measurement: two binaries with one are refused before anything is measured.
TEST(FirstConfig, PutsAPrefixWhereTwoBinariesHaveABenchmarkOfOneName) {
  FirstConfig first;
  first.binaries = {{.path = "build/sum/left", .names = {"sum/8", "left/8"}},
                    {.path = "build/sum/right", .names = {"sum/8", "right/8"}},
                    {.path = "build/copy", .names = {"copy/8"}}};
  const auto prefixes = [&] {
    std::vector<std::string> found;
    for (const auto& binary : parse_config(first_config_text(first), "tracker.toml").binaries)
      found.push_back(binary.prefix);
    return found;
  };
  EXPECT_THAT(prefixes(), ElementsAre("left/", "right/", ""));
  first.binaries = {{.path = "old/sum/bench", .names = {"sum/8"}},
                    {.path = "new/sum/bench", .names = {"sum/8"}},
                    {.path = "sum/bench", .names = {"sum/8"}}};
  EXPECT_THAT(prefixes(), ElementsAre("old/sum/", "new/sum/", "sum/"));
}

TEST(FirstConfig, MeasuresManyExecutionsOfWhatRepeatsAsItIsTold) {
  FirstConfig first;
  first.binaries = {{.path = "bench", .names = {"x/8", "y/8"}}};
  auto measure = parse_config(first_config_text(first), "tracker.toml").measure;
  EXPECT_EQ(measure.invocations, 12);
  EXPECT_EQ(measure.repetitions, 1);
  first.binaries.push_back({.path = "nvbench", .is_google_bench = false});
  measure = parse_config(first_config_text(first), "tracker.toml").measure;
  EXPECT_EQ(measure.invocations, 5);
  EXPECT_EQ(measure.repetitions, 3);
}

TEST(FirstConfig, JudgesCudaByRealTimeWhereItStatesCpuTime) {
  FirstConfig first;
  first.binaries = {{.path = "cuda", .needs_gpu = true, .has_cpu_time = true}};
  const auto metric = [&] {
    return parse_config(first_config_text(first), "tracker.toml").policy.rules.at(0).metric.value_or("");
  };
  EXPECT_EQ(metric(), "real_time");
  first.binaries.push_back({.path = "cpu", .has_cpu_time = true});
  EXPECT_EQ(metric(), "") << "the rule is for all of them";
  EXPECT_THAT(first_config_text(first), HasSubstr("\n# metric = \"real_time\""));
  first.binaries = {{.path = "cuda", .needs_gpu = true}};
  EXPECT_EQ(metric(), "");
  EXPECT_THAT(first_config_text(first), testing::Not(HasSubstr("metric")));
}

TEST(FirstConfig, LeavesAnUnknownBuildToTheReader) {
  FirstConfig first;
  first.binaries = {{.path = "bench"}};
  const std::string text = first_config_text(first);
  EXPECT_TRUE(parse_config(text, "tracker.toml").measure.build.empty());
  EXPECT_THAT(text, HasSubstr("# build = [["));
}

const Waiver& accepted_copy() {
  static const Waiver accepted{"copy/*", "bounds are \"checked\" \\ now\n", std::string(40, 'a'), 0.12341,
                               ""};
  return accepted;
}

TEST(AcceptedText, KeepsAllElseAndAddsATable) {
  const std::string before = "# What we measure\n[[policy]] # all\nmatch = \"*\"   # really\n";
  const std::string after = with_accepted_table(before, accepted_copy(), "tracker.toml");
  EXPECT_EQ(after, before + "\n[[accepted]]\nmatch = \"copy/*\"\ncommit = \"" + std::string(40, 'a') +
                       "\"\nceiling = \"12.35%\"\nreason = \"bounds are \\\"checked\\\" \\\\ now\\u000A\"\n");
}

TEST(AcceptedText, IsReadBack) {
  const auto config = parse_config(with_accepted_table("", accepted_copy(), "t"), "t");
  ASSERT_EQ(config.policy.accepted.size(), 1u);
  const Waiver& read = config.policy.accepted[0];
  EXPECT_EQ(read.match, "copy/*");
  EXPECT_EQ(read.granted, std::string(40, 'a'));
  EXPECT_EQ(read.reason, accepted_copy().reason);
  EXPECT_NEAR(read.ceiling, 0.1235, 1e-9);
  EXPECT_EQ(read.expires, "");
  EXPECT_TRUE(config.policy.waivers.empty()) << "it holds only where its commit lies between both sides";
}

TEST(AcceptedText, TakesALastLineWithoutAnEnd) {
  const auto twice =
      with_accepted_table(with_accepted_table("# no end", accepted_copy(), "t"), accepted_copy(), "t");
  EXPECT_TRUE(twice.starts_with("# no end\n\n[[accepted]]\n"));
  EXPECT_EQ(parse_config(twice, "t").policy.accepted.size(), 2u);
}

TEST(AcceptedText, RefusesATextThatCannotTakeIt) {
  EXPECT_THROW(with_accepted_table("accepted = 1\n", accepted_copy(), "t"), Error);
  EXPECT_THROW(with_accepted_table("x = \"open", accepted_copy(), "t"), Error);
}

TEST(AcceptedText, OfTheMachineHasNoCeiling) {
  Waiver accepted = accepted_copy();
  accepted.machine = true;
  const std::string text = with_accepted_table("", accepted, "t");
  EXPECT_EQ(text.find("ceiling"), std::string::npos);
  EXPECT_TRUE(parse_config(text, "t").policy.accepted.at(0).machine);
  EXPECT_THROW(parse_config(text + "ceiling = \"1%\"\n", "t"), Error);
  EXPECT_THROW(parse_config(text + "cause = \"host\"\n", "t"), Error);
}

TEST(AcceptedText, TheTableNeedsAllOfItsKeys) {
  EXPECT_THROW(parse_config("[[accepted]]\nmatch = \"a\"\ncommit = \"1a2b3c4\"\nreason = \"b\"\n", "t"),
               Error);
  EXPECT_THROW(
      parse_config("[[accepted]]\nmatch = \"a\"\ncommit = \"HEAD\"\nreason = \"b\"\nceiling = \"1%\"\n", "t"),
      Error);
}

}  // namespace

}  // namespace tracker::formats
