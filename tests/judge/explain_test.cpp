// What `tracker explain` says: the facts of the runs that a verdict rests on, and what is not known.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/judge/confirm.hpp"

namespace tracker::judge {
namespace {

using test::around;
using test::around_again;
using test::kBase;
using test::kCandidate;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using TestRun = tracker::Run;

constexpr char kDram[] = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr char kLocalLoads[] = "smsp__inst_executed_op_local_ld.sum";
constexpr char kActive[] = "sm__warps_active.avg.pct_of_peak_sustained_active";

TestRun explained_run(const test::RunNumbers& numbers, double time_ns, double registers = 32) {
  Code code{"aa", 1280, {{"tile_kernel", "256x256", "32x8", "", 0}}, {{"LDG", 4}, {"IMAD", 40}}};
  return test::make_run(numbers, {{"k",
                                   numbers.id == kBase.id ? around(time_ns) : around_again(time_ns),
                                   1e6,
                                   {},
                                   code,
                                   {{"registers", registers}}},
                                  {"other", around(2e5), 1e6}});
}

struct Sides {
  SideRuns base{{}, {explained_run(kBase, 1e5)}};
  SideRuns candidate{{}, {explained_run(kCandidate, 1.5e5, 64)}};
  Policy policy = test::policy_at(0.02);

