// What a history says about the spread between jobs.
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/random.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/judge/noise_model.hpp"

namespace tracker::judge {
namespace {

using test::make_run;
using test::Random;
using test::Timed;

// So many jobs of identical code, each of which moves every benchmark by its own offset.
std::vector<Run> history_of(int jobs, double job_deviation, int benchmarks, const std::string& board = "A") {
  Random random(21);
  std::vector<Run> history;
  for (int job = 0; job < jobs; ++job) {
    std::vector<Timed> timed;
    for (int i = 0; i < benchmarks; ++i) {
      Timed one{"benchmark " + std::to_string(i), {}, {}, {}};
      const double offset = job_deviation * random.normal();
      for (int k = 0; k < 5; ++k) one.times_ns.push_back(1e4 * std::exp(offset + 0.0005 * random.normal()));
      timed.push_back(one);
    }
    const std::string id = "job " + std::to_string(100 + job);
    history.push_back(make_run({.id = id, .job = id, .board = board}, timed));
  }
  return history;
}

std::map<std::string, Gate> gates_for(int benchmarks) {
  std::map<std::string, Gate> gates;
  for (int i = 0; i < benchmarks; ++i)
    gates["benchmark " + std::to_string(i)].metric = find_metric("real_time");
  return gates;
}

JobNoise job_noise_from(int benchmarks, const std::vector<Run>& history, DeviceKind kind, Distance distance,
                        const std::optional<NoiseModel>& stored = {}) {
  std::map<std::string, Metric> metrics;
  for (const auto& [name, gate] : gates_for(benchmarks)) metrics[name] = gate.metric;
  return job_noise(learn_noise(metrics, history, 1, stored), kind, distance);
}

double mean_deviation(const JobNoise& noise) {
  double sum = 0;
  for (const auto& [name, variance] : noise.variance) sum += variance.value;
  return std::sqrt(sum / static_cast<double>(noise.variance.size()));
}

TEST(JobNoise, IsTheDefaultWithoutAHistory) {
  for (const auto distance : {Distance::kSameBoard, Distance::kOtherBoard})
    for (const auto kind : {DeviceKind::kGpu, DeviceKind::kCpu}) {
      const JobNoise noise = job_noise_from(3, {}, kind, distance);
      EXPECT_FALSE(noise.learned);
      const auto fallback = default_job_variance(kind, distance);
      EXPECT_GT(fallback.value, 0);
      for (const auto& [name, variance] : noise.variance) EXPECT_EQ(variance.value, fallback.value);
    }
}

TEST(JobNoise, IsNoneWithinOneJob) {
  const JobNoise noise = job_noise_from(3, history_of(10, 0.01, 3), DeviceKind::kGpu, Distance::kSameJob);
  for (const auto& [name, variance] : noise.variance) EXPECT_EQ(variance.value, 0);
}

TEST(JobNoise, IsLearnedFromNeighbouringJobs) {
  for (const double deviation : {0.004, 0.03}) {
    const JobNoise noise =
        job_noise_from(20, history_of(30, deviation, 20), DeviceKind::kGpu, Distance::kSameBoard);
    EXPECT_TRUE(noise.learned);
    EXPECT_NEAR(mean_deviation(noise), deviation, 0.2 * deviation);
  }
}

// One step in the history is one difference of many: a regression that was accepted is not noise.
TEST(JobNoise, IsNotMovedByAStep) {
  auto history = history_of(30, 0.004, 20);
  for (std::size_t job = 15; job < history.size(); ++job)
    for (auto& invocation : history[job].invocations)
      for (auto& [name, samples] : invocation.samples)
        for (double& time : samples.real_time_ns) time *= 1.3;
  const JobNoise noise = job_noise_from(20, history, DeviceKind::kGpu, Distance::kSameBoard);
  EXPECT_NEAR(mean_deviation(noise), 0.004, 0.0012);
}

TEST(JobNoise, CountsOnlyNeighboursAtTheSameDistance) {
  const auto history = history_of(30, 0.004, 20);
  EXPECT_FALSE(job_noise_from(20, history, DeviceKind::kGpu, Distance::kOtherBoard).learned);
}

// A clone without the store's history still knows what was learned when its baseline was promoted.
TEST(JobNoise, ComesFromTheBaselineWhereThereIsNoHistory) {
  std::map<std::string, Metric> metrics;
  for (const auto& [name, gate] : gates_for(20)) metrics[name] = gate.metric;
  std::optional<NoiseModel> stored = learn_noise(metrics, history_of(30, 0.004, 20));
  const auto from_stored = [&](const std::vector<tracker::Run>& history, Distance distance) {
    return job_noise_from(20, history, DeviceKind::kGpu, distance, stored);
  };
  EXPECT_TRUE(from_stored({}, Distance::kSameBoard).learned);
  EXPECT_NEAR(mean_deviation(from_stored({}, Distance::kSameBoard)), 0.004, 0.0008);
  EXPECT_FALSE(from_stored({}, Distance::kOtherBoard).learned);
  EXPECT_NEAR(mean_deviation(from_stored(history_of(30, 0.03, 20), Distance::kSameBoard)), 0.03, 0.006)
      << "the history is newer";
  for (auto& [name, noise] : stored->benchmarks) noise.metric = "cpu_time";
  EXPECT_FALSE(from_stored({}, Distance::kSameBoard).learned) << "that of another metric says nothing";
}

TEST(JobNoise, IsNeverBelievedToVanish) {
  const JobNoise noise = job_noise_from(20, history_of(30, 0, 20), DeviceKind::kGpu, Distance::kSameBoard);
  const double fallback = std::sqrt(default_job_variance(DeviceKind::kGpu, Distance::kSameBoard).value);
  for (const auto& [name, variance] : noise.variance) EXPECT_GE(std::sqrt(variance.value), 0.199 * fallback);
}

// Five jobs alone would give their spread so little weight that the interval of one benchmark would be many
// times wider than without them.
TEST(JobNoise, OfAShortHistoryLeansOnTheDefault) {
  const auto side = [](const std::string& job) {
    return std::vector<tracker::Run>{make_run({.id = job, .job = job, .board = "A"},
                                              {{"benchmark 0", {1e4, 1.0001e4, 0.9999e4, 1e4, 1.0002e4}}})};
  };
  const auto width = [&](int jobs) {
    const auto report = judge({{}, side("1")}, {{}, side("2")}, history_of(jobs, 0.002, 1), {});
    return report.comparisons.front().resolvable.value();
  };
  const double without = width(0);
  EXPECT_LE(width(5), 1.6 * without);
  EXPECT_LT(width(30), 0.7 * without);
}

TEST(JobNoise, WhatIsNotKnownOfBoardsIsNotDifferent) {
  auto run = make_run({}, {});
  run.device.uuid.reset();
  run.host.name.clear();
  EXPECT_EQ(distance_between({&run, 1}, {&run, 1}), Distance::kSameBoard);
  auto named = run;
  named.host.name = "host";
  EXPECT_EQ(distance_between({&run, 1}, {&named, 1}), Distance::kOtherBoard);
  run.host.name = "host";
  EXPECT_EQ(distance_between({&run, 1}, {&run, 1}), Distance::kSameBoard);
}

}  // namespace
}  // namespace tracker::judge
