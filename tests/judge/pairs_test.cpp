// Pairs are made by round: what one side lost, or left out, shifts nothing.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using test::make_run;
using testing::HasSubstr;

constexpr int kRounds = 8;

// A job that slows down by 2 % from round to round; the candidate is slower by so much, and the noise of a
// pair is a tenth of a per mille.
std::vector<double> drifting(double slower) {
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round)
    times.push_back(1e5 * (1 + 0.02 * round) * (1 + slower) *
                    (1 + 1e-4 * (round % 3 - 1) * (slower > 0 ? 1 : -1)));
  return times;
}

Run side(const std::string& id, double slower) {
  Run run = make_run({.id = id}, {{"k", drifting(slower), {}, {}}});
  for (int i = 0; i < kRounds; ++i) run.invocations[static_cast<std::size_t>(i)].round = i + 1;
  return run;
}

Comparison judged_pair(const Run& base, const Run& candidate) {
  return judge({{}, {base}}, {{}, {candidate}}, {}, {}).comparisons.front();
}

void expect_one_percent(const Comparison& comparison, int pairs) {
  EXPECT_NEAR(comparison.change.value(), 0.01, 0.0005);
  EXPECT_LT(comparison.resolvable.value(), 0.002);
  EXPECT_EQ(comparison.base_invocations, pairs);
  EXPECT_EQ(comparison.candidate_invocations, pairs);
  EXPECT_NEAR(comparison.candidate.value() / comparison.base.value(), 1 + comparison.change.value(), 1e-9)
      << "what is shown is what was compared";
}

TEST(Pairs, CancelTheDrift) {
  expect_one_percent(judged_pair(side("1", 0), side("2", 0.01)), kRounds);
}

// Four builds of two rounds each; what a build's layout does is the same in both, and five times the change.
Run built_four_times(const std::string& id, double slower, const std::vector<double>& layouts) {
  Run run = side(id, slower);
  for (std::size_t i = 0; i < run.invocations.size(); ++i) {
    run.invocations[i].build = static_cast<int>(i / 2) + 1;
    for (auto& [name, samples] : run.invocations[i].samples)
      for (auto& time_ns : samples.real_time_ns) time_ns *= 1 + layouts[i / 2];
  }
  return run;
}

TEST(Pairs, ABuildIsOneMeasurement) {
  const tracker::Run base = built_four_times("1", 0, {0.05, 0, 0.02, 0});
  const tracker::Run candidate = built_four_times("2", 0.01, {0, 0.05, 0, 0.03});
  const auto comparison = judged_pair(base, candidate);
  EXPECT_EQ(comparison.base_invocations, 4);
  EXPECT_TRUE(comparison.by_builds);
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_GT(comparison.resolvable.value(), 0.05) << "the spread between builds is in it";
  EXPECT_THAT(report::reason_in_words(comparison), testing::Not(HasSubstr("invocation")));
}

TEST(Pairs, OneBuildOfManyRoundsIsNoFourthLevel) {
  tracker::Run base = side("1", 0);
  tracker::Run candidate = side("2", 0.01);
  for (auto* run : {&base, &candidate})
    for (auto& invocation : run->invocations) invocation.build = 1;
  expect_one_percent(judged_pair(base, candidate), kRounds);
}

// Blocks of two rounds on each of two boards; the second board takes so much longer.
Run on_two_boards(const std::string& id, double slower, double second_board) {
  Run run = side(id, slower);
  run.device.kind = DeviceKind::kGpu;
  run.device.uuid.reset();
  for (std::size_t i = 0; i < run.invocations.size(); ++i) {
    const bool second = i / 2 % 2 == 1;
    run.invocations[i].board = second ? "GPU-bbbbbbbb-1" : "GPU-aaaaaaaa-1";
    for (auto& [name, samples] : run.invocations[i].samples)
      for (auto& time_ns : samples.real_time_ns) time_ns *= second ? 1 + second_board : 1;
  }
  return run;
}

TEST(Pairs, TheBoardsOwnLevelsCancelOut) {
  expect_one_percent(judged_pair(on_two_boards("1", 0, 0.03), on_two_boards("2", 0.01, 0.03)), kRounds);
}

TEST(Pairs, HowFarTheBoardsAgreeIsSaid) {
  const auto notes = [](double on_second) {
    const auto report =
        judge({{}, {on_two_boards("1", 0, 0.03)}}, {{}, {on_two_boards("2", 0.01, on_second)}}, {}, {});
    std::string all;
    for (const auto& note : report.notes) all += note + "\n";
    return all;
  };
  EXPECT_THAT(notes(0.03), HasSubstr("measured on 2 boards (GPU-aaaaaaaa, GPU-bbbbbbbb)"));
  EXPECT_THAT(notes(0.03), HasSubstr("lie 0.0"));
  EXPECT_THAT(notes(0.0815), testing::ContainsRegex("at most (4\\.9|5|5\\.0)[0-9]* % \\(k\\)"));
}

