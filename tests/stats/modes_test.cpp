#include "tracker/stats/modes.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace tracker::stats {
namespace {

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
