// What the other benchmarks of a report say of the days that its sides were measured on.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tests/support/random.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/judge/shared_noise.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker::judge {
namespace {

// So many benchmarks after twelve jobs (eleven differences) whose deviation was 0.2 %, of which the first
// have moved by these; a day unlike them has 1 %.
std::vector<double> chances(const std::vector<double>& estimates, std::size_t benchmarks = 20,
                            double still = 0.002) {
  std::vector<Moved> moved(benchmarks, Moved{0, 0, 2, {4e-6, 12}, 11 * stats::kDegreesOfDifference});
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i].estimate = i % 2 == 0 ? still : -still;
    if (i < estimates.size()) moved[i].estimate = estimates[i];
  }
  return chances_of_other_days(moved, {1e-4, 30});
}

TEST(OtherDays, AreUnlikelyWhereAFewBenchmarksMove) {
  for (const double chance : chances({})) EXPECT_LT(chance, 1e-6);
  for (const double chance : chances({0.05, -0.03, 0.02, 0.3})) EXPECT_LT(chance, 1e-4);
}

// Today is stiller than the history's days need be, and the rest stays where it was.
TEST(OtherDays, AreUnlikelyWhereManyMoveAndTheRestStays) {
  const std::vector<double> moved{0.03, 0.022, 0.041, 0.028, 0.035, 0.019, 0.031, 0.025};
  for (const double chance : chances(moved, 20, 0.0003)) EXPECT_LT(chance, 1e-3);
}

TEST(OtherDays, AreUnlikelyWhereAllMoveAlike) {
  for (const double chance : chances(std::vector<double>(20, 0.02))) EXPECT_LT(chance, 1e-6);
}

TEST(OtherDays, AreLikelyWhereEachMovesInItsOwnWay) {
  std::vector<double> apart;
  for (int i = 0; i < 20; ++i) apart.push_back(0.03 * i / 20);
  for (const double chance : chances(apart)) EXPECT_GT(chance, 0.99);
}

// A single benchmark has no others to tell, and the next of twelve days is the first of its kind in one
// of 13.
TEST(OtherDays, OfOneBenchmarkAreAsLikelyAsTheHistoryIsShort) {
  const std::vector<Moved> one{{0.05, 0, 2, {4e-6, 12}, 11 * stats::kDegreesOfDifference}};
  EXPECT_NEAR(chances_of_other_days(one, {1e-4, 30}).front(), 2.0 / 14, 1e-9);
}

// Of five benchmarks, a slow day moves all to within half a per cent now and then. Of twenty, never.
TEST(OtherDays, AreNotRuledOutWhereFewBenchmarksMoveAlike) {
  const std::vector<double> alike{0.0284, 0.0277, 0.0264, 0.0253, 0.0232};
  for (const double chance : chances(alike, 5)) EXPECT_GT(chance, 0.002);
  std::vector<double> many;
  for (int i = 0; i < 20; ++i) many.push_back(alike[static_cast<std::size_t>(i) % alike.size()]);
  for (const double chance : chances(many)) EXPECT_LT(chance, 1e-6);
}

TEST(OtherDays, AreUnlikelierWhereTheOthersStayThanWhereTheyMoveAlike) {
  const double stay = chances({0.02, 0.0005, -0.0005, 0.0002, 0}, 5).front();
  const double move = chances({0.02, 0.0205, 0.0195, 0.0202, 0.02}, 5).front();
  EXPECT_LT(stay, 1e-3);
  EXPECT_GT(move, 5 * stay);
}

TEST(OtherDays, AreTellableHoweverFarBenchmarksMove) {
  for (const double far : {1.0, 30.0, 700.0})
    for (const auto& estimates : {std::vector<double>{far}, std::vector<double>(20, far),
                                  std::vector<double>{far, -far, far, -far, 0}})
      for (const double chance : chances(estimates)) {
        EXPECT_GE(chance, 0);
        EXPECT_LE(chance, 1);
      }
}

// Of 31 jobs, six had each of 20 benchmarks slower by its own share of up to 3 %: these moved as much.
DaysSeen six_slow_days() {
  DaysSeen before;
  before.usual = 25;
  before.unusual.assign(6, {});
  for (auto& day : before.unusual)
    for (int i = 0; i < 20; ++i) day.offsets.push_back(0.03 * ((i * 7) % 20) / 20);
  return before;
}

