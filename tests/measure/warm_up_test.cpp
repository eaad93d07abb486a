#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/random.hpp"
#include "tests/support/recorded.hpp"
#include "tracker/measure/plan.hpp"

namespace tracker::measure {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Noise {
  int benchmarks = 10;
  int rounds = 5;
  double own = 0.01;   // of each benchmark
  double shared = 0;   // what moves all benchmarks of a round alike
  double warm_up = 0;  // that the first round is slower by
  bool two_moded = false;
};

std::vector<std::vector<double>> made_up(const Noise& noise, test::Random& random) {
  std::vector<std::vector<double>> logs(static_cast<std::size_t>(noise.benchmarks));
  for (int round = 0; round < noise.rounds; ++round) {
    const double shared = noise.shared * random.normal() + (round == 0 ? noise.warm_up : 0);
    for (std::size_t i = 0; i < logs.size(); ++i) {
      const double mode = noise.two_moded && random.uniform() < 0.3 ? 0.05 : 0;
      logs[i].push_back(static_cast<double>(i) + shared + noise.own * random.normal() + mode);
    }
  }
  return logs;
}

double share_found(const Noise& noise, std::uint64_t seed, int jobs = 4000) {
  test::Random random(seed);
  int found = 0;
  for (int i = 0; i < jobs; ++i)
    if (is_warm_up(made_up(noise, random))) ++found;
  return static_cast<double>(found) / jobs;
}

// Four standard errors above a true share of 1 %.
constexpr int kJobs = 4000;
constexpr double kOnePercentAtMost = 0.01 + 4 * 0.00157;

TEST(IsWarmUp, SeldomErrsOnStableRounds) {
  std::uint64_t seed = 1;
  for (const int benchmarks : {4, 12})
    for (const int rounds : {4, 5, 10})
      for (const double shared : {0.0, 0.01, 0.03}) {  // alone, as much as its own, and thrice that
        const Noise noise{benchmarks, rounds, 0.01, shared, 0, false};
        EXPECT_LE(share_found(noise, seed++, kJobs), kOnePercentAtMost)
            << benchmarks << " benchmarks, " << rounds << " rounds, " << shared << " shared";
      }
}

TEST(IsWarmUp, SeldomErrsOnTwoModes) {
  for (const int rounds : {4, 5, 10}) {
    const Noise noise{10, rounds, 0.002, 0.002, 0, true};
    EXPECT_LE(share_found(noise, 77, kJobs), kOnePercentAtMost) << rounds;
  }
}

TEST(IsWarmUp, FindsARoundThatAllBenchmarksWereSlowerOrFasterIn) {
  for (const double warm_up : {0.02, -0.02, 0.1}) {
    EXPECT_GE(share_found({10, 5, 0.003, 0.001, warm_up, false}, 5, kJobs), 0.95) << warm_up;
    EXPECT_GE(share_found({4, 10, 0.003, 0.001, warm_up, false}, 6, kJobs), 0.95) << warm_up;
  }
}

// Of every stretch of so many invocations that a real GPU ran, with the first one's times made longer.
std::pair<int, int> found_in_recordings(std::size_t rounds, double slower) {
  int found = 0;
  int stretches = 0;
  for (const auto* job : {"job1", "job2", "job3", "job4"}) {
    const auto times = test::recorded_times(job);
    for (std::size_t start = 0; start + rounds <= times.begin()->second.size(); ++start) {
      std::vector<std::vector<double>> logs;
      for (const auto& [name, values] : times) {
        logs.emplace_back();
        for (std::size_t i = 0; i < rounds; ++i) logs.back().push_back(std::log(values[start + i]));
        logs.back().front() += slower;
      }
      found += is_warm_up(logs) ? 1 : 0;
      ++stretches;
    }
  }
  return {found, stretches};
}

TEST(IsWarmUp, OnARealGpuFindsNoneWhereThereIsNoneAndMostWhereThereIs) {
  for (const std::size_t rounds : {4, 5, 7}) {
    const auto [wrong, of] = found_in_recordings(rounds, 0);
    EXPECT_EQ(wrong, 0) << rounds << " rounds, " << of << " stretches";
    EXPECT_GE(of, 16);
  }
  const auto [right, of] = found_in_recordings(7, 0.03);
  EXPECT_GE(right, of * 9 / 10) << of;
}

TEST(IsWarmUp, WhatIsBelowHalfAPercentIsNone) {
  EXPECT_LE(share_found({10, 10, 0.0003, 0.0001, 0.004, false}, 9, kJobs), 0.001);
}

TEST(IsWarmUp, RoundsThatAreAllAlikeHaveNoScatterToHideIn) {
  const std::vector<double> warm{0.1, 0, 0, 0};
  EXPECT_TRUE(is_warm_up({warm, warm, warm, warm}));
  const std::vector<double> still{0, 0, 0, 0};
  EXPECT_FALSE(is_warm_up({still, still, still, still}));
}

TEST(IsWarmUp, NeedsEnoughRoundsBenchmarksAndAgreement) {
  const std::vector<double> warm{0.1, 0.001, 0, -0.001, 0.0005};
  const std::vector<double> not_warm{0.0002, 0.001, 0, -0.001, 0.0005};
  const std::vector<double> few{0.1, 0.001, 0};
  EXPECT_TRUE(is_warm_up({warm, warm, warm, warm}));
  EXPECT_TRUE(is_warm_up({warm, warm, warm, warm, few}));
  EXPECT_FALSE(is_warm_up({warm, warm, warm}));
  EXPECT_FALSE(is_warm_up({few, few, few, few}));
  const std::vector<double> faster{-0.1, 0.001, 0, -0.001, 0.0005};
  EXPECT_FALSE(is_warm_up({warm, warm, warm, faster}));
  EXPECT_FALSE(is_warm_up({warm, warm, not_warm, not_warm}));
  EXPECT_FALSE(is_warm_up({}));
}

struct Taking {
  std::deque<Invocation> invocations;
  std::vector<Taken> taken;

