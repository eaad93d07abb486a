#include "tracker/judge/not_comparable.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
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
  ComparisonReport report;
  report.comparisons.push_back(same_program_row("a", {}));
  report.comparisons.front().verdict = Verdict::kRegressed;
  put_not_measured(report, {"a", "b"}, {});
  ASSERT_EQ(report.comparisons.size(), 2u);
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

// A board that is held down: what its invocations say of it, a clock (0: not known) and a reason each.
struct Seen {
  double mhz = 0;
  std::vector<std::string> reasons;
};

class HeldDown : public testing::Test {
 protected:
  static tracker::Run run_of(const test::RunNumbers& numbers, const std::vector<double>& times,
                             const std::vector<Seen>& seen) {
    tracker::Run run = test::make_run(numbers, {{"k", times}});
    run.isolated = true;
    run.device.core_clock_mhz = 1980;
    for (std::size_t i = 0; i < run.invocations.size(); ++i) {
      Conditions& conditions = run.invocations[i].conditions;
      const Seen& one = seen[i % seen.size()];
      if (one.mhz > 0) conditions.core_clock_mhz_min = conditions.core_clock_mhz_max = one.mhz;
      conditions.throttle_reasons = one.reasons;
    }
    return run;
  }

  // Where it was slow, an iteration took as much longer as the clock was lower.
  static Comparison row(const std::vector<Seen>& base, const std::vector<Seen>& candidate,
                        bool in_turn = true, Policy policy = test::policy_at(0.02)) {
    const auto times = [](const std::vector<double>& at_top, const std::vector<Seen>& seen) {
      std::vector<double> all = at_top;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Seen& one = seen[i % seen.size()];
        if (one.mhz > 0) all[i] *= 1980 / one.mhz;
        if (one.mhz == 0 && !one.reasons.empty()) all[i] *= 4;
      }
      return all;
    };
    test::RunNumbers numbers = test::kCandidate;
    if (!in_turn) numbers.job = "job-2";
    return judge({{}, {run_of(test::kBase, times(test::around(100), base), base)}},
                 {{}, {run_of(numbers, times(test::around_again(100), candidate), candidate)}}, {}, policy)
        .comparisons.front();
  }

  static inline const std::vector<Seen> kWell{{1980, {}}};
  static inline const std::vector<Seen> kHot{{480, {"sw_thermal"}}};
};

TEST_F(HeldDown, OnOneSideIsNoComparisonOfCode) {
  const struct {
    const char* what;
    std::vector<Seen> seen;
    std::string words;
  } rows[] = {
      {"by heat", kHot, "board ran at 480 of 1980 MHz in 5 of 5 invocations, held down (sw_thermal)"},
      {"without a reason", {{480, {}}}, "board ran at 480 of 1980 MHz in 5 of 5 invocations"},
      {"in most invocations",
       {{480, {"sw_thermal"}}, {480, {"sw_thermal"}}, {480, {"sw_thermal"}}, {1980, {}}, {1980, {}}},
       "board ran at 480 of 1980 MHz in 3 of 5 invocations, held down (sw_thermal)"},
      {"and at the power cap once",
       {{480, {"sw_thermal"}},
        {480, {"sw_thermal"}},
        {480, {"sw_thermal", "power_cap"}},
        {1980, {}},
        {480, {}}},
       "board ran at 480 of 1980 MHz in 4 of 5 invocations, held down (power_cap, sw_thermal)"},
      {"by the power cap alone, further than it goes",
       {{480, {"power_cap"}}},
       "board ran at 480 of 1980 MHz in 5 of 5 invocations, held down (power_cap)"},
      {"and its clock is not known",
       {{0, {"hw_slowdown"}}},
       "board ran at a clock that is not known in 5 of 5 invocations, held down (hw_slowdown)"},
  };
  for (const auto& one : rows)
    for (const bool in_turn : {true, false}) {
      for (const bool is_base : {true, false}) {
        const auto found = is_base ? row(one.seen, kWell, in_turn) : row(kWell, one.seen, in_turn);
        EXPECT_EQ(found.verdict, Verdict::kNotComparable) << one.what;
        EXPECT_EQ(report::reason_in_words(found), std::string("cannot be judged: the ") +
                                                      (is_base ? "base" : "candidate") + "'s " + one.words)
            << one.what;
      }
    }
}

// The healthy side does not know its clock.
TEST_F(HeldDown, IsSeenWhereTheOtherSideStatesNoClock) {
  const auto found = row({{0, {}}}, kHot);
  EXPECT_EQ(found.verdict, Verdict::kNotComparable);
  EXPECT_EQ(report::reason_in_words(found),
            "cannot be judged: the candidate's board ran at 480 of 1980 MHz in 5 of 5 invocations, held down "
            "(sw_thermal)");
}

TEST_F(HeldDown, AtTheSameClockAsWell) {
  Policy policy = test::policy_at(0.02);
  policy.rules[0].same_clock = true;
  EXPECT_EQ(row(kWell, kHot, true, policy).verdict, Verdict::kNotComparable);
}

