#include "tracker/stats/modes.hpp"

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

}  // namespace
}  // namespace tracker::stats
