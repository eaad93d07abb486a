#include "tracker/model/policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
namespace {

Benchmark named(const std::string& name) {
  Benchmark benchmark;
  benchmark.name = name;
  benchmark.bytes_per_iteration = 1;
  return benchmark;
}

PolicyRule rule(const std::string& match) {
  PolicyRule rule;
  rule.match = match;
  return rule;
}

TEST(GateFor, DefaultsWhereNoRuleMatches) {
  Policy policy;
  policy.rules.push_back(rule("gemm/*"));
  policy.rules.back().threshold = 0.5;
  const Gate gate = gate_for(policy, named("transpose/smem"));
  EXPECT_EQ(gate.metric.name, "bytes_per_second");
  EXPECT_EQ(gate.threshold, 0.05);
  EXPECT_FALSE(gate.report_only);
  EXPECT_EQ(gate.same_code, SameCode::kReport);
  EXPECT_FALSE(gate.may_be_missing);
  EXPECT_EQ(gate.bound, std::nullopt);
}

TEST(GateFor, ALaterRuleWinsSettingBySetting) {
  Policy policy;
  policy.rules = {rule("*"), rule("transpose/*"), rule("*/8192x8192")};
  policy.rules[0].metric = "real_time";
  policy.rules[0].threshold = 0.1;
  policy.rules[0].report_only = true;
  policy.rules[0].same_code = SameCode::kFail;
  policy.rules[1].same_code = SameCode::kFailInTurn;
  policy.rules[1].threshold = 0.02;
  policy.rules[1].may_be_missing = true;
  policy.rules[1].bound = "transpose/copy_row/{3}/{4}";
  policy.rules[1].source = "kernels/{2}_{9}.cu";
  policy.rules[2].report_only = false;

  const Gate both = gate_for(policy, named("transpose/smem/f32/8192x8192"));
  EXPECT_EQ(both.metric.name, "real_time");
  EXPECT_EQ(both.threshold, 0.02);
  EXPECT_FALSE(both.report_only);
  EXPECT_EQ(both.same_code, SameCode::kFailInTurn);
  EXPECT_TRUE(both.may_be_missing);
  EXPECT_EQ(both.bound, "transpose/copy_row/f32/8192x8192");
  EXPECT_EQ(both.source, "kernels/smem_{9}.cu");

  const Gate first = gate_for(policy, named("gemm/naive"));
  EXPECT_EQ(first.threshold, 0.1);
  EXPECT_TRUE(first.report_only);
  EXPECT_EQ(first.same_code, SameCode::kFail);
  EXPECT_FALSE(first.may_be_missing);
  EXPECT_EQ(first.source, "");
}

TEST(GateFor, AnEarlierRuleWrittenLastWins) {
  Policy policy;
  policy.rules = {rule("transpose/*"), rule("*")};
  policy.rules[0].threshold = 0.02;
  policy.rules[1].threshold = 0.1;
  EXPECT_EQ(gate_for(policy, named("transpose/smem")).threshold, 0.1);
}

TEST(GateFor, TheStatisticIsTheLastOneNamed) {
  Policy policy;
  EXPECT_EQ(gate_for(policy, Benchmark{}).metric.statistic, Statistic::kMedian);
  policy.rules = {{.match = "*", .statistic = Statistic::kFastest}, {.match = "*", .threshold = 0.1}};
  EXPECT_EQ(gate_for(policy, Benchmark{}).metric.statistic, Statistic::kFastest);
  policy.rules.push_back({.match = "*", .statistic = Statistic::kMedian});
  EXPECT_EQ(gate_for(policy, Benchmark{}).metric.statistic, Statistic::kMedian);
}

TEST(GateFor, TheDirectionOfACounterIsThePolicys) {
  Policy policy;
  policy.rules = {rule("*")};
  policy.rules[0].metric = "score";
  EXPECT_EQ(gate_for(policy, named("x")).metric.better, Better::kHigher);
  policy.rules[0].better = Better::kLower;
  EXPECT_EQ(gate_for(policy, named("x")).metric.better, Better::kLower);
  policy.rules[0] = rule("*");
  policy.rules[0].metric = "bank_conflicts";  // by its name a cost
  EXPECT_EQ(gate_for(policy, named("x")).metric.better, Better::kLower);
  policy.rules[0].better = Better::kHigher;
  EXPECT_EQ(gate_for(policy, named("x")).metric.better, Better::kHigher);
}

TEST(GateFor, ABuiltInMetricKeepsItsDirection) {
  Policy policy;
  policy.rules = {rule("*"), rule("gemm/*")};
  policy.rules[0].metric = "score";
  policy.rules[0].better = Better::kHigher;
  policy.rules[1].metric = "real_time";  // says nothing of the direction: slower must not become better
  EXPECT_EQ(gate_for(policy, named("gemm/naive")).metric.better, Better::kLower);
}

TEST(FillSegments, BySegmentsOfTheName) {
  EXPECT_EQ(fill_segments("a/{2}/c", "x/y/z"), "a/y/c");
  EXPECT_EQ(fill_segments("{1}{1}/{3}", "x/y/z"), "xx/z");
  EXPECT_EQ(fill_segments("{4}/{0}/{-1}/{}/{a}/{2", "x/y/z"), "{4}/{0}/{-1}/{}/{a}/{2");
  EXPECT_EQ(fill_segments("{10}", "a/b/c/d/e/f/g/h/i/j"), "j");
  EXPECT_EQ(fill_segments("{99999999999999999999999}", "x"), "{99999999999999999999999}");
  EXPECT_EQ(fill_segments("", "x"), "");
  EXPECT_EQ(fill_segments("{1}", ""), "");
}

TEST(FillSegments, WhatANameBringsInIsNotFilledAgain) {
  EXPECT_EQ(fill_segments("{1}", "{2}/y"), "{2}");
  EXPECT_EQ(fill_segments("{1}", "{1}"), "{1}");
  std::string doubling;
  for (int i = 2; i < 60; ++i) doubling += "{" + std::to_string(i) + "}{" + std::to_string(i) + "}/";
  EXPECT_EQ(fill_segments("{1}", doubling), "{2}{2}");
}

TEST(SegmentsIn, AreThoseThatAPatternNames) {
  EXPECT_EQ(segments_in("{2}"), (std::set<std::size_t>{2}));
  EXPECT_EQ(segments_in("a{5} at {12}/{5}"), (std::set<std::size_t>{5, 12}));
  EXPECT_EQ(segments_in("{0}{-1}{}{a}{2"), std::set<std::size_t>{});
  EXPECT_EQ(segments_in(""), std::set<std::size_t>{});
}

TEST(Binary, OldRunsNameItByItsFile) {
  EXPECT_TRUE(may_be_same_binary("bench", "bench"));
  EXPECT_TRUE(may_be_same_binary("bench", "build/bench"));
  EXPECT_TRUE(may_be_same_binary("build/bench --xml", "bench"));
  EXPECT_FALSE(may_be_same_binary("a/bench", "b/bench"));
  EXPECT_FALSE(may_be_same_binary("bench", "build/bench2"));
  EXPECT_FALSE(may_be_same_binary("b/bench", "b/bench --xml"));
}

TEST(CpuList, ReadsRanges) {
  EXPECT_EQ(parse_cpu_list("2-3,6"), (std::vector<int>{2, 3, 6}));
  EXPECT_EQ(parse_cpu_list("0"), (std::vector<int>{0}));
  for (const auto* text : {"", "a", "1-", "-1", "3-2", "1,,2", "9999", "1 2", "0x1"})
    EXPECT_EQ(parse_cpu_list(text), std::vector<int>{}) << text;
}

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