std::vector<double> chances_after_slow_days(const std::vector<double>& estimates) {
  std::vector<Moved> moved;
  for (const double estimate : estimates)
    moved.push_back({estimate, 1e-7, 2, {4e-6, 12}, 30 * stats::kDegreesOfDifference, 1.7e-4});
  return chances_of_other_days(moved, {1e-4, 30}, six_slow_days());
}

TEST(OtherDays, LikeThoseOfTheHistoryAreTold) {
  for (const double chance : chances_after_slow_days(six_slow_days().unusual.front().offsets))
    EXPECT_GT(chance, 0.999);
  for (const double chance : chances_after_slow_days(std::vector<double>(20, 0.02))) EXPECT_LT(chance, 1e-6);
  for (const double chance : chances_after_slow_days(std::vector<double>(20, 0.0005)))
    EXPECT_LT(chance, 1e-6);
}

// Where slow days moved all alike, nothing tells one from the code.
TEST(OtherDays, ThatMoveAllAlikeAreAsLikelyAsBefore) {
  DaysSeen before = six_slow_days();
  for (auto& day : before.unusual) day.offsets.assign(20, 0.02);
  const std::vector<Moved> moved(20, {0.02, 1e-7, 2, {4e-6, 12}, 30 * stats::kDegreesOfDifference, 1e-4});
  for (const double chance : chances_of_other_days(moved, {1e-4, 30}, before)) EXPECT_GT(chance, 0.05);
}

}  // namespace

// Which of a history's jobs were measured on days unlike the usual ones.

