// What a report says beside its verdicts: what the data could show, what differs between the sides.

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/judge/fitness.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using test::around;
using test::around_again;
using test::kBase;
using test::kCandidate;
using test::make_run;
using test::Timed;
using testing::HasSubstr;
using testing::Not;

// Each benchmark in a process of its own, so that it does not matter to it what else is measured.
ComparisonReport judge_two(const std::vector<Timed>& base, const std::vector<Timed>& candidate) {
  Run before = make_run(kBase, base);
  Run after = make_run(kCandidate, candidate);
  before.isolated = after.isolated = true;
  return judge({{}, {before}}, {{}, {after}}, {}, test::policy_at(0.02));
}

TEST(Judge, SaysLargeChangesAsFactors) {
  const auto reason = [](double base, double candidate) {
    return report::reason_in_words(
        judge_two({{"k", around(base, 0.0001)}}, {{"k", around_again(candidate, 0.0001)}})
            .comparisons.front());
  };
  EXPECT_THAT(reason(100, 917), testing::StartsWith("9.2× slower, past"));
  EXPECT_THAT(reason(100, 5000), testing::StartsWith("50× slower, past"));
  EXPECT_THAT(reason(100, 5), testing::StartsWith("20× faster, past"));
  EXPECT_THAT(reason(100, 150), testing::StartsWith("50 % slower, past"));
  EXPECT_THAT(reason(100, 60), testing::StartsWith("40 % faster, past"));
}

TEST(Judge, SaysHowManyInvocationsAndWhatTheyResolve) {
  const Comparison comparison =
      judge_two({{"k", around(100, 0.02)}}, {{"k", around_again(100, 0.02)}}).comparisons.front();
  EXPECT_EQ(comparison.base_invocations, 5);
  EXPECT_EQ(comparison.candidate_invocations, 5);
  ASSERT_TRUE(comparison.resolvable);
  EXPECT_NEAR(*comparison.resolvable, comparison.interval->high - *comparison.change, 1e-3);
  ASSERT_TRUE(comparison.more_invocations);
  EXPECT_GT(*comparison.more_invocations, 0);
}

TEST(Judge, NotesWhatDiffersBetweenTheSides) {
  auto base = make_run(kBase, {{"k", around(100)}});
  auto candidate = make_run(kCandidate, {{"k", around_again(100)}});
  EXPECT_TRUE(judge({{}, {base}}, {{}, {candidate}}, {}, {}).notes.empty());
  base.software.driver = "580.1";
  candidate.software.driver = "590.2\x1b[31m";
  candidate.dirty = true;
  candidate.invocations[1].conditions.throttle_reasons = {"thermal"};
  candidate.invocations[2].conditions.other_processes = 1;
  const auto report = judge({{}, {base}}, {{}, {candidate}}, {}, {});
  EXPECT_EQ(report.notes, (std::vector<std::string>{
                              "the candidate was measured from a working tree with uncommitted changes",
                              "the candidate's clocks were held down (thermal) in 1 of 5 invocations",
                              "another process was on the GPU in 1 of 5 invocations of the candidate",
                              "different driver: 580.1 → 590.2\x1b[31m"}));
  EXPECT_TRUE(report.candidate.dirty);
  EXPECT_FALSE(report.base.dirty);
}

