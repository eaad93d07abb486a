// Learning noise: on made-up runs whose noise is known, and on what real H200s showed.
#include "tracker/judge/noise_model.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/random.hpp"
#include "tests/support/recorded.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

using test::make_run;
using test::Random;
using test::RunNumbers;
using test::Timed;

using LearnedRuns = std::vector<Run>;  // within a test, Run is gtest's

const std::map<std::string, Metric>& times() {
  static const std::map<std::string, Metric> metrics{{"x", find_metric("real_time")}};
  return metrics;
}

BenchmarkNoise learned(const LearnedRuns& history) {
  return learn_noise(times(), history).benchmarks.at("x");
}

RunNumbers numbers(int job, int run = 0, const std::string& board = "A") {
  return {.id = std::to_string(1000 + job) + "-" + std::to_string(run),
          .job = "job " + std::to_string(job),
          .board = board};
}

Run run_of(const RunNumbers& of, const std::vector<double>& logs) {
  Timed timed{"x", {}, {}, {}};
  for (const double log : logs) timed.times_ns.push_back(1e4 * std::exp(log));
  return make_run(of, {timed});
}

struct Truth {
  double invocation = 0;  // standard deviations
  double job = 0;
  double correlation = 0;  // of an invocation with the one before it
};

LearnedRuns simulate(const Truth& truth, int jobs, int invocations, Random& random) {
  LearnedRuns history;
  for (int job = 0; job < jobs; ++job) {
    const double offset = truth.job * random.normal();
    double state = random.normal();
    std::vector<double> logs;
    for (int i = 0; i < invocations; ++i) {
      if (i > 0)
        state = truth.correlation * state +
                std::sqrt(1 - truth.correlation * truth.correlation) * random.normal();
      logs.push_back(offset + truth.invocation * state);
    }
    history.push_back(run_of(numbers(job), logs));
  }
  return history;
}

TEST(NoiseModel, OfNoRunsKnowsNothing) {
  const NoiseModel model = learn_noise(times(), {});
  EXPECT_EQ(model.jobs, 0);
  const auto& noise = model.benchmarks.at("x");
  for (const auto* variance : {&noise.invocation, &noise.successive, &noise.same_board, &noise.other_board})
    EXPECT_EQ(variance->degrees, 0);
}

TEST(NoiseModel, ByHand) {
  const auto noise = learned({run_of(numbers(1), {0.00, 0.02, 0.01})});
  EXPECT_NEAR(noise.invocation.value, 1e-4, 1e-12);  // (1 + 1 + 0) · 10⁻⁴ / 2
  EXPECT_EQ(noise.invocation.degrees, 2);
  EXPECT_NEAR(noise.successive.value, 2.5e-4, 1e-12);  // (4 + 1) · 10⁻⁴ / 2
  EXPECT_NEAR(noise.successive.degrees, 1.6, 1e-12);   // 2 · (2 · 2)² / (2 · (6 · 3 − 8))
  EXPECT_EQ(noise.same_board.degrees, 0);
}

// A pair alone has one difference, and one degree.
TEST(NoiseModel, OfPairsOfInvocationsHasOneDegreeEach) {
  const auto noise = learned({run_of(numbers(1), {0, 0.02}), run_of(numbers(2), {0, 0.04})});
  EXPECT_NEAR(noise.successive.value, 1e-3, 1e-12);
  EXPECT_NEAR(noise.successive.degrees, 2, 1e-12);
  EXPECT_EQ(noise.invocation.degrees, 2);
}

TEST(NoiseModel, SkipsInvocationsThatAreLeftOut) {
  auto run = run_of(numbers(1), {0.5, 0.00, 0.02, 0.9, 0.01});
  run.invocations[0].excluded = exclusion_of("warm-up");
  run.invocations[3].excluded = exclusion_of("disturbed");
  const auto noise = learned({run});
  EXPECT_EQ(noise.invocation.degrees, 2);
  EXPECT_NEAR(noise.invocation.value, 1e-4, 1e-12);
  EXPECT_NEAR(noise.successive.value, 4e-4, 1e-12) << "the last two are not neighbours";
  EXPECT_NEAR(noise.successive.degrees, 1, 1e-12);
}