// Both ran at the same clock, so that the ratio looks sound: but a board at a quarter of its clock has other
// bottlenecks than one that is well.
TEST_F(HeldDown, OnBothSidesIsNoComparisonOfCodeEither) {
  const auto found = row(kHot, {{495, {"sw_thermal", "hw_thermal"}}});
  EXPECT_EQ(found.verdict, Verdict::kNotComparable);
  EXPECT_EQ(
      report::reason_in_words(found),
      "cannot be judged: the board of both sides ran at 480 of 1980 MHz in 5 of 5 invocations, held down "
      "(sw_thermal)");
}

TEST_F(HeldDown, IsNotWhatAHealthyBoardDoes) {
  const struct {
    const char* what;
    std::vector<Seen> base;
    std::vector<Seen> candidate;
  } rows[] = {
      {"the power cap takes a GEMM to 70 %", kWell, {{1400, {"power_cap"}}}},
      {"somebody set the clock of both to a quarter", {{480, {}}}, {{480, {}}}},
      {"boards that keep in step", {{480, {"sync_boost"}}}, {{480, {"sync_boost"}}}},
      {"a clock a little lower on both sides, by heat", {{1700, {"sw_thermal"}}}, {{1700, {"sw_thermal"}}}},
      {"nothing is known", {{0, {}}}, {{0, {}}}},
      {"the clock of one side is not known", {{0, {}}}, kWell},
  };
  for (const auto& one : rows)
    EXPECT_NE(row(one.base, one.candidate).verdict, Verdict::kNotComparable) << one.what;
}

// The cores keep their clock, and the memory does not.
TEST_F(HeldDown, OfTheMemoryIsNoComparisonOfCode) {
  const auto row_of = [](double base_mhz, double candidate_mhz) {
    tracker::Run base = run_of(test::kBase, test::around(100), kWell);
    tracker::Run candidate =
        run_of(test::kCandidate, test::around_again(100 * base_mhz / candidate_mhz), kWell);
    for (auto& invocation : base.invocations) invocation.conditions.memory_clock_mhz = base_mhz;
    for (auto& invocation : candidate.invocations) invocation.conditions.memory_clock_mhz = candidate_mhz;
    return judge({{}, {base}}, {{}, {candidate}}, {}, test::policy_at(0.02)).comparisons.front();
  };
  EXPECT_EQ(
      report::reason_in_words(row_of(3201, 1593)),
      "cannot be judged: the candidate's board ran at 1593 of 3201 MHz of its memory in 5 of 5 invocations");
  EXPECT_EQ(row_of(1593, 3201).verdict, Verdict::kNotComparable);
  EXPECT_EQ(row_of(1593, 1593).verdict, Verdict::kUnchanged);
  EXPECT_EQ(row_of(3201, 2619).verdict, Verdict::kRegressed) << "boards of one model may differ so";
}

// What works beside one side alone looks like a change of the code; beside both it does not.
TEST(SharedBoard, OfOneSideIsNoComparisonOfCode) {
  const auto row = [](int of_base, int of_candidate) {
    tracker::Run base = test::make_run(test::kBase, {{"k", test::around(100)}});
    tracker::Run candidate = test::make_run(test::kCandidate, {{"k", test::around_again(120)}});
    for (int i = 0; i < 5; ++i) {
      base.invocations[static_cast<std::size_t>(i)].conditions.other_processes = i < of_base ? 1 : 0;
      candidate.invocations[static_cast<std::size_t>(i)].conditions.other_processes =
          i < of_candidate ? 2 : 0;
    }
    return judge({{}, {base}}, {{}, {candidate}}, {}, test::policy_at(0.02)).comparisons.front();
  };
  EXPECT_EQ(row(0, 5).verdict, Verdict::kNotComparable);
  EXPECT_EQ(
      report::reason_in_words(row(1, 4)),
      "cannot be judged: another process was on the GPU in 4 of 5 invocations of the candidate, and in 1 of "
      "the other side");
  EXPECT_EQ(row(5, 1).verdict, Verdict::kNotComparable);
  EXPECT_EQ(row(5, 5).verdict, Verdict::kRegressed);
  EXPECT_EQ(row(0, 0).verdict, Verdict::kRegressed);
}

// A few slow invocations make no verdict on the code, either way.
TEST_F(HeldDown, InFewInvocationsBlamesNoCode) {
  const Seen well{1980, {}};
  const Seen hot{480, {"sw_thermal"}};
  for (const auto& seen : {std::vector<Seen>{hot, well, well, well, well}, {hot, hot, well, well, well}})
    for (const bool in_turn : {true, false}) {
      const Verdict verdict = row(kWell, seen, in_turn).verdict;
      EXPECT_NE(verdict, Verdict::kRegressed);
      EXPECT_NE(verdict, Verdict::kImproved);
    }
}

}  // namespace
}  // namespace tracker::judge
