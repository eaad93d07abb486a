#include "tracker/judge/not_comparable.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tests/support/said.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

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