TEST(NoiseModel, TakesRoundsForTheOrder) {
  auto run = run_of(numbers(1), {0.01, 0.00, 0.02});
  const int rounds[] = {3, 1, 2};
  for (std::size_t i = 0; i < 3; ++i) run.invocations[i].round = rounds[i];
  EXPECT_NEAR(learned({run}).successive.value, 2.5e-4, 1e-12);
}

// A job of which one invocation took three times as long was as fast as the others.
TEST(NoiseModel, DoesNotTakeAWildInvocationForASlowDay) {
  Random random(9);
  LearnedRuns history;
  for (int job = 0; job < 31; ++job) {
    std::vector<double> logs;
    for (int i = 0; i < 5; ++i) logs.push_back(0.001 * random.normal() + (job == 12 && i == 3 ? 1.1 : 0));
    history.push_back(run_of(numbers(job), logs));
  }
  EXPECT_LT(std::sqrt(learned(history).same_board.value), 0.001);
}

// Neither days that are slow, as they are a minority, nor a step in the code.
TEST(NoiseModel, SeesNeitherRareDaysNorSteps) {
  LearnedRuns slow;
  LearnedRuns step;
  for (int job = 0; job < 31; ++job) {
    slow.push_back(run_of(numbers(job), {job % 10 == 5 ? 0.02 : 0.0, job % 10 == 5 ? 0.02 : 0.0}));
    step.push_back(run_of(numbers(job), {job < 12 ? 0.02 : 0.0, job < 12 ? 0.02 : 0.0}));
  }
  EXPECT_EQ(learned(slow).same_board.value, 0);
  EXPECT_EQ(learned(step).same_board.value, 0);
}

// A walk goes as far as it has time for.
TEST(NoiseModel, OfJobsFarApartHasTheDriftBetweenThem) {
  Random random(10);
  double ratio = 0;
  constexpr int kTimes = 40;
  for (int i = 0; i < kTimes; ++i) {
    LearnedRuns history;
    double level = 0;
    for (int job = 0; job < 31; ++job) {
      level += 0.003 * random.normal();
      history.push_back(run_of(numbers(job), {level, level}));
    }
    const auto far = learn_noise(times(), history, 30).benchmarks.at("x").same_board;
    // Of the difference of two jobs 30 apart: twice that of one.
    ratio += 2 * far.value / (30 * 0.003 * 0.003) / kTimes;
  }
  EXPECT_NEAR(ratio, 1, 0.4);
}

// Base and candidate of one job: what lies between them is no noise.
TEST(NoiseModel, CountsTwoSidesOfOneJobAsOneJob) {
  auto base = run_of(numbers(1, 0), {0.00, 0.02, 0.01});
  auto candidate = run_of(numbers(1, 1), {0.30, 0.32, 0.31});
  candidate.commit = std::string(40, 'b');
  const std::vector both{base, candidate};
  const NoiseModel model = learn_noise(times(), both);
  EXPECT_EQ(model.jobs, 1);
  EXPECT_NEAR(model.benchmarks.at("x").invocation.value, 1e-4, 1e-12);
  EXPECT_EQ(model.benchmarks.at("x").invocation.degrees, 4);
}

// Every second run's times lie in another list, as where a benchmark's code has changed.
NoiseHistory with_times_apart(LearnedRuns runs) {
  NoiseHistory history;
  history.times.resize(2);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto& times = history.times[i % 2];
    times.benchmark = runs[i].benchmarks.front();
    times.in_runs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(times.shapes.size()),
                             static_cast<std::uint32_t>(times.real_time_ns.size())});
    auto& shape = times.shapes.emplace_back();
    for (std::uint32_t k = 0; k < runs[i].invocations.size(); ++k) {
      const auto& samples = runs[i].invocations[k].samples.at("x");
      shape.push_back({k, static_cast<std::uint32_t>(samples.real_time_ns.size())});
      times.real_time_ns.insert(times.real_time_ns.end(), samples.real_time_ns.begin(),
                                samples.real_time_ns.end());
      runs[i].invocations[k].samples.clear();
    }
    runs[i].benchmarks.clear();
  }
  history.runs = std::move(runs);
  return history;
}

