#include "tracker/stats/ratio.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/stats/simulate.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

TEST(SideNoise, OneJob) {
  const auto side = side_noise({{1, 2, 3, 4, 5}});
  EXPECT_DOUBLE_EQ(side.mean, 3);
  EXPECT_DOUBLE_EQ(side.per_invocation.value, 2.5);
  EXPECT_EQ(side.per_invocation.degrees, 4);
  EXPECT_DOUBLE_EQ(side.sampling_factor, 0.2);
}

TEST(SideNoise, JobsOfUnequalSizeArePooled) {
  // Means 2 and 10; squares 2 with 2 degrees, 2 with 1 degree; variance of the mean = σ² (1/3 + 1/2) / 4.
  const auto side = side_noise({{1, 2, 3}, {9, 11}});
  EXPECT_DOUBLE_EQ(side.mean, 6);
  EXPECT_DOUBLE_EQ(side.per_invocation.value, 4.0 / 3);
  EXPECT_EQ(side.per_invocation.degrees, 3);
  EXPECT_DOUBLE_EQ(side.sampling_factor, (1.0 / 3 + 1.0 / 2) / 4);
}

TEST(SideNoise, OffsetsOfJobsAreNotInvocationNoise) {
  const auto side = side_noise({{1, 1.1}, {100, 100.1}});
  EXPECT_NEAR(side.per_invocation.value, 0.005, 1e-9);
}

TEST(SideNoise, SingleInvocationsAndEmptyJobs) {
  const auto singles = side_noise({{1}, {}, {3}});
  EXPECT_EQ(singles.mean, 2);
  EXPECT_EQ(singles.per_invocation.degrees, 0);
  EXPECT_EQ(side_noise({}).sampling_factor, 0);
  EXPECT_EQ(side_noise({{}}).sampling_factor, 0);
}

TEST(HalfWidth, WelchAndSatterthwaiteHandComputed) {
  // (1 + 1)² / (1²/4 + 1²/4) = 8 degrees; t = 2.306.
  EXPECT_NEAR(half_width({0, {1, 4}, {1, 4}}, 0.95), 2.306 * std::sqrt(2.0), 1e-3);
  // (2 + 1)² / (2²/6 + 1²/3) = 9 degrees; t = 3.250.
  EXPECT_NEAR(half_width({0, {2, 6}, {1, 3}}, 0.99), 3.250 * std::sqrt(3.0), 1e-3);
  // One part alone has its own degrees.
  EXPECT_NEAR(half_width({0, {0.25, 4}, {}}, 0.99), 4.604 * 0.5, 1e-3);
  EXPECT_NEAR(half_width({0, {0.25, INFINITY}, {}}, 0.95), 1.960 * 0.5, 1e-3);
}

TEST(HalfWidth, NeighboursAreAThirdPart) {
  EXPECT_EQ(half_width({0, {1, 4}, {}, {1, 4}}, 0.95), half_width({0, {1, 4}, {1, 4}}, 0.95));
  // (1 + 1 + 1)² / (3 · 1²/4) = 12 degrees; t = 2.179.
  EXPECT_NEAR(half_width({0, {1, 4}, {1, 4}, {1, 4}}, 0.95), 2.179 * std::sqrt(3.0), 1e-3);
}

// Jobs of deviation 1, or with a chance of one in ten of deviation 2: a normal value beyond h either way.
TEST(HalfWidth, OfJobsThatMayBeUnlikeTheOthersMissesInEitherCase) {
  const auto with_chance = [](double chance) {
    return half_width({0, {}, {1, INFINITY}, {}, {4, INFINITY}, chance}, 0.99);
  };
  EXPECT_NEAR(with_chance(0), 2.576, 1e-3);
  EXPECT_NEAR(with_chance(1), 2 * 2.576, 1e-3);
  const double half = with_chance(0.1);
  EXPECT_NEAR(0.9 * std::erfc(half / std::sqrt(2)) + 0.1 * std::erfc(half / 2 / std::sqrt(2)), 0.01, 1e-5);
  EXPECT_NEAR(with_chance(1e-9), 2.576, 1e-3);
}

