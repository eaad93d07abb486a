#include "tracker/measure/plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

JobPart part(const std::string& path, const std::vector<std::size_t>& targets, const std::string& what = "") {
  JobPart made;
  made.binary.path = path;
  made.targets = targets;
  made.what = what;
  return made;
}

const std::vector<JobPart> kTwoOfTwo{part("a", {0, 1}), part("b", {0, 1})};

std::vector<Step> plan(const std::vector<JobPart>& parts, int first_round, int rounds, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return plan_steps(parts, all_rounds(parts.size(), first_round, rounds), random);
}

std::string written(const std::vector<Step>& steps) {
  std::string text;
  for (const auto& step : steps)
    text += std::to_string(step.round) + ":" + std::to_string(step.part) + "AB"[step.target] + " ";
  return text;
}

// Round and part → the targets in their order.
std::map<std::pair<int, std::size_t>, std::string> orders(const std::vector<Step>& steps) {
  std::map<std::pair<int, std::size_t>, std::string> found;
  for (const auto& step : steps) found[{step.round, step.part}] += "AB"[step.target];
  return found;
}

TEST(PlanSteps, EveryBlockOfTwoRoundsHasBothOrders) {
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (const auto& [key, order] : orders(plan(kTwoOfTwo, 1, 6, seed))) {
      const auto [round, part] = key;
      EXPECT_EQ(order.size(), 2u);
      if (round % 2 == 0) continue;
      const std::string other = orders(plan(kTwoOfTwo, 1, 6, seed))[{round + 1, part}];
      EXPECT_EQ(std::string(order.rbegin(), order.rend()), other) << seed << ", round " << round;
    }
}

TEST(PlanSteps, TheFirstOfABlockIsDrawn) {
  std::map<std::string, int> first;
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    for (const auto& [key, order] : orders(plan(kTwoOfTwo, 1, 1, seed))) ++first[order];
  EXPECT_NEAR(first["AB"], 400, 80);  // four standard deviations of 800 fair draws are 57
  EXPECT_NEAR(first["BA"], 400, 80);
}

TEST(PlanSteps, ASeedGivesTheSameOrderAlwaysAndAnotherSeedAnother) {
  std::set<std::string> plans;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto text = written(plan(kTwoOfTwo, 1, 10, seed));
    EXPECT_EQ(text, written(plan(kTwoOfTwo, 1, 10, seed)));
    plans.insert(text);
  }
  EXPECT_EQ(plans.size(), 20u);
}

TEST(PlanSteps, TargetsOfAPartFollowOneAnotherAndRoundsComeInOrder) {
  const std::vector<JobPart> parts{part("a", {0, 1}), part("a", {0}), part("b", {0, 1})};
  std::set<std::string> part_orders;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto steps = plan(parts, 4, 3, seed);
    ASSERT_EQ(steps.size(), 15u);
    std::string order;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_LE(steps[i == 0 ? 0 : i - 1].round, steps[i].round);
      const auto mates = parts[steps[i].part].targets.size();
      const bool beside = (i > 0 && steps[i - 1].part == steps[i].part) ||
                          (i + 1 < steps.size() && steps[i + 1].part == steps[i].part);
      EXPECT_TRUE(mates == 1 || beside) << written(steps);
      if (steps[i].round == 4) order += std::to_string(steps[i].part);
    }
    part_orders.insert(order);
  }
  EXPECT_GT(part_orders.size(), 1u) << "parts change places";
}

TEST(PlanSteps, TheFirstRoundOfAllKeepsTheListedOrder) {
  std::vector<JobPart> parts;
  for (int i = 0; i < 8; ++i) parts.push_back(part("bench", {0}, std::to_string(i)));
  std::vector<std::size_t> first;
  for (const auto& step : plan(parts, 1, 2, 7))
    if (step.round == 1) first.push_back(step.part);
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
}

TEST(PlanSteps, RoundsOfSomePartsAreThoseAlone) {
  std::mt19937_64 random(1);
  const auto steps = plan_steps(kTwoOfTwo, {{1, 6}, {1, 7}, {0, 6}}, random);
  EXPECT_EQ(steps.size(), 6u);
  auto found = orders(steps);
  EXPECT_EQ(found.size(), 3u) << "part 0 is not in round 7";
  const auto was = found[{6, 1}];
  EXPECT_EQ((found[{7, 1}]), std::string(was.rbegin(), was.rend()));
}

}  // namespace
}  // namespace tracker