TEST(NoiseModel, IsTheSameFromTimesThatLieApart) {
  Random random(1);
  auto history = simulate({0.01, 0.02, 0.5}, 20, 5, random);
  auto second = history.back();
  second.id += "-2";
  second.commit = "another";
  history.push_back(second);
  history[3].invocations[2].excluded.reason = ExclusionReason::kWarmUp;
  history[4].invocations[1].round = 7;
  const auto expected = learned(history);
  const auto found = learn_noise(times(), with_times_apart(history)).benchmarks.at("x");
  for (const auto level : {&BenchmarkNoise::invocation, &BenchmarkNoise::successive,
                           &BenchmarkNoise::same_board, &BenchmarkNoise::other_board}) {
    EXPECT_EQ((found.*level).value, (expected.*level).value);
    EXPECT_EQ((found.*level).degrees, (expected.*level).degrees);
  }
  EXPECT_GT(found.same_board.degrees, 0);
}

// Every job measures the main line beside a change: the spread between jobs is that of the main line.
TEST(NoiseModel, ComparesJobsByTheCommitThatBothMeasured) {
  Random random(5);
  LearnedRuns history;
  for (int job = 0; job < 200; ++job) {
    const double offset = 0.01 * random.normal();
    history.push_back(run_of(numbers(job, 0), {offset, offset}));
    auto change = run_of(numbers(job, 1), {offset + 0.1 * random.normal()});
    change.commit = "change " + std::to_string(job);
    history.push_back(change);
  }
  EXPECT_NEAR(std::sqrt(learned(history).same_board.value), 0.01, 0.002);
}

TEST(NoiseModel, DoesNotTakeFailuresForValues) {
  auto failed = run_of(numbers(2), {3, 4, 5});
  failed.benchmarks.front().error = "out of memory";
  auto zero = run_of(numbers(3), {0});
  zero.invocations.front().samples["x"].real_time_ns = {0};
  const auto noise = learned({run_of(numbers(1), {0.00, 0.02, 0.01}), failed, zero});
  EXPECT_EQ(noise.invocation.degrees, 2);
}

TEST(NoiseModel, FindsWhatWasPutIn) {
  Random random(6);
  for (const auto& truth : {Truth{0.002, 0.01, 0}, Truth{0.02, 0, 0}, Truth{0.005, 0.005, 0.6}}) {
    const auto noise = learned(simulate(truth, 200, 20, random));
    const double variance = truth.invocation * truth.invocation;
    // Within a job, correlated values scatter less about their own mean: 1 − 2 φ / ((1 − φ) n) of it, nearly.
    const double within = variance * (1 - 2 * truth.correlation / (1 - truth.correlation) / 20);
    EXPECT_NEAR(noise.invocation.value, within, 0.08 * variance);
    EXPECT_NEAR(noise.successive.value, 2 * variance * (1 - truth.correlation), 0.1 * variance);
    const double mean_of_20 = (variance + (variance - within) * 19) / 20;
    const double job = truth.job * truth.job + mean_of_20;
    EXPECT_NEAR(std::sqrt(noise.same_board.value), std::sqrt(job), 0.25 * std::sqrt(job));
    EXPECT_EQ(noise.other_board.degrees, 0);
  }
}

