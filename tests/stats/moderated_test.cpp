#include "tracker/stats/moderated.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/stats/simulate.hpp"

namespace tracker::stats {
namespace {

// s² of each benchmark, with `degrees` behind it; the true variances follow Smyth's prior
// (d0 s0² / chi²(d0)), or are all s0² for d0 = 0.
std::vector<Variance> simulate(unsigned seed, int benchmarks, double degrees, double s0, double d0) {
  Simulation simulation(seed);
  std::vector<Variance> observed;
  for (int i = 0; i < benchmarks; ++i) {
    const double truth = d0 > 0 ? s0 * d0 / simulation.chi_squared(d0) : s0;
    observed.push_back({truth * simulation.chi_squared(degrees) / degrees, degrees});
  }
  return observed;
}

TEST(UsualVariance, RecoversTheParametersOfSimulatedVariances) {
  for (const double d0 : {1.5, 4.0, 8.0})
    for (const double degrees : {3.0, 4.0, 9.0}) {
      const auto usual = fit_usual_variance(simulate(7, 20000, degrees, 0.01, d0));
      EXPECT_NEAR(usual.value / 0.01, 1, 0.06) << d0 << " " << degrees;
      EXPECT_NEAR(usual.degrees / d0, 1, 0.15) << d0 << " " << degrees;
    }
}

TEST(UsualVariance, OneVarianceForAllIsFoundWithoutBias) {
  for (const double degrees : {1.0, 4.0, 9.0}) {
    const auto usual = fit_usual_variance(simulate(11, 20000, degrees, 0.01, 0));
    EXPECT_NEAR(usual.value / 0.01, 1, 0.04) << degrees;
    EXPECT_EQ(usual.degrees, kUsualDegreesMax) << degrees;
  }
}

TEST(UsualVariance, UnlikeBenchmarksHaveLittleInCommon) {
  std::vector<Variance> observed;
  for (int i = -8; i <= 8; ++i) observed.push_back({std::pow(10.0, i), 4});
  const auto usual = fit_usual_variance(observed);
  EXPECT_GT(usual.degrees, 0);
  EXPECT_LT(usual.degrees, 0.5);
}

TEST(UsualVariance, EqualVariancesAreHandComputed) {
  // log s² − ψ(2) + log 2 with ψ(2) = 0.422784: the usual is s² × 2 / e^0.422784.
  const auto usual = fit_usual_variance(std::vector<Variance>(10, Variance{0.04, 4}));
  EXPECT_NEAR(usual.value, 0.04 * 2 / std::exp(0.4227843351), 1e-9);
  EXPECT_EQ(usual.degrees, kUsualDegreesMax);
}

TEST(UsualVariance, FewerThanFiveSayNothing) {
  EXPECT_EQ(fit_usual_variance({}).degrees, 0);
  const std::vector<Variance> four(4, Variance{1, 4});
  EXPECT_EQ(fit_usual_variance(four).degrees, 0);
  EXPECT_GT(fit_usual_variance(std::vector<Variance>(5, Variance{1, 4})).degrees, 0);
}

TEST(UsualVariance, ZerosAndUnknownsAreLeftAside) {
  std::vector<Variance> observed(6, Variance{0.04, 4});
  const auto without = fit_usual_variance(observed);
  observed.push_back({0, 4});
  observed.push_back({1, 0});
  observed.push_back({std::nan(""), 4});
  const auto with = fit_usual_variance(observed);
  EXPECT_EQ(with.value, without.value);
  EXPECT_EQ(with.degrees, without.degrees);
  EXPECT_EQ(fit_usual_variance(std::vector<Variance>(20, Variance{0, 4})).degrees, 0);
}

// Many variances tell the degrees nearly; few of them count with the fewest that are likely.
TEST(Scatter, OfManyHasTheDegreesOfTheTruth) {
  for (const double d0 : {1.5, 4.0}) {
    const auto fit = fit_scatter(simulate(7, 5000, 4, 0.01, d0), {.degrees_max = 20});
    EXPECT_NEAR(fit.usual.value / 0.01, 1, 0.3) << d0;  // the next guess of the degrees
    EXPECT_NEAR(fit.usual.degrees / d0, 1, 0.3) << d0;
  }
}

TEST(Scatter, OfFewHasFewerDegreesThanItSeems) {
  const auto degrees = [](std::size_t count, double own) {
    return fit_scatter(std::vector<Variance>(count, Variance{0.04, own}), {}).usual.degrees;
  };
  EXPECT_GT(degrees(200, 4), 7.5);
  EXPECT_LT(degrees(5, 4), degrees(20, 4));
  EXPECT_LT(degrees(20, 2), degrees(20, 9));
  EXPECT_EQ(degrees(4, 4), 0) << "too few";
  const std::vector<Variance> two(2, Variance{0.04, 4});
  EXPECT_GT(fit_scatter(two, {.count_min = 2}).usual.degrees, 0);
}

TEST(Scatter, LeavesOutOne) {
  std::vector<Variance> all(5, Variance{0.04, 4});
  all[0].value = 0.0004;
  const auto fit = fit_scatter(all, {});
  EXPECT_NEAR(fit.without(all[0]).value / fit.usual.value, std::pow(100, 0.2), 1e-9);
  EXPECT_NEAR(fit.without(all[1]).value / fit.usual.value, std::pow(100, -0.05), 1e-9);
  EXPECT_EQ(fit.without({}).value, fit.usual.value);
}

TEST(Moderate, WeighsByDegrees) {
  const auto both = moderate({0.04, 4}, {0.01, 12});
  EXPECT_DOUBLE_EQ(both.value, (4 * 0.04 + 12 * 0.01) / 16);
  EXPECT_DOUBLE_EQ(both.degrees, 16);
}

TEST(Moderate, NothingUsualLeavesTheOwn) {
  const auto own = moderate({0.04, 4}, {});
  EXPECT_EQ(own.value, 0.04);
  EXPECT_EQ(own.degrees, 4);
  const auto usual = moderate({}, {0.01, 12});
  EXPECT_EQ(usual.value, 0.01);
  EXPECT_EQ(usual.degrees, 12);
  EXPECT_EQ(moderate({}, {}).degrees, 0);
}

// The upper 5 % of F with 4 and 8 degrees begins at 3.838, with 1 and 10 at 4.965.
TEST(IsLouder, IsTheFTest) {
  EXPECT_FALSE(is_louder({3.83, 4}, {1, 8}));
  EXPECT_TRUE(is_louder({3.85, 4}, {1, 8}));
  EXPECT_FALSE(is_louder({4.95, 1}, {1, 10}));
  EXPECT_TRUE(is_louder({4.98, 1}, {1, 10}));
  EXPECT_FALSE(is_louder({0.01, 4}, {1, 8})) << "quieter is not louder";
}

TEST(IsLouder, ThanNothingIsWhateverMoves) {
  EXPECT_TRUE(is_louder({1e-12, 4}, {0, 8}));
  EXPECT_FALSE(is_louder({0, 4}, {0, 8}));
}

}  // namespace
}  // namespace tracker::stats
