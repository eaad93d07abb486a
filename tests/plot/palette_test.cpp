#include "tracker/plot/palette.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/plot/colours.hpp"

namespace tracker {
namespace {

constexpr int kSteps = 1000;

TEST(Palette, GetsLighterAllTheWay) {
  double before = -1;
  for (int i = 0; i <= 100; ++i) {
    const double now = luminance(heat_colour(i / 100.0));
    EXPECT_GT(now, before) << i;
    before = now;
  }
  EXPECT_LT(luminance(heat_colour(0)), 0.03);
  EXPECT_GT(luminance(heat_colour(1)), 0.75);
}

TEST(Palette, NumbersCanBeReadOnEveryColour) {
  for (int i = 0; i <= kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    EXPECT_GE(contrast(heat_colour(share), ink_on_heat(share)), 4.5) << share;
  }
}

TEST(Palette, WhatIsOutsideOrNoNumberIsAnEnd) {
  EXPECT_EQ(heat_colour(0), "#181F60");
  EXPECT_EQ(heat_colour(-3), heat_colour(0));
  EXPECT_EQ(heat_colour(7), heat_colour(1));
  EXPECT_EQ(heat_colour(std::numeric_limits<double>::quiet_NaN()), heat_colour(0));
}

}  // namespace
}  // namespace tracker
