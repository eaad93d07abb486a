#include "tests/quality/goals.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::quality {
namespace {

using testing::Each;

// Findings that meet every goal, as large as a good replay.
Findings perfect() {
  Findings findings{"made up", {}};
  for (const Scope scope : {Scope::kWithinJob, Scope::kAcrossJobs})
    for (const std::size_t n : {1u, 5u, 10u, 20u}) {
      Setting setting;
      setting.scope = scope;
      setting.invocations = n;
      Tally tally;
      tally.regressed = {0, 10000};
      tally.reports = {0, 1000};
      tally.open = {n == 1 ? 10000 : 5000, 10000};
      tally.unchanged_long = {5000, 5000};
      for (auto& share : tally.found_long) share = {5000, 5000};
      setting.tallies.assign(rules().size(), tally);
      findings.settings.push_back(setting);
    }
  return findings;
}

// Tracker's tally at this threshold.
Tally& tally_of(Findings& findings, Scope scope, std::size_t invocations, double threshold) {
  for (auto& setting : findings.settings)
    for (std::size_t r = 0; r < rules().size(); ++r)
      if (setting.scope == scope && setting.invocations == invocations && rules()[r].threshold == threshold)
        return setting.tallies[r];
  throw std::runtime_error("no such tally");
}

std::vector<Outcome> outcomes(const Findings& findings) {
  std::vector<Outcome> all;
  for (const auto& checked : check_goals(findings)) all.push_back(checked.outcome);
  return all;
}

TEST(Goals, AreMetByPerfectFindings) {
  EXPECT_EQ(outcomes(perfect()).size(), 7u);
  EXPECT_THAT(outcomes(perfect()), Each(Outcome::kMet));
  EXPECT_TRUE(all_met(check_goals(perfect()), true));
}

// Each goal can be missed, by findings that are wrong in one place, and is met at its very limit.
TEST(Goals, AreMissedOneByOne) {
  struct Row {
    Scope scope;
    std::size_t invocations;
    double threshold;
    Share& (*share)(Tally&);
    int at_limit, beyond;
  };
  const auto within = Scope::kWithinJob;
  const Row rows[] = {
      {within, 10, 0.025, [](Tally& t) -> Share& { return t.regressed; }, 10, 30},
      {within, 10, 0, [](Tally& t) -> Share& { return t.reports; }, 10, 30},
      {within, 10, 0.005, [](Tally& t) -> Share& { return t.found_long[1]; }, 4950, 4900},
      {within, 10, 0.0025, [](Tally& t) -> Share& { return t.found_long[0]; }, 4500, 4300},
      {within, 10, 0.01, [](Tally& t) -> Share& { return t.unchanged_long; }, 4750, 4600},
      {Scope::kAcrossJobs, 1, 0.01, [](Tally& t) -> Share& { return t.open; }, 10000, 9000},
      {Scope::kAcrossJobs, 20, 0, [](Tally& t) -> Share& { return t.regressed; }, 50, 90},
  };
  for (std::size_t g = 0; g < std::size(rows); ++g) {
    const Row& row = rows[g];
    Findings findings = perfect();
    int& hits = row.share(tally_of(findings, row.scope, row.invocations, row.threshold)).hits;
    hits = row.at_limit;
    EXPECT_EQ(outcomes(findings)[g], Outcome::kMet) << g;
    hits = row.beyond;
    EXPECT_EQ(outcomes(findings)[g], Outcome::kMissed) << g;
    EXPECT_FALSE(all_met(check_goals(findings), false)) << g;
  }
}

TEST(Goals, AreUnclearWhereChanceExplainsIt) {
  Findings findings = perfect();
  tally_of(findings, Scope::kWithinJob, 10, 0).reports = {1, 20};
  EXPECT_EQ(outcomes(findings)[1], Outcome::kUnclear);
  EXPECT_FALSE(all_met(check_goals(findings), true));
  EXPECT_TRUE(all_met(check_goals(findings), false));
}

TEST(Goals, AreNotShownByWhatWasNotReplayed) {
  Findings findings = perfect();
  for (auto& setting : findings.settings)
    if (setting.scope == Scope::kAcrossJobs) setting.tallies.clear();
  EXPECT_EQ(outcomes(findings).back(), Outcome::kNotShown);
  EXPECT_EQ(outcomes(findings).front(), Outcome::kMet);
  EXPECT_TRUE(all_met(check_goals(findings), true));
}

}  // namespace
}  // namespace tracker::quality
