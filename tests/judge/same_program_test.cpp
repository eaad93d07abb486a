// What is unchanged without a measurement.

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/said.hpp"
#include "tracker/judge/confirm.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Names = std::set<std::string>;

PolicyRule rule_about(const std::string& match) {
  PolicyRule rule;
  rule.match = match;
  return rule;
}

TEST(NotMeasured, IsWhateverIsTheSameProgram) {
  EXPECT_THAT(not_to_be_measured({"a", "b"}, {"c"}, {}), ElementsAre("a", "b"));
  EXPECT_THAT(not_to_be_measured({"a", "b"}, {"b"}, {}), ElementsAre("a"))
      << "another program has it as well";
}

TEST(NotMeasured, IsNotWhatThePolicyMeasures) {
  Policy policy;
  policy.rules.push_back(rule_about("a"));
  policy.rules.back().identical_code = IdenticalCode::kMeasure;
  EXPECT_THAT(not_to_be_measured({"a", "b"}, {}, policy), ElementsAre("b"));
}

TEST(NotMeasured, IsNeitherAFloorNorWhatItIsAShareOf) {
  Policy policy;
  policy.rules.push_back(rule_about("fast/*"));
  policy.rules.back().floor = Floor{.limit = 0.9, .unit = "", .of = "peer/{2}", .text = "90% of peer/{2}"};
  EXPECT_THAT(not_to_be_measured({"fast/x", "peer/x", "peer/y"}, {}, policy), ElementsAre("peer/y"));
  EXPECT_THAT(not_to_be_measured({"peer/x", "peer/y"}, {"fast/x"}, policy), ElementsAre("peer/y"))
      << "the floor of another program's benchmark";
  policy.rules.back().identical_code = IdenticalCode::kSkip;
  EXPECT_THAT(not_to_be_measured({"fast/x", "peer/x"}, {}, policy), ElementsAre("fast/x", "peer/x"));
}

TEST(NotMeasured, KnowsTheNamesOfToday) {
  Policy policy;
  policy.renames.push_back({"old", "new"});
  policy.rules.push_back(rule_about("new"));
  policy.rules.back().identical_code = IdenticalCode::kMeasure;
  EXPECT_THAT(not_to_be_measured({"old"}, {}, policy), IsEmpty());
}

TEST(NotMeasured, IsNotedInTheRunOfTheDeviceOrInOneOfItsOwn) {
  Device cpu;
  cpu.kind = DeviceKind::kCpu;
  cpu.model = "A CPU";
  Device other = cpu;
  other.model = "Another CPU";
  SamePrograms same;
  same[device_key(cpu)] = {cpu, {"a", "b"}, 12.5};
  same[device_key(other)] = {other, {"c"}, {}};
  tracker::Run measured;
  measured.id = "measured";
  measured.device = cpu;
  tracker::Run empty;
  empty.id = "empty";
  std::vector<tracker::Run> runs{measured};
  record_same_programs(same, "base", empty, runs);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].id, "measured");
  EXPECT_EQ(runs[0].same_program->commit, "base");
  EXPECT_THAT(runs[0].same_program->benchmarks, ElementsAre("a", "b"));
  EXPECT_EQ(runs[0].same_program->saved_s, 12.5);
  EXPECT_EQ(runs[1].id, "empty");
  EXPECT_EQ(device_key(runs[1].device), device_key(other));
  EXPECT_THAT(runs[1].same_program->benchmarks, ElementsAre("c"));
}

TEST(NotMeasured, WhatIsNotedHoldsForThatBaseAndThePolicyOfToday) {
  const Device device;
  const std::vector<NotedSameProgram> noted{
      {"1", {"base", {"a", "b"}, 3}}, {"2", {"base", {"b", "c"}, {}}}, {"3", {"other", {"d"}, 9}}};
  const auto recorded = recorded_same_programs(device, noted, "base", {}, {});
  ASSERT_EQ(recorded.size(), 1U);
  EXPECT_THAT(recorded.begin()->second.benchmarks, ElementsAre("a", "b", "c"));
  EXPECT_EQ(recorded.begin()->second.saved_s, 3);
  Policy policy;
  policy.rules.push_back(rule_about("*"));
  policy.rules.back().identical_code = IdenticalCode::kMeasure;
  EXPECT_THAT(recorded_same_programs(device, noted, "base", {}, policy), IsEmpty());
  EXPECT_THAT(recorded_same_programs(device, noted, "a third", {}, {}), IsEmpty());
}

