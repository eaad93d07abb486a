// Rooflines: what one shows, as numbers, as a script, as a table and as a picture.
#include "tracker/plot/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/fixtures.hpp"
#include "tests/plot/pictures.hpp"
#include "tests/support/golden.hpp"
#include "tracker/base/text.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::plot {
namespace {

using test::matches_golden;
using test::read_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Roofline with_points(const std::vector<RooflinePoint>& points) {
  Roofline roofline = empty_roofline();
  roofline.points = points;
  return roofline;
}

TEST(RooflineView, ThePointsLimitIsTheLowerRoof) {
  // The ridge is at 67e12 / 4.8e12 = 14 FLOP a byte; 24 has an intensity of 4, and 1024 of 171.
  const RooflineView view =
      view_roofline(with_points({product_at("g", "a", 24, 9.6e12), product_at("g", "a", 1024, 33.5e12)}));
  ASSERT_EQ(view.points.size(), 2u);
  EXPECT_EQ(view.points[0].limit, "bandwidth");
  EXPECT_NEAR(*view.points[0].share, 9.6e12 / (4 * 4.8e12), 1e-9);
  EXPECT_EQ(view.points[1].limit, "FP32 peak");
  EXPECT_NEAR(*view.points[1].share, 0.5, 1e-9);
}

TEST(RooflineView, APeakThatBenchmarksStateIsARoofOfTheirOwn) {
  const RooflineView view = view_roofline(with_points(
      {product_at("gemm f32", "a", 1024, 5e12), product_at("gemm bf16", "a", 1024, 5e14, 1e15),
       product_at("conv bf16", "a", 4096, 4e14, 1e15), product_at("gemm bf16", "b", 1024, 4e14, 1e15)}));
  ASSERT_EQ(view.peaks.size(), 2u);
  EXPECT_EQ(view.peaks[0].label, "FP32 peak");
  EXPECT_EQ(view.peaks[1].label, "peak of gemm bf16, conv bf16");
  for (const auto& one : view.points)
    if (one.point.group == "conv bf16") {
      EXPECT_NEAR(*one.share, 4e14 / 1e15, 1e-9) << one.limit;
    }
}

TEST(RooflineView, WhatMovesDataOnlyIsHeldAgainstBandwidth) {
  RooflinePoint bound = copy_at("copy", 8192, 4e12);
  bound.is_bound = true;
  const RooflineView view =
      view_roofline(with_points({bound, copy_at("slow", 8192, 1e12), copy_at("fast", 8192, 3.6e12)}));
  EXPECT_TRUE(view.points.empty());
  ASSERT_EQ(view.rows.size(), 1u);
  EXPECT_EQ(view.rows[0].name, "transpose f32 8192²");
  std::vector<std::string> order;
  for (const auto& one : view.rows[0].points) order.push_back(one.point.variant);
  EXPECT_THAT(order, ElementsAre("slow", "fast", "copy"));
  ASSERT_TRUE(view.rows[0].best);
  EXPECT_EQ(*view.rows[0].best, 1u) << "the bound is none of those that are compared";
  EXPECT_NEAR(*view.rows[0].points[1].share, 0.75, 1e-9);
}

TEST(RooflineView, WithoutPeaksTheMeasuredBandwidthIsTheRoof) {
  Roofline roofline = make_roofline(2, 1, 1);
  roofline.peak_bytes_per_second.reset();
  roofline.peak_flops.reset();
  for (auto& point : roofline.points) point.peak_flops.reset();
  const RooflineView view = view_roofline(roofline);
  EXPECT_TRUE(view.peaks.empty());
  EXPECT_EQ(view.points.at(0).limit, "copy_0 8192x8192");
  roofline.measured.reset();
  const RooflineView bare = view_roofline(roofline);
  EXPECT_FALSE(bare.points.at(0).share);
  EXPECT_FALSE(bare.rows.at(0).points.at(0).share);
  EXPECT_EQ(clocks_note(roofline), "");
}

TEST(RooflineView, LeavesOutWhatIsNoRate) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<RooflinePoint> points;
  for (const double wrong : {kNan, kInfinity, -1.0, 1e300})
    for (double RooflinePoint::*rate : {&RooflinePoint::bytes_per_second, &RooflinePoint::flops_per_second}) {
      points.push_back(product_at("g", "a", 1024, 1e12));
      points.back().*rate = wrong;
    }
  const RooflineView view = view_roofline(with_points(points));
  EXPECT_TRUE(view.points.empty());
  EXPECT_TRUE(view.rows.empty());
}