TEST(Pairs, ALostInvocationShiftsNothing) {
  for (const std::size_t lost : {0u, 3u, 7u}) {
    tracker::Run base = side("1", 0);
    base.invocations.erase(base.invocations.begin() + static_cast<std::ptrdiff_t>(lost));
    expect_one_percent(judged_pair(base, side("2", 0.01)), kRounds - 1);
    expect_one_percent(judged_pair(side("2", 0),
                                   [&] {
                                     tracker::Run candidate = side("3", 0.01);
                                     candidate.invocations.erase(candidate.invocations.begin() +
                                                                 static_cast<std::ptrdiff_t>(lost));
                                     return candidate;
                                   }()),
                       kRounds - 1);
  }
}

TEST(Pairs, WhatIsLeftOutHasNoPartner) {
  tracker::Run base = side("1", 0);
  tracker::Run candidate = side("2", 0.01);
  base.invocations[0].excluded = exclusion_of("warm-up");
  candidate.invocations[0].excluded = exclusion_of("warm-up");
  candidate.invocations[4].excluded = exclusion_of("throttled");
  candidate.invocations[4].samples["k"].real_time_ns = {9e9};
  expect_one_percent(judged_pair(base, candidate), kRounds - 2);
}

TEST(Pairs, ARetakeTakesThePlaceOfWhatIsLeftOut) {
  const tracker::Run base = side("1", 0);
  tracker::Run candidate = side("2", 0.01);
  candidate.invocations.push_back(candidate.invocations[4]);  // taken again at the end, for the same round
  candidate.invocations[4].excluded = exclusion_of("throttled");
  candidate.invocations[4].samples["k"].real_time_ns = {9e9};
  expect_one_percent(judged_pair(base, candidate), kRounds);
}

TEST(Pairs, WithoutRoundsFollowTheOrder) {
  tracker::Run base = side("1", 0);
  tracker::Run candidate = side("2", 0.01);
  for (auto* run : {&base, &candidate})
    for (auto& invocation : run->invocations) invocation.round = 0;
  expect_one_percent(judged_pair(base, candidate), kRounds);
}

TEST(Pairs, OfNoCommonRoundCannotBeJudged) {
  const tracker::Run base = side("1", 0);
  tracker::Run candidate = side("2", 0.5);
  for (auto& invocation : candidate.invocations) invocation.round += kRounds;
  const Comparison comparison = judged_pair(base, candidate);
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_THAT(report::reason_in_words(comparison), HasSubstr("no round measured both sides"));
  EXPECT_FALSE(comparison.resolvable);
}

TEST(Judge, CountsWhatIsLeftOut) {
  tracker::Run base = side("1", 0);
  base.invocations[0].excluded = exclusion_of("warm-up");
  base.invocations[3].excluded = exclusion_of("throttled: sw_thermal");
  base.invocations[3].conditions.throttle_reasons = {"sw_thermal"};
  tracker::Run candidate = side("2", 0);
  candidate.invocations[0].excluded = exclusion_of("warm-up");
  const auto notes = judge({{}, {base}}, {{}, {candidate}}, {}, {}).notes;
  EXPECT_EQ(notes, (std::vector<std::string>{
                       "2 of 8 invocations of the base are excluded: throttled: sw_thermal, warm-up",
                       "1 of 8 invocations of the candidate is excluded: warm-up"}));
}

// When the invocations of a side started: in every round, or in each second one, as the second of the pair.
Run started(Run run, bool in_every, bool in_even) {
  for (auto& invocation : run.invocations) {
    const bool second = in_every || (invocation.round % 2 == 0) == in_even;
    invocation.started_at = "2026-11-20T12:0" + std::to_string(invocation.round) + (second ? ":30Z" : ":00Z");
  }
  return run;
}

Run with_second_slower(Run run, double slower) {
  for (auto& invocation : run.invocations)
    if (invocation.started_at.ends_with(":30Z"))
      for (auto& [name, samples] : invocation.samples)
        for (double& time_ns : samples.real_time_ns) time_ns *= 1 + slower;
  return run;
}

TEST(Pairs, WhatTheSecondIsSlowerByIsNoNoise) {
  const tracker::Run base = with_second_slower(started(side("1", 0), false, true), 0.05);
  const tracker::Run candidate = with_second_slower(started(side("2", 0.01), false, false), 0.05);
  expect_one_percent(judged_pair(base, candidate), kRounds);
}

TEST(Pairs, InOneOrderSayNothingOfWhatOrderDoes) {
  tracker::Run base = side("1", 0);
  for (auto& invocation : base.invocations)
    invocation.started_at = "2026-11-20T12:0" + std::to_string(invocation.round) + ":00Z";
  const Comparison open = judged_pair(base, started(side("2", 0.02), true, false));
  EXPECT_EQ(open.verdict, Verdict::kInconclusive);
  EXPECT_THAT(report::reason_in_words(open), HasSubstr("the same side ran first in every pair"));
  EXPECT_EQ(judged_pair(base, started(side("2", 0.2), true, false)).verdict, Verdict::kRegressed);
}

}  // namespace
}  // namespace tracker::judge