namespace {

using test::Random;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kLeast = 0.002;

// So many jobs of so many benchmarks, 0.1 % apart from day to day.
JobLevels levels_of(int jobs, int benchmarks, Random& random) {
  JobLevels levels;
  for (int job = 0; job < jobs; ++job) levels.jobs.push_back("job " + std::to_string(100 + job));
  for (int i = 0; i < benchmarks; ++i) {
    auto& series = levels.by_benchmark["benchmark " + std::to_string(100 + i)];
    for (int job = 0; job < jobs; ++job) series.push_back(0.001 * random.normal());
  }
  return levels;
}

// Each benchmark is slower on that job, by its own share of up to 3 %.
void slow_down(JobLevels& levels, std::size_t job) {
  int place = 0;
  for (auto& [name, series] : levels.by_benchmark) series[job] += 0.003 * (++place % 11);
}

std::vector<std::string> unusual_jobs(const JobLevels& levels) {
  std::vector<std::string> jobs;
  for (const auto& day : days_seen(levels, kLeast).unusual) jobs.push_back(day.job);
  return jobs;
}

TEST(UsualDays, AreAllWhereNoneIsSlow) {
  Random random(71);
  for (int i = 0; i < 50; ++i) {
    const DaysSeen seen = days_seen(levels_of(31, i % 2 == 0 ? 20 : 5, random), kLeast);
    EXPECT_THAT(seen.unusual, IsEmpty());
    EXPECT_EQ(seen.usual, 31);
  }
}

TEST(UsualDays, AreToldFromSlowOnes) {
  Random random(72);
  JobLevels levels = levels_of(31, 20, random);
  for (const std::size_t job : {3u, 4u, 17u, 30u}) slow_down(levels, job);
  EXPECT_THAT(unusual_jobs(levels), ElementsAre("job 103", "job 104", "job 117", "job 130"));
  const DaysSeen seen = days_seen(levels, kLeast);
  EXPECT_EQ(seen.usual, 27);
  EXPECT_TRUE(seen.is_unusual("job 117"));
  EXPECT_FALSE(seen.is_unusual("job 116"));
  EXPECT_NEAR(seen.unusual[2].offsets[4], 0.015, 0.004);
}

TEST(UsualDays, AreFoundAlongAWalk) {
  Random random(73);
  JobLevels levels = levels_of(31, 20, random);
  for (auto& [name, series] : levels.by_benchmark) {
    double level = 0;
    for (double& value : series) value += level += 0.002 * random.normal();
  }
  EXPECT_THAT(unusual_jobs(levels), IsEmpty());
  slow_down(levels, 12);
  EXPECT_THAT(unusual_jobs(levels), ElementsAre("job 112"));
}

// What stays is the code's, and what moves a few benchmarks is.
TEST(UsualDays, AreNotEndedByTheCode) {
  Random random(74);
  JobLevels levels = levels_of(31, 20, random);
  int place = 0;
  for (auto& [name, series] : levels.by_benchmark) {
    for (std::size_t job = 15; job < series.size(); ++job) series[job] += 0.04;
    if (++place <= 4) series[7] += 0.2;
  }
  EXPECT_THAT(unusual_jobs(levels), IsEmpty());
}

TEST(UsualDays, CannotBeToldFromFew) {
  Random random(75);
  JobLevels few_jobs = levels_of(4, 20, random);
  slow_down(few_jobs, 2);
  EXPECT_THAT(unusual_jobs(few_jobs), IsEmpty());
  JobLevels few_benchmarks = levels_of(31, 4, random);
  slow_down(few_benchmarks, 12);
  EXPECT_THAT(unusual_jobs(few_benchmarks), IsEmpty());
}

TEST(UsualDays, OfBenchmarksThatAJobDoesNotHaveAreAsTheOthersSay) {
  Random random(76);
  JobLevels levels = levels_of(31, 20, random);
  slow_down(levels, 9);
  levels.by_benchmark["benchmark 105"][9] = std::numeric_limits<double>::quiet_NaN();
  const DaysSeen seen = days_seen(levels, kLeast);
  ASSERT_EQ(seen.unusual.size(), 1u);
  EXPECT_NEAR(seen.unusual[0].offsets[5], 0.015, 0.006);
}

// Twelve jobs of eight benchmarks, five invocations each; two were measured on slow days.
std::vector<Run> jobs_with_slow_days(Random& random, const std::string& board_of_one) {
  std::vector<Run> runs;
  for (int job = 0; job < 12; ++job) {
    const bool is_slow = job == 3 || job == 8;
    std::vector<test::Timed> benchmarks;
    for (int k = 0; k < 8; ++k) {
      test::Timed timed{"benchmark " + std::to_string(k), {}, {}, {}};
      const double of_day = 0.0005 * random.normal() + (is_slow ? 0.004 * k : 0);
      for (int i = 0; i < 5; ++i) timed.times_ns.push_back(1e5 * std::exp(of_day + 0.0005 * random.normal()));
      benchmarks.push_back(timed);
    }
    runs.push_back(test::make_run({.id = "20261101T1" + std::to_string(10 + job) + "000Z-00000000",
                                   .job = "job " + std::to_string(job),
                                   .board = job == 0 ? board_of_one : "GPU-a",
                                   .commit = std::string(40, static_cast<char>('c' + job))},
                                  benchmarks));
  }
  return runs;
}

// The newest run as the candidate, all of it 2 % slower, and the one before it as the base.
ComparisonReport judged(std::vector<Run> runs, bool history_has_base) {
  Run candidate = runs.back();
  runs.pop_back();
  const Run base = runs.back();
  if (!history_has_base) runs.pop_back();
  for (auto& invocation : candidate.invocations)
    for (auto& [name, samples] : invocation.samples)
      for (double& time_ns : samples.real_time_ns) time_ns *= 1.02;
  return judge({{}, {base}}, {{}, {candidate}}, NoiseHistory{runs}, test::policy_at(0.01));
}

int count_regressed(const ComparisonReport& report) {
  return static_cast<int>(
      std::count_if(report.comparisons.begin(), report.comparisons.end(),
                    [](const Comparison& row) { return row.verdict == Verdict::kRegressed; }));
}

TEST(UsualDays, LetASlowDownBeFoundWhetherTheHistoryHasTheBaseOrNot) {
  Random random(77);
  const auto runs = jobs_with_slow_days(random, "GPU-a");
  EXPECT_EQ(count_regressed(judged(runs, true)), 8);
  EXPECT_EQ(count_regressed(judged(runs, false)), 8);
}

// Where the history is of two boards, all of its days count.
TEST(UsualDays, AreNotToldOnSeveralBoards) {
  Random random(77);
  EXPECT_EQ(count_regressed(judged(jobs_with_slow_days(random, "GPU-b"), true)), 0);
}

}  // namespace

}  // namespace tracker::judge
