#include <cmath>

#include <gtest/gtest.h>

#include "tests/events/made_up_line.hpp"
#include "tests/support/random.hpp"
#include "tracker/events/events.hpp"

namespace tracker::events {
namespace {

constexpr std::size_t kFamilySize = 20;
constexpr std::size_t kLineLength = 120;
constexpr std::size_t kLossAt = 100;
constexpr double kPolicyThreshold = 0.02;

struct FamilyRequest {
  unsigned seed = 0;
  double loss = 0;  // of each deviation, in the newest twenty values
  double day = 0;   // the deviation of what all share for five values
  std::size_t losing = kFamilySize;
};

// Twenty shapes of one kernel, with noise of 0.2 to 1.5 %.
std::vector<Series> family(const FamilyRequest& request) {
  test::Random random(request.seed);
  std::vector<double> days;
  for (std::size_t i = 0; i < kLineLength; ++i)
    days.push_back(i % 5 == 0 ? request.day * random.normal() : days.back());
  std::vector<Series> all;
  for (std::size_t s = 0; s < kFamilySize; ++s) {
    const double noise = 0.002 + 0.013 * random.uniform();
    std::vector<double> logs;
    for (std::size_t i = 0; i < kLineLength; ++i)
      logs.push_back(noise *
                     (random.normal() + days[i] + (i >= kLossAt && s < request.losing ? request.loss : 0)));
    Series series = test::made_up_series(s, logs, kPolicyThreshold);
    series.benchmark = "transpose/tile/f32/" + std::to_string(s);
    all.push_back(series);
  }
  return all;
}

std::vector<ChangeEvent> shared_events_of(const std::vector<Series>& all) {
  return find_shared_events(all, find(all));
}

TEST(SharedEvents, NameTheFamilyTheCommitAndTheSize) {
  const auto events = shared_events_of(family({.seed = 1, .loss = 0.7}));
  ASSERT_EQ(events.size(), 1u);
  const ChangeEvent& event = events[0];
  ASSERT_TRUE(event.together);
  EXPECT_EQ(event.together->kind, PoolKind::kFamily);
  EXPECT_EQ(event.together->name, "transpose f32");
  EXPECT_EQ(event.changes.size(), kFamilySize);
  EXPECT_EQ(event.slower.changes, kFamilySize);
  EXPECT_EQ(event.shape, EventShape::kStep);
  EXPECT_EQ(event.state, EventState::kStillThere);
  EXPECT_LT(event.last_before.position, static_cast<int>(kLossAt));
  EXPECT_GE(event.last_possible.position, static_cast<int>(kLossAt));
  EXPECT_NEAR(event.first_seen.position, kLossAt, 4);
  EXPECT_NEAR(event.slower.ratio, 1.006, 0.003);
  EXPECT_LT(event.together->ratio.low, event.slower.ratio);
  EXPECT_GT(event.together->ratio.high, event.slower.ratio);
  EXPECT_GT(event.together->independent, 8);
  EXPECT_EQ(event.together->pooled.points.size(), kLineLength);
}

TEST(SharedEvents, FindHalfADeviationAndNoneWhereNothingChanged) {
  int found = 0;
  int false_ones = 0;
  int of_days = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const auto lost = shared_events_of(family({.seed = seed, .loss = 0.5}));
    found += !lost.empty() && lost.back().first_seen.position >= static_cast<int>(kLossAt) - 5 ? 1 : 0;
    false_ones += shared_events_of(family({.seed = seed})).empty() ? 0 : 1;
    of_days += shared_events_of(family({.seed = seed, .day = 0.7})).empty() ? 0 : 1;
  }
  EXPECT_GE(found, 88) << "of a hundred";
  EXPECT_LE(false_ones, 1);
  EXPECT_LE(of_days, 1);
}

TEST(SharedEvents, OfAWindowAreThoseThatReachIntoIt) {
  const auto all = family({.seed = 1, .loss = 0.7});
  EXPECT_EQ(shared_events_since(all, static_cast<int>(kLossAt) - 20).size(), 1u);
  EXPECT_TRUE(shared_events_since(all, static_cast<int>(kLineLength) - 5).empty());
}

TEST(SharedEvents, WhatAFewLoseIsNotShared) {
  int said = 0;
  for (unsigned seed = 0; seed < 50; ++seed)
    said += shared_events_of(family({.seed = seed, .loss = 1.5, .losing = 5})).empty() ? 0 : 1;
  EXPECT_LE(said, 2);
}

// Each of these losses is a step of its own series, and together they are one event already.
TEST(SharedEvents, SayNothingOfWhatSeriesShowAlone) {
  const auto all = family({.seed = 2, .loss = 8});
  ASSERT_FALSE(find(all).empty());
  EXPECT_TRUE(shared_events_of(all).empty());
}

TEST(SharedEvents, WhatCameBackIsMended) {
  auto all = family({.seed = 5});
  for (auto& series : all)
    for (auto& point : series.points)
      if (point.position >= 40) point.median *= point.position < 80 ? 1.008 : 1;
  const auto events = shared_events_of(all);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front().slower.changes, kFamilySize);
  EXPECT_EQ(events.front().state, EventState::kUndone);
}

TEST(SharedEvents, RatesThatFallAreSlower) {
  auto all = family({.seed = 1, .loss = 0.7});
  for (auto& series : all) {
    series.metric = find_metric("bytes_per_second");
    for (auto& point : series.points) point.median = 1 / point.median;
  }
  const auto events = shared_events_of(all);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].slower.changes, kFamilySize);
  EXPECT_TRUE(events[0].higher_is_better);
  EXPECT_LT(events[0].slower.ratio, 1);
}

// A device whose two families both lose is one event of the device.
TEST(SharedEvents, WhatAllFamiliesShareIsTheDevices) {
  auto all = family({.seed = 1, .loss = 0.7});
  auto more = family({.seed = 2, .loss = 0.7});
  for (auto& series : more) {
    series.benchmark.replace(0, 9, "product");
    all.push_back(series);
  }
  const auto events = shared_events_of(all);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].together->kind, PoolKind::kDevice);
  EXPECT_EQ(events[0].changes.size(), 2 * kFamilySize);
}

// A loss of the larger of two families is none of the other's.
TEST(SharedEvents, AFamilyIsNotTheDevice) {
  auto all = family({.seed = 1, .loss = 0.7});
  auto same = family({.seed = 2});
  same.resize(8);
  for (auto& series : same) {
    series.benchmark.replace(0, 9, "product");
    all.push_back(series);
  }
  const auto events = shared_events_of(all);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].together->name, "transpose f32");
}

TEST(SharedEvents, NeedFiveSeriesAndEightyCommits) {
  auto few = family({.seed = 1, .loss = 0.9});
  few.resize(4);
  EXPECT_TRUE(shared_events_of(few).empty());
  auto brief = family({.seed = 1, .loss = 0.9});
  for (auto& series : brief) series.points.erase(series.points.begin(), series.points.begin() + 60);
  EXPECT_TRUE(find_shared_events(brief, {}).empty());
  EXPECT_TRUE(find_shared_events({}, {}).empty());
}

}  // namespace
}  // namespace tracker::events
