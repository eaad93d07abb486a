#include "tracker/model/rename.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::Key;
using testing::UnorderedElementsAre;

TEST(Renamed, FollowsThePatterns) {
  struct Row {
    std::vector<Rename> renames;
    std::string name;
    std::string result;
  };
  const Row rows[] = {
      {{}, "a", "a"},
      {{{"a", "b"}}, "a", "b"},
      {{{"a", "b"}}, "ab", "ab"},
      {{{"old/*", "new/*"}}, "old/x/y", "new/x/y"},
      {{{"old/*", "new/*"}}, "old", "old"},
      {{{"old/*", "new/*"}}, "old/", "new/"},
      {{{"*/old", "*/new"}}, "x/old/old", "x/old/new"},
      {{{"t/*/f32/*", "t/*/*"}}, "t/smem/f32/8x8", "t/smem/8x8"},
      {{{"t/*/f32/*", "t/*/*"}}, "t/a/f32/b/f32/c", "t/a/b/f32/c"},  // the shortest text first
      {{{"*a*", "*b*"}}, "xay", "xby"},
      {{{"*", "all/*"}}, "x", "all/x"},
      {{{"**", "*-*"}}, "xy", "-xy"},
      {{{"aa*aa", "b*"}}, "aaa", "aaa"},  // its ends may not overlap
      {{{"aa*aa", "b*"}}, "aaaa", "b"},
      {{{"a", "b"}, {"b", "c"}}, "a", "c"},
      {{{"b", "c"}, {"a", "b"}}, "a", "c"},
      {{{"a*", "b*"}, {"ax", "c"}}, "ax", "bx"},
      {{{"a", "b"}, {"b", "a"}}, "a", "a"},  // ends, also where nobody refused the circle
      {{{"x*", "xx*"}}, "x", "xx"},
      {{{"a\x1b[2J|", "b"}}, "a\x1b[2J|", "b"},
      {{{"a.c", "b"}}, "abc", "abc"},  // no other character is special
  };
  for (const auto& row : rows) EXPECT_EQ(renamed(row.name, row.renames), row.result) << row.name;
}

// Each name is looked up, and a chain followed once: 4,000 renames took minutes.
TEST(Renamed, FollowsLongChains) {
  constexpr int kLength = 4000;
  for (const std::string star : {"", "*"}) {
    std::vector<Rename> chain;
    for (int i = 0; i < kLength; ++i)
      chain.push_back({"v" + std::to_string(i) + "/" + star, "v" + std::to_string(i + 1) + "/" + star});
    EXPECT_EQ(rename_in_a_circle(chain), std::nullopt);
    for (int i = 0; i < kLength; ++i)
      ASSERT_EQ(renamed("v" + std::to_string(i) + "/", chain), "v" + std::to_string(kLength) + "/");
    chain.push_back({"v" + std::to_string(kLength) + "/" + star, "v7/" + star});
    EXPECT_NE(rename_in_a_circle(chain), std::nullopt);
  }
}

TEST(RenameBenchmarks, TakesTheSamplesAlong) {
  auto run = test::make_run({}, {{"old/a", {1, 2}}, {"b", {3, 4}}});
  rename_benchmarks(run, {{"old/*", "new/*"}});
  EXPECT_EQ(run.benchmarks[0].name, "new/a");
  EXPECT_EQ(run.benchmarks[1].name, "b");
  for (const auto& invocation : run.invocations)
    EXPECT_THAT(invocation.samples, UnorderedElementsAre(Key("new/a"), Key("b")));
  EXPECT_THAT(metric_values(find_metric("real_time"), run.benchmarks[0], run),
              ElementsAre(DoubleEq(1e-9), DoubleEq(2e-9)));
}

TEST(RenameBenchmarks, LeavesOneWhoseNewNameIsTaken) {
  auto run = test::make_run({}, {{"old", {1}}, {"new", {2}}, {"older", {3}}, {"oldest", {4}}});
  rename_benchmarks(run, {{"old", "new"}, {"older", "now"}, {"oldest", "now"}});
  std::vector<std::string> names;
  for (const auto& benchmark : run.benchmarks) names.push_back(benchmark.name);
  EXPECT_THAT(names, ElementsAre("old", "new", "now", "oldest"));
  EXPECT_THAT(metric_values(find_metric("real_time"), run.benchmarks[2], run), ElementsAre(DoubleEq(3e-9)));
  EXPECT_THAT(metric_values(find_metric("real_time"), run.benchmarks[3], run), ElementsAre(DoubleEq(4e-9)));
}

TEST(RenameBenchmarks, WhatWasLearnedOfTheirNoise) {
  NoiseModel noise;
  noise.benchmarks["old"].metric = "a";
  noise.benchmarks["older"].metric = "b";
  noise.benchmarks["new"].metric = "c";
  rename_benchmarks(noise, {{"older", "now"}, {"old", "new"}});
  EXPECT_THAT(noise.benchmarks, UnorderedElementsAre(Key("old"), Key("new"), Key("now")));
  EXPECT_EQ(noise.benchmarks["now"].metric, "b");
  EXPECT_EQ(noise.benchmarks["new"].metric, "c");
}

TEST(RenameBenchmarks, TwiceIsOnce) {
  auto run = test::make_run({}, {{"a", {1}}, {"b", {2}}});
  const std::vector<Rename> renames{{"a", "c"}, {"b", "d"}};
  rename_benchmarks(run, renames);
  auto again = run;
  rename_benchmarks(again, renames);
  EXPECT_EQ(again.benchmarks[0].name, "c");
  EXPECT_EQ(again.benchmarks[1].name, "d");
}

TEST(RenameInACircle, IsFound) {
  EXPECT_EQ(rename_in_a_circle({}), std::nullopt);
  EXPECT_EQ(rename_in_a_circle({{"a", "b"}, {"b", "c"}}), std::nullopt);
  EXPECT_EQ(rename_in_a_circle({{"a/*", "b/*"}, {"c/*", "a/*"}}), std::nullopt);
  EXPECT_EQ(rename_in_a_circle({{"z", "y"}, {"a", "b"}, {"b", "a"}}), 1u);
  EXPECT_EQ(rename_in_a_circle({{"a/*", "a/f32/*"}}), 0u);
  EXPECT_EQ(rename_in_a_circle({{"a/*", "b/*"}, {"b/x", "a/x"}}), 1u);
}

}  // namespace
}  // namespace tracker
