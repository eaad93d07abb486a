#include "tracker/stats/outliers.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/stats/simulate.hpp"

namespace tracker::stats {
namespace {

using Places = std::vector<std::size_t>;

TEST(Outliers, OfOneWildValueIsThatOne) {
  EXPECT_EQ(find_outliers(std::vector<double>{0.1, 0.0, 9, -0.1, 0.05}), Places{2});
  EXPECT_EQ(find_outliers(std::vector<double>{0.1, 0.0, -9, -0.1, 0.05}), Places{2});
}

TEST(Outliers, OnBothSidesHideEachOtherNot) {
  const std::vector<double> values{0.1, 5, 0, -0.1, 0.05, -5, -0.05, 0.08, 0.02, -0.03};
  EXPECT_EQ(find_outliers(values), (Places{1, 5}));
}

TEST(Outliers, AreFewerThanAThird) {
  EXPECT_TRUE(find_outliers(std::vector<double>{0.1, 0, 9, 9.1, 0.05}).empty());
  EXPECT_TRUE(find_outliers(std::vector<double>{0.1, 0, 0.05, 9}).empty()) << "three values show too little";
}

TEST(Outliers, OfEqualValuesAreNone) {
  EXPECT_TRUE(find_outliers(std::vector<double>{1, 1, 1, 1, 1, 1, 2}).empty());
  EXPECT_TRUE(find_outliers(std::vector<double>{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2}).empty())
      << "their variance is an error of arithmetic";
  EXPECT_TRUE(find_outliers({}).empty());
}

TEST(Outliers, AreRareInNormalNoise) {
  Simulation simulation(5);
  for (const std::size_t count : {5u, 10u, 20u}) {
    int lists = 0;
    for (int i = 0; i < 2000; ++i) {
      std::vector<double> values;
      for (std::size_t k = 0; k < count; ++k) values.push_back(simulation.normal(1));
      lists += find_outliers(values).empty() ? 0 : 1;
    }
    EXPECT_LE(lists, 10) << count;
  }
}

TEST(VarianceFactor, HandComputed) {
  // Squares 2 about the mean of −1, 0, 1; with 1 once more in place of 9 they are 2.75.
  EXPECT_NEAR(variance_factor_without(std::vector<double>{-1, 0, 1, 9}, Places{3}), 2.75 / 2, 1e-12);
  EXPECT_EQ(variance_factor_without(std::vector<double>{-1, 0, 1}, {}), 1);
}

}  // namespace
}  // namespace tracker::stats