  Invocation& add(int round, std::size_t target, const std::string& name, double time_ns) {
    auto& invocation = invocations.emplace_back();
    invocation.samples[name] = {{2 * time_ns}, {time_ns}, {1}, {}};
    taken.push_back({{0, target, round}, &invocation});
    return invocation;
  }
};

TEST(LogsByRound, AreTheMeanOfTheSides) {
  Taking job;
  for (int round = 1; round <= 3; ++round) {
    job.add(round, 0, "x", std::exp(1.0 * round));
    job.add(round, 1, "x", std::exp(3.0 * round));
  }
  EXPECT_THAT(logs_by_round(job.taken, {{"x", TimeBase::kCpu}}, 1),
              ElementsAre(ElementsAre(DoubleNear(2, 1e-12), DoubleNear(4, 1e-12), DoubleNear(6, 1e-12))));
  const double ln2 = std::log(2.0);
  EXPECT_THAT(logs_by_round(job.taken, {{"x", TimeBase::kManual}}, 1),
              ElementsAre(ElementsAre(DoubleNear(2 + ln2, 1e-12), DoubleNear(4 + ln2, 1e-12),
                                      DoubleNear(6 + ln2, 1e-12))));
}

TEST(LogsByRound, TakeOnlyWholeRoundsThatCount) {
  Taking job;
  for (int round = 1; round <= 4; ++round) {
    job.add(round, 0, "x", 1);
    if (round != 2) job.add(round, 1, "x", 1).excluded = exclusion_of(round == 3 ? "disturbed" : "");
  }
  EXPECT_THAT(logs_by_round(job.taken, {}, 1), ElementsAre(SizeIs(2)));
  job.taken[0].invocation->excluded = exclusion_of("disturbed");
  EXPECT_THAT(logs_by_round(job.taken, {}, 1), IsEmpty()) << "its first round does not count";
  Taking one_side;
  for (int round = 1; round <= 4; ++round) one_side.add(round, 1, "new", 1);
  EXPECT_THAT(logs_by_round(one_side.taken, {}, 1), ElementsAre(SizeIs(4)));
}

}  // namespace
}  // namespace tracker::measure
