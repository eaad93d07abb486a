#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/report_fixtures.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

std::size_t peaks_of(const Density& density) {
  std::size_t peaks = 0;
  for (std::size_t i = 1; i + 1 < density.size(); ++i)
    if (density[i].second > 0.1 && density[i].second > density[i - 1].second &&
        density[i].second >= density[i + 1].second)
      ++peaks;
  return peaks;
}

TEST(SamplesView, RoundsStandSideBySideAndAreConnected) {
  const auto view = view_samples(make_samples_of(6));
  ASSERT_EQ(view.columns.size(), 12u);
  ASSERT_EQ(view.pairs.size(), 6u);
  for (const auto& [base, candidate] : view.pairs) {
    EXPECT_FALSE(view.columns[base].candidate);
    EXPECT_TRUE(view.columns[candidate].candidate);
    EXPECT_EQ(view.columns[base].round, view.columns[candidate].round);
    EXPECT_EQ(candidate, base + 1);
  }
  EXPECT_EQ(view.scale.unit, "TB/s");
}

TEST(SamplesView, TwoModesAreSeenAsTwoModes) {
  const auto view = view_samples(make_samples_of(12));
  EXPECT_EQ(peaks_of(view.candidate), 2u);
}

TEST(SamplesView, OneModeIsSeenAsOne) {
  BenchmarkSamples samples = make_samples_of(6);
  // Quantiles of a bell, dealt out in turn.
  const double bell[] = {-1.73, -1.15, -0.81, -0.55, -0.32, -0.10, 0.10, 0.32, 0.55, 0.81, 1.15, 1.73};
  for (std::size_t i = 0; i < samples.candidate.size(); ++i)
    samples.candidate[i] = invocation_at(samples.candidate[i].round,
                                         {3.4e12 * (1 + 0.01 * bell[i]), 3.4e12 * (1 + 0.01 * bell[11 - i])});
  EXPECT_EQ(peaks_of(view_samples(samples).candidate), 1u);
}

// Processes of one binary on an H200, whose kernel runs out of the L2 cache (job2 of h200_recordings.tar.xz).
TEST(SamplesView, RecordedModesAreSeen) {
  const auto recorded = recorded_comparison(TRACKER_H200_JOBS "/job1", TRACKER_H200_JOBS "/job2", false);
  const auto in_cache = view_samples(recorded.samples("transpose_smem_pad/1024"));
  EXPECT_GE(peaks_of(in_cache.candidate), 2u);
  EXPECT_FALSE(in_cache.columns.empty());
  EXPECT_TRUE(in_cache.pairs.empty());
}

// A loss of a third is what the picture is about: two rounds that went wrong stand at the edge.
TEST(SamplesView, FewOutliersDoNotTakeTheRoomOfTheChange) {
  BenchmarkSamples samples = make_samples_of(10);
  const auto around_value = [](int round, double value) {
    std::vector<double> values;
    for (const double step : {-1.0, -0.5, 0.0, 0.5, 1.0}) values.push_back(value * (1 + 0.004 * step));
    return invocation_at(round, values);
  };
  for (auto& one : samples.base) one = around_value(one.round, 3.0e12);
  for (auto& one : samples.candidate) one = around_value(one.round, 2.0e12);
  samples.base[3] = around_value(samples.base[3].round, 0.9e12);
  samples.candidate[6] = around_value(samples.candidate[6].round, 6.0e12);
  samples.comparison.base = 3.0e12;
  samples.comparison.candidate = 2.0e12;
  const auto view = view_samples(samples);
  EXPECT_FALSE(view.holds(0.9));
  EXPECT_FALSE(view.holds(6.0));
  EXPECT_EQ(view.beyond, 10u);
  EXPECT_GT(std::abs(view.place(3.0) - view.place(2.0)), 0.4);
  for (auto& one : samples.base) one = around_value(one.round, one.round % 3 == 0 ? 0.9e12 : 3.0e12);
  EXPECT_TRUE(view_samples(samples).holds(0.9)) << "a third of them is a speed of its own";
}

