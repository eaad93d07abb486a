// Which of a history's jobs were measured on days unlike the usual ones.
#include "tracker/judge/noise/usual_days.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/random.hpp"

namespace tracker {
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
  EXPECT_NEAR(seen.unusual[2].offsets.at("benchmark 104"), 0.015, 0.004);
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
  EXPECT_NEAR(seen.unusual[0].offsets.at("benchmark 105"), 0.015, 0.006);
}

}  // namespace
}  // namespace tracker
