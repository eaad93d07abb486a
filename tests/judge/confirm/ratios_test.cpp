#include "tracker/judge/confirm/ratios.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
namespace {

using test::make_run;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

Run rounds(const test::RunNumbers& numbers, const std::vector<test::Timed>& timed) {
  Run run = make_run(numbers, timed);
  for (std::size_t i = 0; i < run.invocations.size(); ++i) run.invocations[i].round = static_cast<int>(i) + 1;
  return run;
}

TEST(PairRatios, AreAboveZeroWhereTheCandidateIsWorse) {
  const double slower = std::log(1.1);
  const auto near = [](double value) { return DoubleNear(value, 1e-9); };
  const tracker::Run base =
      rounds(test::kBase, {{"time", {100, 200}, {}, {}}, {"rate", {100, 100}, 8.0, {}}});
  const tracker::Run candidate =
      rounds(test::kCandidate, {{"time", {110, 220}, {}, {}}, {"rate", {110, 110}, 8.0, {}}});
  const auto all = pair_ratios(base, candidate, {});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].ratios, ElementsAre(near(slower), near(slower))) << "more time";
  EXPECT_EQ(all[1].gate.metric.name, "bytes_per_second");
  EXPECT_THAT(all[1].ratios, ElementsAre(near(slower), near(slower))) << "less bandwidth";
}

TEST(PairRatios, OnlyRoundsOfBothSidesCount) {
  tracker::Run base = rounds(test::kBase, {{"k", {100, 100, 100}, {}, {}}});
  const tracker::Run candidate = rounds(test::kCandidate, {{"k", {100, 100, 100}, {}, {}}});
  base.invocations[1].excluded = exclusion_of("warm-up");
  ASSERT_EQ(pair_ratios(base, candidate, {}).size(), 1U);
  EXPECT_EQ(pair_ratios(base, candidate, {}).front().ratios.size(), 2U);
}

TEST(PairRatios, ABenchmarkKeepsItsPairsWhenItIsRenamed) {
  const tracker::Run base = rounds(test::kBase, {{"old", {100}, {}, {}}});
  const tracker::Run candidate = rounds(test::kCandidate, {{"new", {100}, {}, {}}});
  EXPECT_THAT(pair_ratios(base, candidate, {}), IsEmpty());
  Policy policy;
  policy.renames.push_back({"old", "new"});
  const auto all = pair_ratios(base, candidate, policy);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().benchmark, "new");
}

}  // namespace
}  // namespace tracker