TEST(RooflineView, TheAxesHoldThePointsAndTheRidge) {
  const RooflineView view = view_roofline(make_roofline(6, 4, 3));
  for (const auto& one : view.points) {
    EXPECT_GT(one.point.intensity(), view.intensity_low);
    EXPECT_LT(one.point.intensity(), view.intensity_high);
    EXPECT_GT(one.point.flops_per_second, view.flops_low);
    EXPECT_LT(one.point.flops_per_second, view.flops_high);
  }
  EXPECT_LT(view.intensity_low, 1070e12 / 4.8e12);
  EXPECT_GT(view.intensity_high, 1070e12 / 4e12);
  EXPECT_GT(view.flops_high, 1070e12);
}

// Of points that compute alone: the ridge of the slower ceiling is far to their left.
TEST(RooflineView, ARidgeFarToTheLeftLeavesNoHalfEmpty) {
  const RooflineView view = view_roofline(make_roofline(6, 4, 3));
  const auto leftmost = std::min_element(
      view.points.begin(), view.points.end(),
      [](const auto& a, const auto& b) { return a.point.intensity() < b.point.intensity(); });
  ASSERT_NE(leftmost, view.points.end());
  const double empty = std::log(leftmost->point.intensity() / view.intensity_low) /
                       std::log(view.intensity_high / view.intensity_low);
  EXPECT_GT(view.intensity_low, 67e12 / 4.8e12);
  EXPECT_LT(empty, 0.45);
}

TEST(RooflineView, OneThatIsFarOffDoesNotSquashTheRest) {
  Roofline roofline = make_roofline(3, 2, 1);
  roofline.points.push_back(product_at("gemm 0", "stuck", 1024, 10));
  const RooflineView view = view_roofline(roofline);
  EXPECT_GT(view.flops_low, 1e9);
  const auto chart = roofline_chart(roofline);
  ASSERT_TRUE(chart);
  EXPECT_THAT(chart->commands, HasSubstr("1 benchmark off the axes"));
}

TEST(RooflineView, NamesEveryVariantOnceWhereItsIntensityIsHighest) {
  const RooflineView view =
      view_roofline(with_points({product_at("g", "naive", 1024, 1e12), product_at("g", "tiled", 1024, 3e12),
                                 product_at("g", "tiled", 4096, 4e12), product_at("g", "best", 4096, 9e12)}));
  std::vector<std::string> named;
  for (const auto& column : columns_to_name(view))
    for (const auto* one : column) named.push_back(one->point.variant + " " + short_shape(one->point.shape));
  EXPECT_THAT(named, ElementsAre("best 4096³", "tiled 4096³", "naive 1024³"));
}

TEST(ShortShape, WritesEqualSidesAsAPower) {
  const std::pair<const char*, const char*> rows[] = {{"4096x4096x4096", "4096³"},
                                                      {"8192x8192", "8192²"},
                                                      {"2048x1024", "2048x1024"},
                                                      {"64", "64"},
                                                      {"", ""},
                                                      {"8x8x8x8", "8x8x8x8"},
                                                      {"axa", "axa"},
                                                      {"x", "x"},
                                                      {"8x8/hot", "8x8/hot"}};
  for (const auto& [shape, text] : rows) EXPECT_EQ(short_shape(shape), text);
}

TEST(LogTics, AreRoundAndFew) {
  EXPECT_THAT(log_tics(0.9, 25), ElementsAre(1, 2, 5, 10, 20));
  EXPECT_THAT(log_tics(0.5, 20000), ElementsAre(1, 10, 100, 1000, 10000));
  EXPECT_LE(log_tics(1e-150, 1e150).size(), 20u);
}

