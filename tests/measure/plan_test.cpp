#include "tracker/measure/plan.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::measure {
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

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A job of one part on two targets, all clean at 1980 MHz.
struct Job {
  std::deque<Invocation> invocations;
  std::vector<Taken> taken;

  explicit Job(int rounds, std::size_t targets = 2) {
    for (int round = 1; round <= rounds; ++round)
      for (std::size_t target = 0; target < targets; ++target) {
        invocations.emplace_back().conditions.core_clock_mhz_min = 1980;
        taken.push_back({{0, target, round}, &invocations.back()});
      }
  }
  Conditions& at(int round, std::size_t target) { return find(round, target).conditions; }
  std::string excluded(int round, std::size_t target) {
    return exclusion_in_words(find(round, target).excluded);
  }

  Invocation& find(int round, std::size_t target) {
    for (auto& one : taken)
      if (one.step.round == round && one.step.target == target) return *one.invocation;
    throw std::out_of_range("no such round");
  }
};

TEST(LeaveOutDisturbed, LeavesTheCleanAlone) {
  Job job(5);
  job.at(2, 0).throttle_reasons = {"power_cap"};  // a full-speed GEMM meets it every time
  job.at(3, 1).core_clock_mhz_min = 1800;         // 9.1 % below
  exclude_disturbed(job.taken);
  EXPECT_THAT(excluded_for(job.taken), IsEmpty());
  EXPECT_EQ(clean_rounds(job.taken), 5);
}

TEST(LeaveOutDisturbed, TakesThePairAlong) {
  Job job(5);
  job.at(2, 0).throttle_reasons = {"power_cap", "sw_thermal"};
  job.at(4, 1).other_processes = 1;
  exclude_disturbed(job.taken);
  EXPECT_EQ(job.excluded(2, 0), "throttled: sw_thermal");
  EXPECT_EQ(job.excluded(2, 1), "its pair was disturbed");
  EXPECT_EQ(job.excluded(4, 0), "its pair was disturbed");
  EXPECT_EQ(job.excluded(4, 1), "another process was on the GPU");
  EXPECT_EQ(clean_rounds(job.taken), 3);
  const auto once = excluded_for(job.taken);
  exclude_disturbed(job.taken);
  EXPECT_EQ(excluded_for(job.taken), once) << "twice is once";
}

TEST(LeaveOutDisturbed, BothOfAPairKeepTheirOwnReasons) {
  Job job(3);
  job.at(1, 0).throttle_reasons = {"hw_slowdown"};
  job.at(1, 1).throttle_reasons = {"sw_thermal"};
  exclude_disturbed(job.taken);
  EXPECT_EQ(job.excluded(1, 0), "throttled: hw_slowdown");
  EXPECT_EQ(job.excluded(1, 1), "throttled: sw_thermal");
}

TEST(LeaveOutDisturbed, LowClocksAreHeldAgainstTheSameSideAlone) {
  Job job(5);
  job.at(3, 0).core_clock_mhz_min = 1200;
  for (int round = 1; round <= 5; ++round) job.at(round, 1).core_clock_mhz_min = 1500;  // the code's doing
  exclude_disturbed(job.taken);
  EXPECT_EQ(job.excluded(3, 0), "the clocks were low: 1200 MHz, usually 1980");
  EXPECT_EQ(clean_rounds(job.taken), 4);
}

TEST(LeaveOutDisturbed, OneInvocationHasNothingToBeHeldAgainst) {
  Job job(1);
  job.at(1, 0).core_clock_mhz_min = 300;
  exclude_disturbed(job.taken);
  EXPECT_EQ(clean_rounds(job.taken), 1);
  Job unknown(5);
  for (int round = 1; round <= 5; ++round) unknown.at(round, 0).core_clock_mhz_min.reset();
  exclude_disturbed(unknown.taken);
  EXPECT_EQ(clean_rounds(unknown.taken), 5);
}

TEST(RoundsToRetake, SoManyAsAreMissingButNeverMoreThanAllowed) {
  EXPECT_EQ(rounds_to_retake(5, 5, 0, 5), 0);
  EXPECT_EQ(rounds_to_retake(5, 3, 0, 5), 2);
  EXPECT_EQ(rounds_to_retake(5, 3, 4, 5), 1);
  EXPECT_EQ(rounds_to_retake(5, 3, 5, 5), 0);
  EXPECT_EQ(rounds_to_retake(5, 7, 2, 5), 0);
}

TEST(RoundsToRetake, EndsWhateverHappens) {
  for (int asked = 1; asked <= 10; ++asked)
    for (int clean = 0; clean <= asked; ++clean) {
      int retaken = 0;
      for (int more = 1; more > 0; retaken += more) more = rounds_to_retake(asked, clean, retaken, asked);
      EXPECT_LE(retaken, asked) << "though no retake was ever clean";
    }
}

TEST(RoundsToRetake, OneTellsWhetherADisturbedMachineHasRecovered) {
  EXPECT_EQ(rounds_to_retake(5, 0, 0, 5), 1);
  EXPECT_EQ(rounds_to_retake(5, 0, 1, 5), 0);
  EXPECT_EQ(rounds_to_retake(5, 1, 1, 5), 4);
}

TEST(CountAgainIfFew, LeavesOutWhatIsMadeUpFor) {
  Job job(5);
  for (int round = 1; round <= 2; ++round) job.at(round, 0).other_processes = 1;
  exclude_disturbed(job.taken);
  EXPECT_EQ(count_again_if_few(job.taken, 5), 0);
  EXPECT_EQ(clean_rounds(job.taken), 3);
}

TEST(CountAgainIfFew, CountsTheDisturbedButNotTheWarmUp) {
  Job job(5);
  for (int round = 2; round <= 5; ++round) job.at(round, 0).other_processes = 1;
  exclude_disturbed(job.taken);
  job.find(1, 0).excluded = job.find(1, 1).excluded = {ExclusionReason::kWarmUp, ""};
  EXPECT_EQ(count_again_if_few(job.taken, 5), 8);
  EXPECT_EQ(clean_rounds(job.taken), 4);
  EXPECT_EQ(excluded_for(job.taken), (std::map<std::string, int>{{"warm-up", 2}}));
}

TEST(CountAgainIfFew, OneOfSeveralIsFew) {
  Job two(2);
  two.at(1, 0).other_processes = 1;
  exclude_disturbed(two.taken);
  EXPECT_EQ(count_again_if_few(two.taken, 2), 2);
  Job one(1);
  EXPECT_EQ(count_again_if_few(one.taken, 1), 0);
}

}  // namespace

}  // namespace tracker::measure