TEST(NotMeasured, WhatALaterJobHasMeasuredOnBothSidesIsNotHiddenByANote) {
  const auto in_job = [](const char* id, const char* job, const std::vector<const char*>& names) {
    std::vector<test::Timed> timed;
    for (const char* name : names) timed.push_back({.name = name, .times_ns = {100, 101}});
    return test::make_run({.id = id, .job = job}, timed);
  };
  const tracker::Run base = in_job("5-a", "5", {"a", "b"});
  const auto left = [&](const char* noted_in, const tracker::Run& candidate) {
    const std::vector<NotedSameProgram> noted{{noted_in, {"base", {"a", "b"}, {}}}};
    const auto same = recorded_same_programs({}, noted, "base", {{&base, 1}, {&candidate, 1}}, {});
    return same.empty() ? Names{} : same.begin()->second.benchmarks;
  };
  EXPECT_THAT(left("4-b", in_job("5-b", "5", {"a", "b"})), IsEmpty());
  EXPECT_THAT(left("4-b", in_job("5-b", "5", {"b"})), ElementsAre("a"));
  EXPECT_THAT(left("6-b", in_job("5-b", "5", {"a", "b"})), ElementsAre("a", "b")) << "the note is newer";
  EXPECT_THAT(left("4-b", in_job("7-b", "7", {"a", "b"})), ElementsAre("a", "b")) << "another job";
  tracker::Run excluded = in_job("5-b", "5", {"a", "b"});
  for (auto& invocation : excluded.invocations) invocation.excluded = exclusion_of("warm-up");
  EXPECT_THAT(left("4-b", excluded), ElementsAre("a", "b"));
}

TEST(NotMeasured, ItsRowsPassAndTakeThePlaceOfOthers) {
  const Device device;
  ComparisonReport report;
  report.device = device_key(device);
  report.comparisons.push_back(same_program_row("a", {}));
  report.comparisons.front().verdict = Verdict::kRegressed;
  std::vector<ComparisonReport> reports{report};
  put_same_programs({{report.device, {device, {"a", "b"}, {}}}}, {}, {}, {}, reports);
  report = reports.front();
  ASSERT_EQ(report.comparisons.size(), 2u);
  EXPECT_EQ(report.not_measured->benchmarks, 2);
  for (const auto& row : report.comparisons) {
    EXPECT_EQ(row.verdict, Verdict::kUnchanged);
    EXPECT_FALSE(row.change || row.interval || row.base || row.candidate);
    EXPECT_EQ(report::reason_in_words(row), "same code: nothing to measure");
  }
  EXPECT_EQ(exit_code_for({report}, true), ExitCode::kOk);
}

TEST(NotMeasured, ConfirmingSettlesThemAndGoesOnWithTheOthers) {
  ComparisonReport first_check;
  for (const char* name : {"a", "b"}) {
    Comparison row;
    row.benchmark = name;
    row.metric = find_metric("real_time");
    row.verdict = Verdict::kRegressed;
    row.change = 0.1;
    row.reasons = test::said("10 % slower");
    first_check.comparisons.push_back(row);
  }
  first_check.comparisons.front().verdict = Verdict::kInconclusive;
  Confirmation confirmation(first_check, {"a", "b"});
  EXPECT_THAT(confirmation.slower(), ElementsAre("b"));
  confirmation.take_same_program({"a", "other"}, {});
  EXPECT_THAT(confirmation.undecided(), ElementsAre("b"));
  confirmation.take_same_program({"b"}, {});
  const auto report = confirmation.report();
  EXPECT_FALSE(report.effort) << "nothing was measured";
  EXPECT_EQ(report::reason_in_words(report.comparisons.front()), "same code: nothing to measure");
}

TEST(NotMeasured, ItsTimeIsThatOfItsShareOfARun) {
  tracker::Run run;
  run.benchmarks.resize(4);
  run.benchmarks[0].name = "a";
  run.benchmarks[1].name = "b";
  for (int i = 0; i < 5; ++i) {
    Invocation invocation;
    invocation.length_s = 8;
    for (const char* name : {"a", "b"}) invocation.samples[name].real_time_ns = {1};
    run.invocations.push_back(invocation);
  }
  EXPECT_EQ(measuring_time_s({"a", "b"}, {run}, 10), 2 * 2 * 2.0 * 10) << "2 s each a round and side";
  EXPECT_EQ(measuring_time_s({"x"}, {run}, 10), std::nullopt);
  run.interim_analyses = {5, 8};
  EXPECT_EQ(measuring_time_s({"a"}, {run}, 10), std::nullopt) << "not all were in all of its rounds";
}

}  // namespace
}  // namespace tracker::judge
