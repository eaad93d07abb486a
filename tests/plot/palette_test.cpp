#include "tracker/plot/palette.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace tracker {
namespace {

constexpr int kSteps = 1000;

// Relative luminance and contrast as WCAG 2 defines them.
double luminance(const std::string& colour) {
  double sum = 0;
  const double weights[] = {0.2126, 0.7152, 0.0722};
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    sum += weights[i] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(double a, double b) {
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

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
    EXPECT_GE(contrast(luminance(heat_colour(share)), luminance(ink_on_heat(share))), 4.5) << share;
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