  Sides() {
    auto& code = *candidate.runs[0].benchmarks[0].code;
    code.hash = "bb";
    code.instructions = {{"LDG", 5}, {"IMAD", 40}, {"STL", 2}};
  }
  ExplanationReport explained(const std::vector<std::string>& names = {"k"}, const Profile* of_base = nullptr,
                              const Profile* of_candidate = nullptr) const {
    return explain(judge_stored(base, candidate, {}, policy, {}), {base, of_base}, {candidate, of_candidate},
                   policy, names);
  }
};

const Fact& find(const Explanation& explanation, std::string_view group, std::string_view name) {
  for (const auto& one : explanation.groups)
    for (const auto& fact : one.facts)
      if (one.name == group && fact.name == name) return fact;
  throw std::out_of_range(std::string(group) + " / " + std::string(name));
}

std::string row_of(const Fact& fact) {
  return fact.base + " | " + fact.candidate + " | " + fact.change +
         (fact.differs ? " | differs" : " | the same");
}

TEST(Explain, TakesTheBenchmarksAskedForInTheOrderOfTheReport) {
  const auto report = Sides().explained({"other", "nobody", "k"});
  ASSERT_EQ(report.explanations.size(), 2u);
  EXPECT_EQ(report.judged.comparisons[0].benchmark, "k") << "what regressed is first";
  EXPECT_EQ(report.judged.comparisons[1].benchmark, "other");
}

TEST(Explain, PutsTheFactsBesideEachOther) {
  const auto report = Sides().explained();
  const Explanation& k = report.explanations.at(0);
  EXPECT_THAT(k.causes, ElementsAre("registers 32 → 64", "machine code changed: STL 0 → 2, LDG 4 → 5"));
  EXPECT_EQ(row_of(find(k, "resources", "registers a thread")), "32 | 64 | +100 % | differs");
  EXPECT_EQ(row_of(find(k, "launch", "block")), "32x8 | 32x8 |  | the same");
  EXPECT_EQ(row_of(find(k, "machine code", "hash")), "aa | bb |  | differs");
  EXPECT_EQ(row_of(find(k, "machine code", "size")), "1.25 KiB | 1.25 KiB |  | the same");
  EXPECT_EQ(row_of(find(k, "instructions", "STL")), "0 | 2 |  | differs");
  EXPECT_EQ(row_of(find(k, "instructions", "all")), "44 | 47 | +6.82 % | differs");
  EXPECT_EQ(row_of(find(k, "machine", "board")), "GPU-a | GPU-a |  | the same");
}

// One time and its rates share one interval, turned round.
TEST(Explain, TimeAndRateHaveTheirIntervals) {
  const auto report = Sides().explained();
  const Fact& rate = find(report.explanations[0], "speed", "bytes per second");
  const Fact& time = find(report.explanations[0], "speed", "real time");
  const Interval interval = report.judged.comparisons[0].interval.value();
  EXPECT_THAT(rate.change, HasSubstr("−33.3 % ["));
  EXPECT_THAT(time.change, HasSubstr("+50.0 % ["));
  EXPECT_TRUE(time.differs);
  const auto percent = [](double share) {
    return format_percent(share).substr(0, format_percent(share).find(' '));
  };
  EXPECT_THAT(time.change, HasSubstr("[" + percent(1 / (1 + interval.high) - 1) + ", " +
                                     percent(1 / (1 + interval.low) - 1) + "]"));
}

// One repetition's real time says nothing of its noise where the benchmark is judged by another clock.
TEST(Explain, WhatIsNotJudgedIsNeverCalledTheSame) {
  Sides sides;
  for (auto* side : {&sides.base, &sides.candidate}) {
    const bool is_base = side == &sides.base;
    TestRun& run = side->runs[0];
    run.benchmarks[0].time_base = TimeBase::kCpu;
    run.benchmarks[0].bytes_per_iteration = {};
    for (auto& invocation : run.invocations) {
      Samples& samples = invocation.samples["k"];
      samples.cpu_time_ns = {100 + 0.01 * (samples.real_time_ns[0] - (is_base ? 1e5 : 1.5e5))};
      samples.real_time_ns = {is_base ? 100.2 : 150.3};
    }
  }
  const auto report = sides.explained();
  ASSERT_EQ(report.judged.comparisons[0].verdict, Verdict::kUnchanged) << "by its CPU time";
  const Fact& time = find(report.explanations[0], "speed", "real time");
  EXPECT_EQ(time.base + " | " + time.candidate + " | " + time.change, "100.2 ns | 150.3 ns | +50.0 %");
  EXPECT_FALSE(time.differs);
  EXPECT_TRUE(time.unclear);
  EXPECT_FALSE(find(report.explanations[0], "speed", "cpu time").unclear);
}

// A benchmark that counts its bytes once has another rate per iteration in every invocation.
TEST(Explain, ARateThatDoesNotFollowFromTheTimeHasNoIntervalOfIt) {
  Sides sides;
  sides.policy.rules[0].metric = "real_time";
  for (auto* side : {&sides.base, &sides.candidate}) {
    const bool is_base = side == &sides.base;
    TestRun& run = side->runs[0];
    run.benchmarks[0].bytes_per_iteration = {};
    double rate = is_base ? 2e9 : 1.9e9;
    for (auto& invocation : run.invocations)
      invocation.samples["k"].counters["bytes_per_second"] = {rate += 1e7};
  }
  const auto report = sides.explained();
  ASSERT_EQ(report.judged.comparisons[0].verdict, Verdict::kRegressed);
  const Fact& rate = find(report.explanations[0], "speed", "bytes per second");
  EXPECT_THAT(rate.change, testing::Not(HasSubstr("[")));
  EXPECT_TRUE(rate.unclear);
  const Fact& time = find(report.explanations[0], "speed", "real time");
  EXPECT_THAT(time.change, HasSubstr("+50.0 % ["));
  EXPECT_TRUE(time.differs);
}

// With other work an iteration, the rate changes by another share than the time, and so does its interval.
TEST(Explain, ARateOfOtherWorkHasAnIntervalThatHoldsItsChange) {
  Sides sides;
  sides.policy.rules[0].metric = "real_time";
  sides.candidate.runs[0].benchmarks[0].bytes_per_iteration = 3e6;
  const auto report = sides.explained();
  const Fact& rate = find(report.explanations[0], "speed", "bytes per second");
  EXPECT_THAT(rate.change, HasSubstr("+100 % [+")) << rate.change;
  EXPECT_TRUE(rate.differs);
}

TEST(Explain, AnOpenVerdictIsNotCalledTheSame) {
  Sides sides;
  for (auto* side : {&sides.base, &sides.candidate})
    side->runs[0] =
        test::make_run(side == &sides.base ? kBase : kCandidate,
                       {{"k", side == &sides.base ? around(1e5, 0.3) : around_again(1.5e5, 0.3)}});
  const auto report = sides.explained();
  ASSERT_EQ(report.judged.comparisons[0].verdict, Verdict::kInconclusive);
  EXPECT_TRUE(find(report.explanations[0], "speed", "real time").unclear);
}

TEST(Explain, SaysWhatIsNotKnownAndHowToGetIt) {
  Sides sides;
  sides.base.runs[0].benchmarks[0].code.reset();
  const auto unknown = sides.explained().explanations[0].unknown;
  EXPECT_THAT(unknown, Contains(HasSubstr("the machine code, in the base: ")));
  EXPECT_THAT(unknown, Contains(HasSubstr("hardware counters, on both sides: with its commit checked out, "
                                          "tracker profile 'k'")));
  EXPECT_THAT(sides.explained().explanations[0].causes, ElementsAre("registers 32 → 64"));
  sides.base.runs[0].benchmarks[0].code = Code{};
  sides.base.runs[0].benchmarks[0].code->why_no_hash = "compiled by the driver from PTX";
  EXPECT_THAT(sides.explained().explanations[0].unknown,
              Contains("the machine code, in the base: compiled by the driver from PTX"));
  for (auto* side : {&sides.base, &sides.candidate}) side->runs[0].device.kind = DeviceKind::kCpu;
  EXPECT_THAT(sides.explained().explanations[0].unknown, IsEmpty()) << "a CPU has none of it";
}

TEST(Explain, TakesTheCountersOfBothProfiles) {
  Profile of_base;
  of_base.benchmarks = {{"k", "tile_kernel", 3, {{kDram, 70}, {kLocalLoads, 100}, {kActive, 40}}}};
  Profile of_candidate;
  of_candidate.benchmarks = {{"k", "tile_kernel", 3, {{kDram, 80}, {kLocalLoads, 100.5}}}};
  const auto report = Sides().explained({"k"}, &of_base, &of_candidate);
  const Explanation& k = report.explanations[0];
  EXPECT_EQ(row_of(find(k, "hardware counters", "dram_utilization")), "70 % | 80 % |  | differs");
  EXPECT_FALSE(find(k, "hardware counters", "inst_executed_local_loads").differs) << "counters vary a little";
  EXPECT_EQ(find(k, "hardware counters", "achieved_occupancy").candidate, "");
  EXPECT_THAT(k.unknown, testing::Not(Contains(HasSubstr("hardware counters"))));
  const auto half = Sides().explained({"k"}, &of_base, nullptr);
  EXPECT_THAT(half.explanations[0].unknown, Contains(HasSubstr("hardware counters, in the candidate")));
}

TEST(Explain, CountersThatMovedAreACause) {
  Profile of_base;
  of_base.benchmarks = {{"k", "tile_kernel", 3, {{kDram, 70}, {kLocalLoads, 100}, {kActive, 40}}}};
  Profile of_candidate;
  of_candidate.benchmarks = {{"k", "tile_kernel", 3, {{kDram, 30}, {kLocalLoads, 4200}, {kActive, 80}}}};
  const auto report = Sides().explained({"k"}, &of_base, &of_candidate);
  EXPECT_EQ(report.explanations[0].causes.back(),
            "hardware counters: inst_executed_local_loads 100 → 4.20 k (×42)");
  EXPECT_THAT(report.explanations[0].contrary,
              ElementsAre("hardware counters: achieved_occupancy 40 % → 80 % (×2)"));
  ComparisonReport compared = report.judged;
  add_counter_causes(compared, of_base, of_candidate);
  EXPECT_THAT(compared.comparisons[0].cause, AllOf(StartsWith("registers 32 → 64; "),
                                                   EndsWith("; " + report.explanations[0].causes.back())));
  const auto half = Sides().explained({"k"}, &of_base, nullptr);
  EXPECT_THAT(half.explanations[0].causes, Not(Contains(HasSubstr("hardware counters"))));
}

// Shares of what warps wait for are shares of one whole.
TEST(Explain, AStallThatShrinksSpeaksAgainstNothing) {
  constexpr char kMemory[] = "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct";
  constexpr char kShared[] = "smsp__warp_issue_stalled_mio_throttle_per_warp_active.pct";
  const auto profile = [&](double memory, double shared) {
    Profile counted;
    counted.benchmarks = {{"k", "tile_kernel", 3, {{kMemory, memory}, {kShared, shared}}}};
    return counted;
  };
  const Profile of_base = profile(60, 10);
  const Profile of_candidate = profile(20, 50);
  const auto report = Sides().explained({"k"}, &of_base, &of_candidate);
  EXPECT_EQ(report.explanations[0].causes.back(), "hardware counters: stall_mio_throttle 10 % → 50 % (×5)");
  EXPECT_THAT(report.explanations[0].contrary, IsEmpty());
}

TEST(Explain, WhatSpeaksAgainstItIsNoCause) {
  Sides sides;
  for (auto* side : {&sides.base, &sides.candidate})
    side->runs[0].benchmarks[0].counters["blocks_per_sm"] = side == &sides.base ? 4 : 8;
  const auto report = sides.explained();
  EXPECT_THAT(report.explanations[0].contrary, ElementsAre("blocks per SM 4 → 8"));
  EXPECT_THAT(report.explanations[0].causes, ElementsAre(HasSubstr("machine code changed")));
}

TEST(Explain, AMissingOneHasTheFactsOfOneSide) {
  Sides sides;
  sides.candidate.runs[0].benchmarks.erase(sides.candidate.runs[0].benchmarks.begin());
  const auto report = sides.explained();
  EXPECT_EQ(report.judged.comparisons[0].verdict, Verdict::kMissing);
  EXPECT_EQ(row_of(find(report.explanations[0], "resources", "registers a thread")), "32 |  |  | differs");
  EXPECT_THAT(report.explanations[0].unknown, Contains(HasSubstr("all in the candidate")));
  EXPECT_THAT(report.explanations[0].causes, IsEmpty());
}

TEST(Explain, FindsOldNames) {
  Sides sides;
  auto& benchmark = sides.base.runs[0].benchmarks[0];
  for (auto& invocation : sides.base.runs[0].invocations) {
    invocation.samples["was"] = invocation.samples["k"];
    invocation.samples.erase("k");
  }
  benchmark.name = "was";
  sides.policy.renames.push_back({"was", "k"});
  const auto report = sides.explained();
  ASSERT_EQ(report.explanations.size(), 1u);
  EXPECT_EQ(row_of(find(report.explanations[0], "resources", "registers a thread")),
            "32 | 64 | +100 % | differs");
}

// A job that measured this benchmark in turn is what its verdict rests on; those of the first check are not.
TEST(Explain, TakesTheRunsThatConfirmed) {
  Sides sides;
  std::vector<double> times;
  for (int i = 0; i < 8; ++i) times.push_back(1e5 * (1 + 0.0001 * (i % 3)));
  sides.candidate.runs[0].job = "job-2";  // the stored ones were in separate jobs
  for (auto* side : {&sides.base, &sides.candidate}) {
    const bool is_base = side == &sides.base;
    TestRun confirming = test::make_run({.id = is_base ? "3-a" : "3-b", .job = "3"}, {{"k", times, 1e6}});
    confirming.benchmarks[0].counters["registers"] = 40;
    confirming.selection = {"^k$", 1};
    confirming.interim_analyses = {5, 8};
    for (std::size_t i = 0; i < times.size(); ++i) confirming.invocations[i].round = static_cast<int>(i) + 1;
    side->runs.push_back(confirming);
  }
  const auto report = sides.explained({"k", "other"});
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& row = report.judged.comparisons[i];
    EXPECT_EQ(row.confirmed, row.benchmark == "k");
    if (!row.confirmed) continue;
    EXPECT_EQ(row_of(find(report.explanations[i], "resources", "registers a thread")),
              "40 | 40 |  | the same");
  }
}

}  // namespace
}  // namespace tracker::judge
