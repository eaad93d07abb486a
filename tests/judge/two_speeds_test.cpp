// Unchanged is not said where so few invocations may hide a change behind two speeds.
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using test::kBase;
using test::kCandidate;
using test::make_run;
using testing::HasSubstr;

// So many invocations, 0.02 % apart.
std::vector<double> quiet(int invocations, double time_ns = 1e5) {
  std::vector<double> times;
  for (int i = 0; i < invocations; ++i) times.push_back(time_ns * (1 + 1e-4 * ((i * 5) % 7 - 3)));
  return times;
}

std::vector<double> quiet_again(int invocations) {
  std::vector<double> times;
  for (int i = 0; i < invocations; ++i) times.push_back(1e5 * (1 + 1e-4 * ((i * 3) % 7 - 3)));
  return times;
}

Comparison judged(const std::vector<double>& base, const std::vector<double>& candidate,
                  const NoiseHistory& history = {}) {
  return judge({{}, {make_run(kBase, {{"k", base, {}, {}, {}, {}}})}, {}},
               {{}, {make_run(kCandidate, {{"k", candidate, {}, {}, {}, {}}})}, {}}, history,
               test::policy_at(0.05))
      .comparisons.front();
}

// 4⁻⁵ is less than one in a thousand, 4⁻⁴ is more.
TEST(TwoSpeeds, MayHideAChangeFromFewerThanFivePairs) {
  for (const int pairs : {3, 4}) {
    const Comparison comparison = judged(quiet(pairs), quiet_again(pairs));
    EXPECT_LT(comparison.interval->high, 0.05);
    EXPECT_GT(comparison.interval->low, -0.05);
    EXPECT_EQ(comparison.verdict, Verdict::kInconclusive) << pairs;
    EXPECT_EQ(comparison.more_invocations, 5 - pairs);
    EXPECT_THAT(
        report::reason_in_words(comparison),
        HasSubstr("within ±5 %, but so few invocations cannot rule out two speeds that hide a change; "
                  "about " +
                  std::to_string(5 - pairs) + " more invocation"));
  }
  const Comparison comparison = judged(quiet(5), quiet_again(5));
  EXPECT_EQ(comparison.verdict, Verdict::kUnchanged);
  EXPECT_FALSE(comparison.more_invocations);
}

// What the noise asks for is not all that is missing.
TEST(TwoSpeeds, CountInHowManyInvocationsAreMissing) {
  const Comparison comparison = judged({1e5, 1.01e5, 0.99e5}, {1.01e5, 0.99e5, 1e5});
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_GT(comparison.interval->high, 0.05);
  ASSERT_TRUE(comparison.more_invocations);
  EXPECT_GE(*comparison.more_invocations, 2);
}

// An earlier run in which each invocation is the next of these, over and over.
NoiseHistory past_of(int runs, const std::vector<double>& levels) {
  std::vector<Run> past;
  for (int run = 0; run < runs; ++run) {
    auto times = quiet(5);
    for (std::size_t i = 0; i < times.size(); ++i) times[i] *= levels[i % levels.size()];
    past.push_back(make_run({.id = "20261101T10000" + std::to_string(run) + "Z-00000000",
                             .job = "past " + std::to_string(run),
                             .commit = std::string(40, 'c')},
                            {{"k", times, {}, {}, {}, {}}}));
  }
  return NoiseHistory{past};
}

TEST(TwoSpeeds, AreRuledOutByAPastOfOneSpeed) {
  EXPECT_EQ(judged(quiet(3), quiet_again(3), past_of(5, {1})).verdict, Verdict::kUnchanged);
  EXPECT_EQ(judged(quiet(3), quiet_again(3), past_of(5, {1, 1.05})).verdict, Verdict::kInconclusive);
  EXPECT_EQ(judged(quiet(3), quiet_again(3), past_of(1, {1})).verdict, Verdict::kInconclusive)
      << "five invocations say little";
}

// Five of six pairs are as quiet; the sixth lies where it would if the candidate got faster by the distance
// of two speeds: 6 · 3 · 4⁻⁶ is more than one in a thousand, 8 · 3 · 4⁻⁸ is less.
TEST(TwoSpeeds, MayBeWhatWasLeftOut) {
  for (const auto& [pairs, verdict] :
       {std::pair{6, Verdict::kInconclusive}, std::pair{8, Verdict::kUnchanged}}) {
    auto base = quiet(pairs);
    base[2] *= 1.06;
    const Comparison comparison = judged(base, quiet_again(pairs));
    EXPECT_THAT(report::reason_in_words(comparison), HasSubstr("outlier")) << pairs;
    EXPECT_EQ(comparison.verdict, verdict) << pairs;
  }
}

// Five of ten invocations of the candidate are 20 % slower: 1.095 in the geometric mean.
TEST(TwoSpeeds, OfTheCandidateAloneAreAFinding) {
  auto slower = quiet_again(10);
  for (const std::size_t place : {1, 3, 4, 6, 9}) slower[place] *= 1.2;
  const Comparison found = judged(quiet(10), slower, past_of(5, {1}));
  EXPECT_EQ(found.verdict, Verdict::kRegressed);
  EXPECT_NEAR(*found.change, 0.0955, 0.001);
  EXPECT_GT(found.interval->low, 0);
  EXPECT_THAT(report::reason_in_words(found),
              HasSubstr("5 of 10 invocations of the candidate are 20 % slower, and none of the base's"));
  auto of_base = quiet(10);
  of_base[2] *= 1.2;
  EXPECT_EQ(judged(of_base, slower, past_of(5, {1})).verdict, Verdict::kInconclusive)
      << "the base has it too";
}

// However many pairs there are: one wild invocation of the candidate alone is no proof, and no all-clear.
TEST(TwoSpeeds, OfTheCandidateAloneAreNeverUnchanged) {
  for (const int pairs : {10, 20, 50}) {
    auto slower = quiet_again(pairs);
    slower[4] *= 1.3;
    const Comparison open = judged(quiet(pairs), slower);
    EXPECT_EQ(open.verdict, Verdict::kInconclusive) << pairs;
    EXPECT_THAT(report::reason_in_words(open), HasSubstr("a second speed that only the candidate has"));
    auto of_base = quiet(pairs);
    of_base[7] *= 1.3;
    EXPECT_EQ(judged(of_base, slower).verdict, Verdict::kUnchanged) << "both have one";
  }
}

}  // namespace
}  // namespace tracker::judge