// A board that something else loads beside one side alone says nothing of the code.
TEST(Judge, CannotJudgeWhereAnotherProcessWasOnTheGpuOfOneSideAlone) {
  for (const bool is_base : {true, false}) {
    auto base = make_run(kBase, {{"k", around(is_base ? 150 : 100)}});
    auto candidate = make_run(kCandidate, {{"k", around_again(is_base ? 100 : 150)}});
    for (std::size_t i = 0; i < 4; ++i)
      (is_base ? base : candidate).invocations[i].conditions.other_processes = 1;
    const auto report = judge({{}, {base}}, {{}, {candidate}}, {}, test::policy_at(0.02));
    EXPECT_EQ(report.comparisons.front().verdict, Verdict::kNotComparable);
    EXPECT_EQ(report::reason_in_words(report.comparisons.front()),
              std::string("cannot be judged: another process was on the GPU in 4 of 5 invocations of the ") +
                  (is_base ? "base" : "candidate") + ", and in 0 of the other side");
    // On both sides it is how this machine is.
    for (auto* run : {&base, &candidate})
      for (auto& invocation : run->invocations) invocation.conditions.other_processes = 1;
    EXPECT_NE(judge({{}, {base}}, {{}, {candidate}}, {}, test::policy_at(0.02)).comparisons.front().verdict,
              Verdict::kNotComparable);
  }
}

// No figures that only show how little is known: "changes below 18076695522 %".
TEST(Judge, SaysWhereTheNoiseHidesAnyChange) {
  const auto report = judge_two({{"k", {100, 900}}}, {{"k", {500, 120}}});
  const Comparison& comparison = report.comparisons.front();
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_GT(comparison.resolvable.value(), 10);
  EXPECT_TRUE(noise_hides_everything(comparison));
  EXPECT_THAT(report::reason_in_words(comparison), HasSubstr("the noise hides any change; "));
  EXPECT_FALSE(noise_hides_everything(
      judge_two({{"k", around(100, 0.1)}}, {{"k", around_again(100, 0.1)}}).comparisons.front()));
}

// Fifteen repetitions in one execution a side: the ratio and its spread are shown, and no verdict rests on
// them.
TEST(Judge, SaysWhatTheRepetitionsOfOneExecutionShow) {
  std::vector<tracker::Run> sides;
  for (const double time_ns : {100.0, 120.0}) {
    sides.push_back(test::make_run(time_ns < 110 ? test::kBase : test::kCandidate, {{"k", {time_ns}}}));
    auto& times = sides.back().invocations[0].samples["k"].real_time_ns;
    for (int i = 1; i < 15; ++i) times.push_back(time_ns * (1 + 0.01 * (i % 3 - 1)));
  }
  const auto report = judge({{}, {sides[0]}}, {{}, {sides[1]}}, {}, {});
  const Comparison& comparison = report.comparisons.front();
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_NEAR(*comparison.change, 0.2, 0.001);
  EXPECT_THAT(report::reason_in_words(comparison),
              testing::StartsWith("20 % slower, but one invocation a side shows no noise of its "
                                  "own: its 15 repetitions scatter by 0.8"));
}

TEST(Judge, SaysOfAHugeChangeThatItIsHuge) {
  const auto report = judge_two({{"k", around(100)}}, {{"k", around_again(1e300)}});
  EXPECT_THAT(report::reason_in_words(report.comparisons.front()),
              HasSubstr("more than a million times slower"));
}

// With three of them the interval reaches over all, and yet a change as large needs few more to be told.
TEST(Judge, AsksForFewInvocationsWhereALargeChangeIsHiddenByFew) {
  for (const bool is_slower : {true, false}) {
    std::vector<double> quick = {100, 103, 98};
    std::vector<double> slow = {2000, 6900, 2500};
    const auto judged = [&] {
      return judge_two({{"k", is_slower ? quick : slow}}, {{"k", is_slower ? slow : quick}})
          .comparisons.front();
    };
    const Comparison hidden = judged();
    EXPECT_EQ(hidden.verdict, Verdict::kInconclusive);
    ASSERT_TRUE(hidden.more_invocations) << report::reason_in_words(hidden);
    EXPECT_THAT(*hidden.more_invocations, testing::AllOf(testing::Ge(1), testing::Le(5)));
    for (int i = 0; i < *hidden.more_invocations; ++i) {
      quick.push_back(101);
      slow.push_back(i % 2 == 0 ? 2100 : 6500);
    }
    EXPECT_EQ(judged().verdict, is_slower ? Verdict::kRegressed : Verdict::kImproved);
  }
}