// The degrees say how far the estimate scatters: relative variance 2 / degrees.
TEST(NoiseModel, HasTheDegreesItStates) {
  Random random(7);
  for (const int invocations : {3, 5, 20}) {
    std::vector<double> within;
    std::vector<double> neighbours;
    double degrees = 0;
    for (int i = 0; i < 4000; ++i) {
      const auto noise = learned(simulate({0.01, 0.01, 0}, 2, invocations, random));
      within.push_back(noise.invocation.value / 1e-4);
      neighbours.push_back(noise.successive.value / 2e-4);
      degrees = noise.successive.degrees;
    }
    EXPECT_NEAR(stats::mean(neighbours), 1, 0.05) << invocations;
    EXPECT_NEAR(2 / stats::variance(within), 2 * (invocations - 1), 0.1 * 2 * (invocations - 1));
    EXPECT_NEAR(2 / stats::variance(neighbours), degrees, 0.1 * degrees) << invocations;
  }
}

TEST(NoiseModel, TellsTheBoardsApart) {
  Random random(8);
  LearnedRuns history;
  const double boards[] = {0.03 * random.normal(), 0.03 * random.normal(), 0.03 * random.normal()};
  for (int job = 0; job < 90; ++job) {
    const int board = job / 2 % 3;
    const double log = boards[board] + 0.002 * random.normal();
    history.push_back(run_of(numbers(job, 0, "board " + std::to_string(board)), {log}));
  }
  const auto noise = learned(history);
  EXPECT_NEAR(std::sqrt(noise.same_board.value), 0.002, 0.001);
  EXPECT_GT(std::sqrt(noise.other_board.value), 0.01);
}

// Four jobs of identical code on H200s, on boards of two groups (tests/data/h200_medians).
TEST(NoiseModel, OfRecordedJobs) {
  LearnedRuns history;
  std::map<std::string, Metric> metrics;
  int place = 0;
  for (const char* job : {"job1", "job2", "job3", "job4"}) {
    history.push_back(test::recorded_run(numbers(++place, 0, job), test::recorded_times(job)));
    for (const auto& benchmark : history.back().benchmarks)
      metrics[benchmark.name] = default_metric(benchmark);
  }
  const NoiseModel model = learn_noise(metrics, history);
  EXPECT_EQ(model.jobs, 4);
  ASSERT_EQ(model.benchmarks.size(), 16u);
  // job1 and job2 have 8 and 22 invocations, job3 and job4 7 each; these two alone measured memcpy.
  for (const auto& [name, noise] : model.benchmarks)
    EXPECT_EQ(noise.invocation.degrees, name.starts_with("memcpy") ? 12 : 40) << name;
  const auto deviation = [](const NoiseVariance& variance) { return std::sqrt(variance.value); };
  const auto& quiet = model.benchmarks.at("transpose_naive_row/8192");
  EXPECT_NEAR(deviation(quiet.invocation), 0.0008, 0.0001);
  EXPECT_NEAR(deviation(quiet.other_board), 0.030, 0.003) << "the boards are 3 % apart, three times in a row";
  const auto& short_one = model.benchmarks.at("transpose_smem_pad/1024");
  EXPECT_NEAR(deviation(short_one.invocation), 0.033, 0.002);
  // Its neighbours resemble each other: half of their squared difference is less than the variance.
  EXPECT_LT(short_one.successive.value / 2, 0.7 * short_one.invocation.value);
  EXPECT_EQ(model.benchmarks.at("memcpy_d2d/8192").other_board.degrees, 0);
}

TEST(JobLevels, WithARunThatTheHistoryDoesNotHave) {
  Random random(31);
  const LearnedRuns all = simulate({.invocation = 0.001, .job = 0.01}, 6, 5, random);
  const JobLevels levels = job_levels(times(), all);
  ASSERT_EQ(levels.jobs.size(), 6u);
  LearnedRuns others = all;
  others.erase(others.begin() + 2);
  const JobLevels with_it = job_levels(times(), others, &all[2]);
  EXPECT_EQ(with_it.jobs, levels.jobs);
  EXPECT_EQ(with_it.by_benchmark, levels.by_benchmark);
  EXPECT_EQ(job_levels(times(), others).jobs.size(), 5u);
}

}  // namespace
}  // namespace tracker::judge