TEST(SamplesView, WhatIsLeftOutIsShownButDoesNotCount) {
  BenchmarkSamples samples = make_samples_of(5);
  const auto before = view_samples(samples);
  samples.base[2].excluded = exclusion_of("warm-up");
  const auto view = view_samples(samples);
  EXPECT_EQ(view.columns.size(), 10u);
  EXPECT_EQ(view.left_out, 1u);
  EXPECT_EQ(view.pairs.size(), 4u);
  EXPECT_NE(view.base, before.base) << "nor in the distribution";
}

TEST(SamplesView, SidesFarApartShareAScaleWithoutWhatLiesBetween) {
  BenchmarkSamples samples = make_samples_of(5);
  for (auto& one : samples.candidate) {
    one.median /= 2;
    for (double& value : one.values) value /= 2;
  }
  *samples.comparison.candidate /= 2;
  const auto view = view_samples(samples);
  ASSERT_EQ(view.parts.size(), 2u);
  const auto scale = [](const AxisPart& part) { return (part.top - part.bottom) / (part.high - part.low); };
  EXPECT_NEAR(scale(view.parts[0]), scale(view.parts[1]), 1e-9 * scale(view.parts[0]));
  EXPECT_LT(view.parts[0].top, view.parts[1].bottom);
  EXPECT_TRUE(view.holds(*view.base_value));
  EXPECT_TRUE(view.holds(*view.candidate_value));
  EXPECT_GT(view.place(*view.base_value), view.place(*view.candidate_value));
  EXPECT_EQ(view_samples(make_samples_of(5)).parts.size(), 1u);
}

TEST(SamplesView, ARareSampleFarOffDoesNotSquashTheOthers) {
  BenchmarkSamples samples = make_samples_of(12);
  samples.base[3].values[0] *= 0.2;
  const auto view = view_samples(samples);
  EXPECT_EQ(view.beyond, 1u);
  EXPECT_NEAR(view.farthest_beyond, samples.base[3].values[0] / 1e12, 1e-9);
  EXPECT_GT(view.parts[0].low, 3.0);
}

TEST(SamplesView, ManyRoundsAreCutToTheLast) {
  const auto view = view_samples(make_samples_of(200));
  EXPECT_EQ(view.columns.size(), 160u);
  EXPECT_EQ(view.columns.front().round, 121);
  EXPECT_EQ(view.cut, "the last 80 of 200 rounds");
  BenchmarkSamples apart = make_samples_of(200);
  apart.paired = false;
  EXPECT_EQ(view_samples(apart).cut, "the last 80 of 200 invocations");
}

TEST(SamplesView, MissingSidesAndEmptyOnes) {
  EXPECT_TRUE(view_samples({}).columns.empty());
  BenchmarkSamples samples = make_samples_of(3);
  samples.base.clear();
  samples.comparison.base = {};
  const auto alone = view_samples(samples);
  EXPECT_EQ(alone.columns.size(), 3u);
  EXPECT_TRUE(alone.base.empty());
  samples.candidate = {invocation_at(1, {NAN}), invocation_at(2, {INFINITY})};
  EXPECT_TRUE(view_samples(samples).columns.empty());
}

TEST(SamplesView, ValuesThatAreAllTheSameStillHaveAnAxis) {
  for (const double value : {0.0, 1e-300, 3.5e12}) {
    BenchmarkSamples samples = make_samples_of(2);
    for (auto* side : {&samples.base, &samples.candidate})
      for (auto& one : *side) one = invocation_at(one.round, {value});
    samples.comparison.base = samples.comparison.candidate = value;
    const auto view = view_samples(samples);
    ASSERT_FALSE(view.parts.empty());
    EXPECT_LT(view.parts[0].low, view.parts[0].high) << value;
    const double place = view.place(view.columns[0].median);
    EXPECT_GT(place, 0) << value;
    EXPECT_LT(place, 1) << value;
  }
}

}  // namespace
}  // namespace tracker::plot