// In turn there are no jobs to blame.
TEST(Judge, SaysThatTooManyInvocationsWouldBeNeeded) {
  const auto report = judge_two({{"k", around(100, 0.001)}}, {{"k", around_again(101.999, 0.001)}});
  EXPECT_EQ(report.comparisons.front().verdict, Verdict::kInconclusive);
  EXPECT_FALSE(report.comparisons.front().more_invocations);
  EXPECT_THAT(report::reason_in_words(report.comparisons.front()),
              HasSubstr("more than 1000 more invocations"));
  EXPECT_THAT(report::reason_in_words(report.comparisons.front()), Not(HasSubstr("--measure")));
}

}  // namespace

// Slower with identical machine code: an outcome of its own, and no way for a real regression to hide in.

namespace {

using test::around;
using test::around_again;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

using TestRun = tracker::Run;

Code code_of(const std::string& hash, const std::string& block = "32x8") {
  return {hash, 1280, {{"tile_kernel", "256x256", block, "", 0}}, {{"LDG", 4}}};
}

TestRun same_code_run(const test::RunNumbers& numbers, double time_ns) {
  return test::make_run(numbers, {{"k",
                                   numbers.id == test::kBase.id ? around(time_ns) : around_again(time_ns),
                                   1e6,
                                   {},
                                   code_of("aa"),
                                   {{"registers", 32}, {"blocks_per_sm", 8}}}});
}

// Half as slow again, in a job of its own.
struct MeasuredSides {
  TestRun base = same_code_run(test::kBase, 1e5);
  TestRun candidate =
      same_code_run({.id = test::kCandidate.id, .job = "job-2", .commit = test::kCandidate.commit}, 1.5e5);
  Policy policy = test::policy_at(0.02);