TEST(HalfWidth, AVarianceWithoutDegreesIsNotKnown) {
  EXPECT_TRUE(std::isinf(half_width({0.1, {1, 0}, {}}, 0.95)));
  EXPECT_TRUE(std::isinf(half_width({0.1, {1, 0}, {1, 4}}, 0.95)));
  EXPECT_TRUE(std::isinf(half_width({0.1, {1, 4}, {1, 0}}, 0.95)));
}

TEST(HalfWidth, PartsWithoutValueAreLeftOut) {
  EXPECT_EQ(half_width({0.1, {0, 8}, {}}, 0.95), 0);
  EXPECT_EQ(half_width({0.1, {}, {1, 4}}, 0.95), half_width({0.1, {1, 4}, {}}, 0.95));
}

TEST(HalfWidth, MoreConfidenceIsBroader) {
  const Difference difference{0, {1, 4}, {0.5, 3}};
  EXPECT_LT(half_width(difference, 0.9), half_width(difference, 0.99));
  EXPECT_LT(half_width(difference, 0.99), half_width(difference, 0.9999));
}

std::vector<double> differences(const std::vector<double>& job_means) {
  std::vector<double> result;
  for (std::size_t i = 1; i < job_means.size(); ++i) result.push_back(job_means[i] - job_means[i - 1]);
  return result;
}

// Job means around 0 with deviation 0.01.
std::vector<double> quiet_history(unsigned seed, int jobs) {
  Simulation simulation(seed);
  std::vector<double> means;
  for (int i = 0; i < jobs; ++i) means.push_back(simulation.normal(0.01));
  return means;
}

double learned_deviation(const std::vector<double>& job_means) {
  return std::sqrt(job_variance_from_history(differences(job_means)).value);
}

TEST(JobVariance, HandComputed) {
  // Sizes 1 1 2 3 4: the median is 2, and σ = 2 / (0.67449 √2).
  const auto variance = job_variance_from_history(std::vector<double>{1, -3, 2, -1, 4});
  EXPECT_NEAR(std::sqrt(variance.value), 2.096715, 1e-5);
  EXPECT_NEAR(variance.degrees, 1.85, 1e-12);
}

TEST(JobVariance, FewerThanThreeDifferencesSayNothing) {
  EXPECT_EQ(job_variance_from_history({}).degrees, 0);
  EXPECT_EQ(job_variance_from_history(std::vector<double>{1, 2}).degrees, 0);
  EXPECT_GT(job_variance_from_history(std::vector<double>{1, 2, 3}).degrees, 0);
}

TEST(JobVariance, RecoversNormalNoise) {
  // 2000 differences are worth 740 degrees: a standard error of 2.6 % of the deviation.
  for (const unsigned seed : {1u, 2u, 3u})
    EXPECT_NEAR(learned_deviation(quiet_history(seed, 2001)) / 0.01, 1, 0.08) << seed;
}

TEST(JobVariance, ARealStepDoesNotInflateIt) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    const auto quiet = quiet_history(seed, 31);
    auto stepped = quiet;
    for (std::size_t i = 15; i < stepped.size(); ++i) stepped[i] += 0.5;  // 50 σ
    // One of thirty differences becomes large: the median moves by one place at most.
    EXPECT_LT(learned_deviation(stepped), 1.35 * learned_deviation(quiet)) << seed;
    EXPECT_LT(learned_deviation(stepped), 0.02) << seed;
  }
}

TEST(JobVariance, SlowDriftDoesNotInflateIt) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const auto quiet = quiet_history(seed, 401);
    auto drifting = quiet;
    for (std::size_t i = 0; i < drifting.size(); ++i)
      drifting[i] += 0.002 * static_cast<double>(i);  // 80 σ in all
    EXPECT_NEAR(learned_deviation(drifting) / learned_deviation(quiet), 1, 0.1) << seed;
  }
}

}  // namespace
}  // namespace tracker::stats