TEST(RooflineScript, MatchesTheGoldenFiles) {
  Roofline only_moves = make_roofline(3, 1, 0);
  only_moves.measured.reset();
  Roofline bare = make_roofline(2, 2, 1);
  bare.peak_bytes_per_second.reset();
  bare.peak_flops.reset();
  bare.measured.reset();
  for (auto& point : bare.points) point.peak_flops.reset();
  const std::pair<const char*, Roofline> rows[] = {{"roofline-3x2x2.gp", make_roofline(3, 2, 2)},
                                                   {"roofline-moves-only.gp", only_moves},
                                                   {"roofline-no-peaks.gp", bare}};
  for (const auto& [golden, roofline] : rows) {
    const auto chart = roofline_chart(roofline);
    ASSERT_TRUE(chart) << golden;
    EXPECT_TRUE(matches_golden(chart->data + chart->commands, std::string("tests/plot/golden/") + golden));
  }
  EXPECT_FALSE(roofline_chart({}));
  EXPECT_FALSE(roofline_chart(empty_roofline()));
}

TEST(RooflineText, MatchesTheGoldenFile) {
  EXPECT_TRUE(matches_golden(draw_roofline_text(make_roofline(2, 2, 2), 100),
                             "tests/plot/golden/roofline-2x2x2.txt"));
  EXPECT_EQ(draw_roofline_text({}, 80), "");
}

TEST(RooflineText, StaysInItsColumnsWithAnyNames) {
  Roofline roofline = make_roofline(2, 2, 2);
  roofline.device = "\x1B[31m" + std::string(500, 'd');
  roofline.measured->label = "\x1B]0;title\x07" + std::string(500, 'm');
  roofline.points[0].benchmark = std::string(10000, 'b') + "\n\xFF";
  for (auto& point : roofline.points)
    if (point.group == "gemm 1") point.group = "\x1B[1m" + std::string(300, 'g');
  for (const int columns : {40, 60, 80, 120}) {
    const std::string text = draw_roofline_text(roofline, columns);
    const auto lines = split(text, '\n');
    for (const auto& line : lines) EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
    EXPECT_THAT(text, Not(HasSubstr("\x1B")));
    EXPECT_THAT(text, Not(HasSubstr("\x07")));
  }
}

TEST(DrawRooflines, EverySizeGivesWholePictures) {
  const TempFolder folder;
  std::vector<Roofline> all;
  all.push_back(make_roofline(13, 4, 3));
  all.push_back(make_roofline(1, 1, 1));
  all.push_back(make_roofline(100, 1, 1));
  all.push_back(make_roofline(1, 1, 100));
  all.push_back(make_roofline(3, 1, 0));
  all.push_back(
      with_points({product_at("g", "above_the_roof", 1024, 100e12), product_at("g", "in_cache", 8, 60e12)}));
  all.push_back(with_points({product_at("g", "no_peaks", 1024, 1e12, 0)}));
  all.back().peak_bytes_per_second.reset();
  all.push_back(with_points({product_at("g", "huge", 1024, 1e200), product_at("g", "tiny", 1024, 1e-20)}));
  all.push_back(with_points({copy_at("beyond", 1024, 1e15)}));
  for (std::size_t i = 0; i < all.size(); ++i) all[i].device += std::to_string(i);
  all.emplace_back();  // nothing to draw
  const auto files = draw_rooflines(all, folder.path());
  ASSERT_EQ(files.size(), all.size());
  EXPECT_TRUE(files.back().png.empty());
  for (std::size_t i = 0; i + 1 < files.size(); ++i) {
    const std::string png = read_text(files[i].png);
    expect_pictures(files[i], 1200, big_endian(png, 20));
    EXPECT_LE(big_endian(png, 20), 2000u);
  }
}

TEST(DrawRooflines, HostileNamesNeitherRunNorFail) {
  const TempFolder folder;
  std::vector<Roofline> all;
  for (const auto& name : hostile_names()) {
    Roofline roofline = make_roofline(3, 2, 2);
    roofline.device = roofline.commit = roofline.measured->label = name;
    for (auto& point : roofline.points) {
      if (point.variant == "variant_1") point.variant = point.benchmark = name;
      if (point.group == "gemm 1") point.group = name;
      if (point.shape == "2048x2048x2048") point.shape = name;
    }
    all.push_back(roofline);
  }
  const auto files = draw_rooflines(all, folder.path());
  for (const auto& one : files) {
    const std::string png = read_text(one.png);
    expect_pictures(one, 1200, big_endian(png, 20));
  }
  EXPECT_THAT(entries(folder.path()), Not(::testing::Contains("pwned")));
}

}  // namespace
}  // namespace tracker::plot