  MeasuredSides& in_turn() {
    candidate.job = base.job;
    return *this;
  }
  Benchmark& of_candidate() { return candidate.benchmarks[0]; }
  Benchmark& of_base() { return base.benchmarks[0]; }
  ComparisonReport report() const { return judge({{}, {base}}, {{}, {candidate}}, {}, policy); }
  Comparison row() const { return report().comparisons.at(0); }
};

TEST(SameCode, IsAnOutcomeOfItsOwn) {
  MeasuredSides sides;
  const Comparison row = sides.row();
  EXPECT_EQ(row.verdict, Verdict::kSameCode);
  EXPECT_EQ(row.same_code, true);
  EXPECT_FALSE(fails_gate(row));
  EXPECT_TRUE(is_compared(row));
  EXPECT_THAT(report::reason_in_words(row), HasSubstr("33.3 % less bandwidth, past the threshold of 2 %"));
  EXPECT_THAT(report::reason_in_words(row),
              HasSubstr("but its machine code is identical, and nothing recorded differs"));
  EXPECT_EQ(row.cause, "");
  EXPECT_EQ(exit_code_for({sides.report()}, false), ExitCode::kOk);
  EXPECT_EQ(exit_code_for({sides.report()}, true), ExitCode::kCannotJudge);
}

TEST(SameCode, SaysWhatDiffersInstead) {
  MeasuredSides sides;
  sides.base.software.driver = "580";
  sides.candidate.software.driver = "590";
  sides.base.software.flags = "-O3";
  sides.candidate.software.flags = "-O3 -lineinfo";
  sides.candidate.device.uuid = "GPU-b";
  for (auto& invocation : sides.base.invocations) invocation.conditions.core_clock_mhz_min = 1980;
  for (auto& invocation : sides.candidate.invocations) invocation.conditions.core_clock_mhz_min = 1755;
  EXPECT_EQ(sides.row().verdict, Verdict::kSameCode);
  EXPECT_EQ(sides.row().cause, "SM clock 1980 → 1755 MHz; driver 580 → 590; another board of the model");
  EXPECT_THAT(report::reason_in_words(sides.row()), EndsWith("but its machine code is identical"));
}

// In turn, both sides shared the machine: nothing is left but the commit and chance.
TEST(SameCode, MeasuredInTurnPointsAtTheHost) {
  const auto row = MeasuredSides().in_turn().row();
  EXPECT_EQ(row.verdict, Verdict::kSameCode);
  EXPECT_THAT(row.cause, HasSubstr("what the host does around them"));
}

struct Gating {
  SameCode policy;
  bool fails;
  bool fails_in_turn;
};

TEST(SameCode, FailsWhereThePolicySaysSo) {
  for (const auto& gating :
       {Gating{SameCode::kReport, false, false}, Gating{SameCode::kFailInTurn, false, true},
        Gating{SameCode::kFail, true, true}}) {
    MeasuredSides sides;
    sides.policy.rules[0].same_code = gating.policy;
    EXPECT_EQ(fails_gate(sides.row()), gating.fails);
    EXPECT_EQ(exit_code_for({sides.report()}, false), gating.fails ? ExitCode::kRegressed : ExitCode::kOk);
    sides.in_turn();
    EXPECT_EQ(fails_gate(sides.row()), gating.fails_in_turn);
    sides.policy.rules[0].report_only = true;
    EXPECT_FALSE(fails_gate(sides.row()));
    EXPECT_EQ(sides.row().verdict, Verdict::kSameCode);
  }
}

// Each of these is no proof of the same code, and stays a regression.
struct NotTheSame {
  const char* name;
  std::function<void(MeasuredSides&)> edit;
  std::optional<bool> same_code;
};

class NotTheSameCode : public testing::TestWithParam<NotTheSame> {};

TEST_P(NotTheSameCode, StillRegresses) {
  for (const bool in_turn : {false, true}) {
    MeasuredSides sides;
    if (in_turn) sides.in_turn();
    ASSERT_EQ(sides.row().verdict, Verdict::kSameCode);
    GetParam().edit(sides);
    const Comparison row = sides.row();
    EXPECT_EQ(row.verdict, Verdict::kRegressed);
    EXPECT_EQ(row.same_code, GetParam().same_code);
    EXPECT_TRUE(fails_gate(row));
    EXPECT_THAT(report::reason_in_words(row), Not(HasSubstr("identical")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    SameCode, NotTheSameCode,
    testing::Values(
        NotTheSame{"AnotherHash", [](auto& s) { s.of_candidate().code->hash = "bb"; }, false},
        NotTheSame{"NoHashInTheBase", [](auto& s) { s.of_base().code->hash.clear(); }, {}},
        NotTheSame{"NoHashInTheCandidate", [](auto& s) { s.of_candidate().code->hash.clear(); }, {}},
        NotTheSame{"NoHashes",
                   [](auto& s) {
                     s.of_base().code->hash.clear();
                     s.of_candidate().code->hash.clear();
                   },
                   {}},
        NotTheSame{"NoCodeInTheBase", [](auto& s) { s.of_base().code.reset(); }, {}},
        NotTheSame{"NoCodeInTheCandidate", [](auto& s) { s.of_candidate().code.reset(); }, {}},
        NotTheSame{"AnotherBlock", [](auto& s) { s.of_candidate().code->launches[0].block = "16x16"; },
                   false},
        NotTheSame{"AnotherGrid", [](auto& s) { s.of_candidate().code->launches[0].grid = "128x128"; },
                   false},
        NotTheSame{"AnotherCluster", [](auto& s) { s.of_candidate().code->launches[0].cluster = "2x1"; },
                   false},
        NotTheSame{"MoreSharedMemory",
                   [](auto& s) { s.of_candidate().code->launches[0].shared_bytes = 4096; }, false},
        NotTheSame{"OneMoreLaunch",
                   [](auto& s) {
                     s.of_candidate().code->launches.push_back({"memset", "", "", "", 0});
                   },
                   false},
        NotTheSame{"LaunchesNotKnown",
                   [](auto& s) {
                     s.of_base().code->launches.clear();
                     s.of_candidate().code->launches.clear();
                   },
                   {}},
        NotTheSame{"MoreWork", [](auto& s) { s.of_candidate().bytes_per_iteration = 1e6 * 0.999; }, false},
        NotTheSame{"FewerBlocks", [](auto& s) { s.of_candidate().counters["blocks_per_sm"] = 4; }, false}),
    [](const auto& one) { return one.param.name; });

// The host's code is in no hash: where its time is measured, identical kernels excuse nothing.
TEST(SameCode, ExcusesNoTimeOfTheHost) {
  for (const TimeBase base : {TimeBase::kReal, TimeBase::kCpu}) {
    MeasuredSides sides;
    for (auto* run : {&sides.base, &sides.candidate}) {
      run->benchmarks[0].time_base = base;
      for (auto& invocation : run->invocations)
        invocation.samples["k"].cpu_time_ns = invocation.samples["k"].real_time_ns;
    }
    EXPECT_EQ(sides.row().verdict, Verdict::kRegressed);
    EXPECT_EQ(sides.row().same_code, true);
    EXPECT_THAT(sides.row().cause, HasSubstr("what the host does around them"));
  }
}

TEST(SameCode, ExcusesNoCounterAndNoCpuTime) {
  for (const char* metric : {"cpu_time", "hits"}) {
    MeasuredSides sides;
    sides.policy.rules[0].metric = metric;
    for (auto* run : {&sides.base, &sides.candidate})
      for (auto& invocation : run->invocations) {
        Samples& samples = invocation.samples["k"];
        samples.cpu_time_ns = samples.real_time_ns;
        samples.counters["hits"] = {1 / samples.real_time_ns[0]};
      }
    EXPECT_EQ(sides.row().verdict, Verdict::kRegressed) << metric;
  }
}

// One run of several that had other code, or does not tell, is enough.
TEST(SameCode, TakesAllRunsOfBothSides) {
  for (const auto& [hash, verdict] :
       {std::pair{"aa", Verdict::kSameCode}, std::pair{"bb", Verdict::kRegressed},
        std::pair{"", Verdict::kRegressed}}) {
    MeasuredSides sides;
    TestRun older = same_code_run({.id = "0", .job = "job-0"}, 1e5);
    older.benchmarks[0].code->hash = hash;
    EXPECT_EQ(
        judge({{}, {older, sides.base}}, {{}, {sides.candidate}}, {}, sides.policy).comparisons[0].verdict,
        verdict)
        << hash;
  }
}

TEST(SameCode, AnImprovementStaysOneAndSaysIt) {
  MeasuredSides sides;
  std::swap(sides.base.invocations, sides.candidate.invocations);
  EXPECT_EQ(sides.row().verdict, Verdict::kImproved);
  EXPECT_THAT(report::reason_in_words(sides.row()),
              HasSubstr("; its machine code is identical, and nothing recorded differs"));
  sides.of_candidate().code->hash = "bb";
  EXPECT_THAT(report::reason_in_words(sides.row()), Not(HasSubstr("identical")));
  EXPECT_EQ(sides.row().cause,
            "machine code changed: as many of each instruction, in another order or with other operands");
}

TEST(SameCode, UnchangedIsUnchanged) {
  MeasuredSides sides;
  sides.in_turn().candidate.invocations = same_code_run({.id = "2"}, 1e5).invocations;
  EXPECT_EQ(sides.row().verdict, Verdict::kUnchanged);
  EXPECT_EQ(sides.row().same_code, true);
  EXPECT_EQ(sides.row().cause, "");
}

TEST(SameCode, AFloorStillCounts) {
  MeasuredSides sides;
  Floor floor;
  floor.limit = 9e9;  // the candidate has 6.7 GB/s
  floor.unit = "B/s";
  floor.text = "9 GB/s";
  sides.policy.rules[0].floor = floor;
  const Comparison row = sides.row();
  EXPECT_EQ(row.verdict, Verdict::kBelowFloor);
  EXPECT_TRUE(fails_gate(row));
  EXPECT_THAT(report::reason_in_words(row), HasSubstr("below its floor of 9 GB/s"));
  EXPECT_THAT(report::reason_in_words(row), HasSubstr("but its machine code is identical"));
}

TEST(SameCode, AWaiverIsForWhatFails) {
  MeasuredSides sides;
  sides.policy.waivers.push_back({"k", "known", "2026-01-01", 0.6, "2026-12-31"});
  EXPECT_FALSE(sides.row().waiver) << "nothing fails";
  sides.policy.rules[0].same_code = SameCode::kFail;
  ASSERT_TRUE(sides.row().waiver);
  EXPECT_TRUE(sides.row().waiver->holds);
  EXPECT_FALSE(fails_gate(sides.row()));
  sides.policy.waivers[0].ceiling = 0.1;
  EXPECT_FALSE(sides.row().waiver->holds) << "33 % less is past its ceiling";
  EXPECT_TRUE(fails_gate(sides.row()));
}

TEST(SameCode, ASlowRunIsNoBaselineUnasked) {
  MeasuredSides sides;
  const SideRuns promoted{{}, {sides.candidate}};
  const auto doubts = doubts_about_changes(promoted, {{SideRuns{{}, {sides.base}}}, {}, {}}, sides.policy);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_TRUE(doubts[0].worse);
  ASSERT_TRUE(doubts[0].change);
  EXPECT_TRUE(has_reason(doubts[0].change->reasons, ReasonCode::kSameCodeButSlower));
}

TEST(SameCode, ARegressionSaysItsCause) {
  MeasuredSides sides;
  sides.of_candidate().code->hash = "bb";
  sides.of_candidate().code->instructions["LDG"] = 5;
  sides.of_candidate().counters["registers"] = 64;
  sides.of_candidate().counters["blocks_per_sm"] = 4;
  EXPECT_EQ(sides.row().cause, "blocks per SM 8 → 4: registers 32 → 64; machine code changed: LDG 4 → 5");
  EXPECT_EQ(sides.row().verdict, Verdict::kRegressed);
}

TEST(SideFactsOf, TakeWhatCountsOfTheInvocationsThatHaveIt) {
  TestRun run = same_code_run(test::kBase, 1e5);
  run.invocations[0].conditions = {1000, 1980, 3201, 99, 1, {"sw_thermal"}, 3, 9};
  run.invocations[0].excluded = exclusion_of("warm-up");
  run.invocations[1].samples.clear();
  run.invocations[1].conditions.other_processes = 4;
  run.invocations[2].conditions = {1755, 1980, 3201, 60, 0.5, {"power_cap"}, 0, 1};
  run.invocations[3].conditions = {1800, 1980, 3201, 61, 0.25, {"power_cap"}, 0, 2};
  run.invocations[4].conditions = {1980, 1980, 3201, 55, {}, {}, {}, 3};
  const auto seen = side_facts(side_evidence(std::vector{run}, "k")).conditions;
  EXPECT_EQ(seen.invocations, 3);
  EXPECT_EQ(seen.core_clock_mhz, 1800);
  EXPECT_EQ(seen.temperature_c, 61);
  EXPECT_EQ(seen.throttled_s, 0.75);
  EXPECT_EQ(seen.other_processes, 0);
  EXPECT_EQ(seen.load_average, 2);
  EXPECT_THAT(seen.throttle_reasons, testing::ElementsAre(testing::Pair("power_cap", 2)));
}

}  // namespace

}  // namespace tracker::judge
