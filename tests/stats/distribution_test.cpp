#include "tracker/stats/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace tracker::stats {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(StudentT, AgreesWithPublishedTables) {
  struct Row {
    double degrees;
    double t95;
    double t99;
    double t999;
  };
  // Two-sided critical values, as every textbook prints them.
  const Row rows[] = {{1, 12.706, 63.657, 636.619},    {2, 4.303, 9.925, 31.599}, {3, 3.182, 5.841, 12.924},
                      {4, 2.776, 4.604, 8.610},        {5, 2.571, 4.032, 6.869},  {8, 2.306, 3.355, 5.041},
                      {10, 2.228, 3.169, 4.587},       {30, 2.042, 2.750, 3.646}, {120, 1.980, 2.617, 3.373},
                      {kInfinite, 1.960, 2.576, 3.291}};
  for (const auto& row : rows) {
    EXPECT_NEAR(student_t_within(0.95, row.degrees), row.t95, 6e-4) << row.degrees;
    EXPECT_NEAR(student_t_within(0.99, row.degrees), row.t99, 6e-4) << row.degrees;
    EXPECT_NEAR(student_t_within(0.999, row.degrees), row.t999, 6e-4) << row.degrees;
  }
}

TEST(StudentT, BroadensAsDegreesShrink) {
  double before = student_t_within(0.99, kInfinite);
  for (const double degrees : {1e9, 1e6, 1e3, 30.0, 3.7, 1.0, 0.5, 0.1}) {
    const double t = student_t_within(0.99, degrees);
    EXPECT_GE(t, before * (1 - 1e-6)) << degrees;
    before = t;
  }
}

TEST(StudentT, ManyBenchmarksAndHardlyAnyDegreesStillAnswer) {
  // The tail of four degrees falls with t⁻⁴: 15.544 at 1e-4 gives nearly 15.544 × 100^¼ at 1e-6.
  EXPECT_NEAR(student_t_within(1 - 0.01 / 10000, 4), 49.46, 0.01);
  // Near 1e900, beyond every double: Boost 1.74 says infinity, and 1.83 a huge number.
  EXPECT_GT(student_t_within(1 - 1e-9, 0.01), 1e150);
}

TEST(Gamma, KnownValues) {
  constexpr double kPi = std::numbers::pi;
  EXPECT_NEAR(digamma(1), -std::numbers::egamma, 1e-14);
  EXPECT_NEAR(digamma(0.5), -std::numbers::egamma - 2 * std::log(2.0), 1e-14);
  EXPECT_NEAR(trigamma(1), kPi * kPi / 6, 1e-14);
  EXPECT_NEAR(trigamma(0.5), kPi * kPi / 2, 1e-13);
}

TEST(Gamma, TrigammaInverseIsInverse) {
  for (double x = 1e-5; x < 1e8; x *= 1.7) EXPECT_NEAR(trigamma_inverse(trigamma(x)) / x, 1, 1e-6) << x;
  for (double y = 1e-9; y < 1e12; y *= 2.3) EXPECT_NEAR(trigamma(trigamma_inverse(y)) / y, 1, 1e-6) << y;
}

TEST(ChanceOfAModeEach, OfPairsIsAQuarterEach) {
  for (const int pairs : {1, 2, 5, 10})
    EXPECT_NEAR(chance_of_a_mode_each(pairs, pairs) / std::pow(4, -pairs), 1, 1e-12);
}

// With three invocations on one side and one on the other, p³ (1 − p) is largest at 3/4: 27 / 256.
TEST(ChanceOfAModeEach, OfUnequalSidesIsTheLargestThereIs) {
  EXPECT_NEAR(chance_of_a_mode_each(3, 1), 27.0 / 256, 1e-12);
  EXPECT_NEAR(chance_of_a_mode_each(1, 3), 27.0 / 256, 1e-12);
  for (double p = 0.05; p < 1; p += 0.05)
    EXPECT_LE(std::pow(p, 7.5) * std::pow(1 - p, 4), chance_of_a_mode_each(7.5, 4) * (1 + 1e-12)) << p;
}

TEST(ChanceOfAModeEach, FallsWithEveryInvocation) {
  EXPECT_LT(chance_of_a_mode_each(6, 5), chance_of_a_mode_each(5, 5));
  EXPECT_LT(chance_of_a_mode_each(5, 6), chance_of_a_mode_each(5, 5));
}

TEST(ChanceOfUnseenMode, OfAllIsThatOfAModeEach) {
  for (const int pairs : {2, 5, 10})
    EXPECT_NEAR(chance_of_unseen_mode(pairs, pairs, pairs) / std::pow(4, -pairs), 1, 1e-4);
}

// The largest over p of (1 − p)^10 · P(Binomial(10, p) >= 5), by a fine grid.
TEST(ChanceOfUnseenMode, IsTheLargestThereIs) {
  double largest = 0;
  for (double p = 0.001; p < 1; p += 0.001) {
    double tail = 0;
    for (int k = 5; k <= 10; ++k)
      tail += std::exp(std::lgamma(11) - std::lgamma(k + 1) - std::lgamma(11 - k)) * std::pow(p, k) *
              std::pow(1 - p, 10 - k);
    largest = std::max(largest, std::pow(1 - p, 10) * tail);
  }
  EXPECT_NEAR(chance_of_unseen_mode(10, 10, 5) / largest, 1, 1e-3);
  EXPECT_NEAR(largest, 0.0044, 0.0001);
}

// Clopper and Pearson's interval for 5 of 10 with 95 %, from tables.
TEST(ShareOfMode, IsClopperAndPearsons) {
  const auto shares = share_of_mode(5, 10, 0.95);
  EXPECT_NEAR(shares.low, 0.1871, 0.0001);
  EXPECT_NEAR(shares.high, 0.8129, 0.0001);
}

}  // namespace

}  // namespace tracker::stats
