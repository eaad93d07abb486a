#include "tracker/stats/covariate.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracker::stats {
namespace {

TEST(SlopeBetween, IsThatOfLeastSquares) {
  const std::vector<double> x{1, 2, 3, 4};
  const std::vector<double> y{10, 9, 9, 6};  // Σ dx·dy = −6, Σ dx² = 5
  EXPECT_DOUBLE_EQ(slope_between(x, y, -10, 10), -1.2);
}

TEST(SlopeBetween, StaysWithinItsLimits) {
  const std::vector<double> x{1, 2, 3};
  const std::vector<double> y{0, -5, -10};
  EXPECT_EQ(slope_between(x, y, -1, 0), -1);
  EXPECT_EQ(slope_between(x, y, 0, 1), 0);
}

TEST(SlopeBetween, IsNoneWhereNothingDiffers) {
  const std::vector<double> x{2, 2, 2};
  const std::vector<double> y{1, 2, 3};
  EXPECT_EQ(slope_between(x, y, -1, 1), 0);
}

}  // namespace
}  // namespace tracker::stats
