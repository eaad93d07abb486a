#include "tracker/stats/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/source_tree.hpp"
#include "tests/stats/simulate.hpp"
#include "tracker/stats/local_level.hpp"
#include "tracker/stats/pooling.hpp"

namespace tracker::stats {
namespace {

using Places = std::vector<std::size_t>;

std::vector<double> quiet(std::size_t count, double deviation = 0.01, unsigned seed = 1) {
  Simulation simulation(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(100 * std::exp(simulation.normal(deviation)));
  return values;
}

std::vector<double> scaled(std::vector<double> values, std::size_t from, std::size_t to, double by) {
  for (std::size_t i = from; i < to; ++i) values[i] *= by;
  return values;
}

Places places(const std::vector<double>& values) {
  Places at;
  for (const auto& point : find_changes(values).points) at.push_back(point.at);
  return at;
}

TEST(ChangePoints, HavePlaceSizeAndIntervals) {
  const auto values = scaled(quiet(100), 60, 100, 1.05);
  const auto changes = find_changes(values);
  ASSERT_EQ(changes.points.size(), 1u);
  const auto& point = changes.points[0];
  EXPECT_LE(point.first, 60u);
  EXPECT_GE(point.last, 60u);
  EXPECT_LE(point.last - point.first, 4u);
  EXPECT_NEAR(point.before, 100, 1);
  EXPECT_NEAR(point.after, 105, 1);
  EXPECT_LT(point.ratio.low, 1.05);
  EXPECT_GT(point.ratio.high, 1.05);
  EXPECT_LT(point.ratio.high - point.ratio.low, 0.02);
  EXPECT_GT(point.sure, 0.99);
  EXPECT_TRUE(point.settled);
  EXPECT_TRUE(changes.drifts.empty());
}

TEST(ChangePoints, IntervalsHoldTheTruth) {
  int size = 0;
  int place = 0;
  int found = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto changes = find_changes(scaled(quiet(80, 0.01, seed), 40, 80, 1.03));
    if (changes.points.size() != 1) continue;
    ++found;
    size += changes.points[0].ratio.low <= 1.03 && changes.points[0].ratio.high >= 1.03 ? 1 : 0;
    place += changes.points[0].first <= 40 && changes.points[0].last >= 40 ? 1 : 0;
  }
  EXPECT_GE(found, 190);
  EXPECT_GE(size, 0.93 * found);
  EXPECT_GE(place, 0.93 * found);
}

TEST(ChangePoints, AreTheSameWhateverTheUnit) {
  const auto values = scaled(quiet(100), 60, 100, 1.05);
  auto larger = values;
  for (double& value : larger) value *= 1e9;
  EXPECT_EQ(places(values), places(larger));
}

TEST(ChangePoints, SpikesMakeNone) {
  auto values = quiet(80);
  values[20] *= 3;
  values[50] *= 0.2;
  values[51] *= 2;
  EXPECT_EQ(places(values), Places{});
}

TEST(ChangePoints, TwoSpeedsMakeNone) {
  int alarms = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    auto values = quiet(120, 0.005, seed);
    Simulation choice(seed + 1000);
    for (double& value : values) value *= choice.normal(1) > 0.5 ? 1.08 : 1;
    alarms += places(values).empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 1);
}

TEST(ChangePoints, FewInNoiseOfAnyLength) {
  for (const std::size_t count : {15u, 30u, 120u, 600u}) {
    int alarms = 0;
    for (unsigned seed = 0; seed < 200; ++seed) alarms += places(quiet(count, 0.02, seed)).empty() ? 0 : 1;
    EXPECT_LE(alarms, 6) << count;
  }
}

TEST(ChangePoints, FewInNoiseThatFollowsItself) {
  int alarms = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    auto values = quiet(150, 0.01, seed);
    for (std::size_t i = 1; i < values.size(); ++i) values[i] = 0.5 * values[i - 1] + 0.5 * values[i];
    alarms += places(values).empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 10);
}

// In another order the values of a quiet window are as they were recorded, but no two stretches differ by
// more than chance.
TEST(ChangePoints, FewInRecordedNoiseInAnyOrder) {
  std::mt19937_64 engine(1);
  int series = 0;
  int alarms = 0;
  const auto windows = nlohmann::json::parse(std::ifstream(std::string(TRACKER_TEST_DATA) + "/steps.json"));
  for (const auto& window : windows) {
    if (!window.at("steps_at").empty()) continue;
    auto values = window.at("values").get<std::vector<double>>();
    for (int turn = 0; turn < 25; ++turn, ++series) {
      std::shuffle(values.begin(), values.end(), engine);
      alarms += places(values).empty() ? 0 : 1;
    }
  }
  EXPECT_EQ(series, 34 * 25);
  EXPECT_LE(alarms, 0.03 * series);
}

// Six values far from both levels, at the end of the first one: they are nearer to that.
TEST(ChangePoints, FarValuesAreOfTheNearerLevel) {
  int found = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Simulation noise(seed);
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) values.push_back(100 + noise.normal(2));
    for (int i = 0; i < 6; ++i) values.push_back(93 + noise.normal(0.5));
    for (int i = 0; i < 70; ++i) values.push_back(112 + noise.normal(0.7));
    const Places at = places(values);
    found += std::count(at.begin(), at.end(), 46u) > 0 ? 1 : 0;
  }
  EXPECT_GE(found, 195) << "of 200; 183 where a bounded loss alone tells the place";
}

TEST(ChangePoints, OfAShortHistory) {
  EXPECT_EQ(places(scaled(quiet(15), 8, 15, 1.2)), Places{8});
}

TEST(ChangePoints, TheNewestValuesNeedNoTwelveMore) {
  const auto values = quiet(60);
  for (const std::size_t after : {2u, 3u, 5u, 8u})
    EXPECT_EQ(places(scaled(values, 60 - after, 60, 1.06)), Places{60 - after}) << after;
  EXPECT_FALSE(find_changes(scaled(values, 58, 60, 1.06)).points[0].settled);
}

TEST(ChangePoints, ALoneValueIsASpikeUntilASecondFollows) {
  const auto values = quiet(60);
  EXPECT_EQ(places(scaled(values, 59, 60, 1.035)), Places{});
  EXPECT_EQ(places(scaled(values, 58, 60, 1.05)), Places{58});
  EXPECT_EQ(places(scaled(values, 59, 60, 1.2)), Places{59}) << "no spike of this series is like it";
}

TEST(ChangePoints, ALoudStretchIsFoundFromEndToEnd) {
  auto values = quiet(400, 0.002);
  Simulation loud(7);
  for (std::size_t i = 200; i < 212; ++i) values[i] *= 1.3 + loud.normal(0.05);
  EXPECT_EQ(places(values), (Places{200, 212}));
}

TEST(ChangePoints, GapsKeepThePlaces) {
  auto values = scaled(quiet(100), 60, 100, 1.05);
  for (const std::size_t gap : {10u, 11u, 30u, 70u}) values[gap] = std::numeric_limits<double>::quiet_NaN();
  const auto points = find_changes(values).points;
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(static_cast<double>(points[0].at), 60, 1);
}

TEST(ChangePoints, NoneWhereNothingVaries) {
  EXPECT_EQ(places({}), Places{});
  EXPECT_EQ(places({1, 2}), Places{});
  EXPECT_EQ(places(std::vector<double>(50, 3)), Places{});
  EXPECT_EQ(places(std::vector<double>(50, 0)), Places{});
  EXPECT_EQ(places(scaled(std::vector<double>(50, 3), 30, 50, 2)), Places{30});
}

TEST(ChangePoints, ValuesBelowZeroAreTaken) {
  auto values = quiet(60);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] - 100 - (i < 30 ? 10 : 0);
  const auto points = find_changes(values).points;
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].at, 30u);
  EXPECT_TRUE(std::isnan(points[0].ratio.value));
}

TEST(ChangePoints, ADriftIsNoRowOfSteps) {
  auto values = quiet(120);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= std::exp(0.0005 * static_cast<double>(i));
  const auto changes = find_changes(values);
  EXPECT_TRUE(changes.points.empty());
  ASSERT_EQ(changes.drifts.size(), 1u);
  const auto& drift = changes.drifts[0];
  EXPECT_EQ(drift.from, 0u);
  EXPECT_EQ(drift.to, 120u);
  EXPECT_LT(drift.slope.low, 0.0005);
  EXPECT_GT(drift.slope.high, 0.0005);
  EXPECT_GT(drift.slope.low, 0.0003);
  EXPECT_NEAR(drift.total.value, std::exp(0.0005 * 119), 0.01);
}

// The drift is steep, and what follows it far away: its values lie within no level's bound.
TEST(ChangePoints, ADriftBeforeALargeStepIsNoRowOfSteps) {
  auto values = quiet(90, 0.003);
  for (std::size_t i = 0; i < 40; ++i) values[i] *= std::exp(0.002 * static_cast<double>(i));
  const auto changes = find_changes(scaled(values, 40, 90, 1.4));
  ASSERT_EQ(changes.points.size(), 1u);
  EXPECT_EQ(changes.points[0].at, 40u);
  EXPECT_NEAR(changes.points[0].before, 108, 1) << "where the drift ends";
  ASSERT_EQ(changes.drifts.size(), 1u);
  EXPECT_NEAR(changes.drifts[0].before, 100, 0.5);
  EXPECT_NEAR(changes.drifts[0].after, 108.1, 0.5);
}

// Months, weeks, machines that take turns: what comes back is no change, and hides none.
TEST(ChangePoints, ASeasonIsNoChangeAndHidesNone) {
  for (const std::size_t period : {2u, 7u, 12u, 24u}) {
    int alarms = 0;
    int found = 0;
    for (unsigned seed = 0; seed < 30; ++seed) {
      auto values = quiet(10 * period + 60, 0.01, seed);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= std::exp(0.06 * std::cos(2 * std::numbers::pi * static_cast<double>(i % period) /
                                              static_cast<double>(period)));
      alarms += places(values).empty() ? 0 : 1;
      const std::size_t middle = values.size() / 2;
      const auto points = find_changes(scaled(values, middle, values.size(), 1.04)).points;
      found += points.size() == 1 && points[0].at + 2 >= middle && points[0].at <= middle + 2 ? 1 : 0;
    }
    EXPECT_LE(alarms, 1) << period;
    EXPECT_GE(found, 27) << period;
  }
}

TEST(Season, IsFoundWhereThereIsOne) {
  std::vector<std::size_t> at;
  std::vector<double> weekly;
  Simulation noise(3);
  for (std::size_t i = 0; i < 84; ++i) {
    if (i == 30 || i == 31) continue;  // a gap
    at.push_back(i);
    weekly.push_back((i % 7 == 2 ? 5 : 0) + (i < 40 ? 0 : 8) + 0.1 * static_cast<double>(i) +
                     noise.normal(1));
  }
  const Season season = find_season(weekly, at);
  ASSERT_EQ(season.period, 7u);
  for (std::size_t phase = 0; phase < 7; ++phase)
    EXPECT_NEAR(season.offsets[phase], phase == 2 ? 5 : 0, 1.5) << phase;
  EXPECT_EQ(find_season({}, {}).period, 0u);
  EXPECT_EQ(
      find_season(std::vector<double>(40, 1), std::vector<std::size_t>(at.begin(), at.begin() + 40)).period,
      0u);
}

// Neither independent values nor those that follow one another, nor jobs of four values, have one.
TEST(Season, NoiseHasNone) {
  int found = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Simulation noise(seed);
    std::vector<double> values;
    std::vector<std::size_t> at;
    double last = 0;
    double job = 0;
    for (std::size_t i = 0; i < 40 + seed; ++i) {
      last = (seed % 3 == 1 ? 0.8 : 0) * last + noise.normal(1);
      if (i % 4 == 0) job = noise.normal(2);
      values.push_back(last + (seed % 3 == 2 ? job : 0));
      at.push_back(i);
    }
    found += find_season(values, at).period > 0 ? 1 : 0;
  }
  EXPECT_LE(found, 2);
}

// A level that falls from one value on, and rises from another one.
TEST(ChangePoints, AChangeOfPaceIsABend) {
  int found = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    auto values = quiet(150, 0.01, seed);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto place = static_cast<double>(i);
      values[i] *= std::exp(0.006 * (i < 50 ? place : i < 100 ? 100 - place : place - 100));
    }
    const auto changes = find_changes(values);
    const auto near = [](std::size_t at, std::size_t wanted) { return at + 5 >= wanted && at <= wanted + 5; };
    if (changes.points.size() != 2 || changes.drifts.size() != 3) continue;
    found +=
        near(changes.points[0].at, 50) && near(changes.points[1].at, 100) && changes.points[0].bends ? 1 : 0;
  }
  EXPECT_GE(found, 27);
}

// Straight parts bow on the scale of logarithms: what they bow is no sign that values follow one another.
TEST(ChangePoints, ABendOfStraightLinesIsOneOnAnyScale) {
  int found = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    Simulation noise(seed);
    std::vector<double> values;
    double level = 4;
    for (int i = 0; i < 214; ++i) {
      level += i < 60 ? -0.01 : i < 110 ? 0.06 : -0.04;
      values.push_back(level + noise.normal(0.05));
    }
    const auto changes = find_changes(values);
    const auto has = [&](std::size_t wanted) {
      return std::any_of(changes.points.begin(), changes.points.end(), [&](const ChangePoint& point) {
        return point.at + 5 >= wanted && point.at <= wanted + 5;
      });
    };
    found += has(60) && has(110) ? 1 : 0;
  }
  EXPECT_GE(found, 27);
}

TEST(ChangePoints, SmoothGrowthHasNoBends) {
  int bends = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    Simulation noise(seed);
    std::vector<double> values;
    for (int i = 0; i < 200; ++i) values.push_back(280 + 0.15 * i + 0.002 * i * i + noise.normal(0.4));
    bends += static_cast<int>(places(values).size());
  }
  EXPECT_LE(bends, 1);
}

TEST(ChangePoints, RandomWalksHaveFew) {
  int points = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    Simulation noise(seed);
    std::vector<double> values{400};
    for (int i = 0; i < 200; ++i) values.push_back(values.back() + noise.normal(1));
    points += static_cast<int>(places(values).size());
  }
  EXPECT_LE(points, 15) << "in 50 walks";
}

TEST(ChangePoints, KnownSpreadIsTheLeastNoise) {
  const auto values = scaled(quiet(60), 30, 60, 1.03);
  EXPECT_EQ(places(values), Places{30});
  EXPECT_TRUE(find_changes(values, std::vector<double>(60, 10.0)).points.empty());
}

// The surest of the newest values are five of the six.
TEST(ChangePoints, ANewLevelBeginsWithItsFirstValue) {
  std::vector<double> values(12, 1.089);
  for (std::size_t i = 6; i < 12; ++i) values[i] = 1.059;
  const auto points = find_changes(values, std::vector<double>(12, 0.008)).points;
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].at, 6u);
  EXPECT_LE(points[0].first, 6u);
}

TEST(ChangePoints, PoolingShowsWhatNoSeriesDoes) {
  std::vector<std::vector<double>> series;
  int alone = 0;
  for (unsigned i = 0; i < 20; ++i) {
    series.push_back(scaled(quiet(120, 0.01, i), 90, 120, 1.007));
    alone += places(series.back()).empty() ? 0 : 1;
  }
  EXPECT_LE(alone, 2);
  const auto found = shared_changes(pooled(series));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(static_cast<double>(found[0].at), 90, 5);
  EXPECT_TRUE(pooled({}).empty());
}

constexpr unsigned kRankSeries = 200;
constexpr std::size_t kRankValues = 120;
constexpr std::size_t kRankStep = 70;

// Most values crowd within half a deviation, and one in six lies seven higher: a second speed.
std::vector<double> crowded(unsigned seed, double step) {
  Simulation noise(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < kRankValues; ++i) {
    const double slow = noise.normal(1) > 1 ? 7 : 0;
    values.push_back(100 * std::exp(0.01 * (0.5 * noise.normal(1) + slow + (i < kRankStep ? 0 : step))));
  }
  return values;
}

TEST(Ranks, FindAStepThatASecondSpeedHides) {
  int found = 0;
  int alarms = 0;
  for (unsigned seed = 0; seed < kRankSeries; ++seed) {
    for (const auto& point : find_changes(crowded(seed, 1.5)).points)
      if (point.at + 5 >= kRankStep && point.at <= kRankStep + 5) ++found;
    alarms += find_changes(crowded(seed, 0)).points.empty() ? 0 : 1;
  }
  EXPECT_GE(found, 0.65 * kRankSeries);
  EXPECT_LE(alarms, 0.02 * kRankSeries);
}

TEST(Ranks, OfNoiseShowNone) {
  int alarms = 0;
  for (unsigned seed = 0; seed < kRankSeries; ++seed) {
    Simulation noise(seed);
    std::vector<double> values;
    for (std::size_t i = 0; i < kRankValues; ++i) values.push_back(noise.normal(1));
    alarms += rank_step(values, 0, kRankValues) > 0 ? 1 : 0;
  }
  EXPECT_LE(alarms, 2);
}

TEST(Ranks, TakeManyEqualValuesAndTooFew) {
  EXPECT_EQ(rank_step({}, 0, 1), 0u);
  EXPECT_EQ(rank_step(std::vector<double>(200, 1.0), 0, 200), 0u);
  std::vector<double> two(40, 1.0);
  std::fill(two.begin() + 20, two.end(), 2.0);
  EXPECT_EQ(rank_step(two, 0.1, 40), 20u);
  EXPECT_EQ(rank_step(two, 2, 40), 0u) << "values are known to vary by more";
  EXPECT_EQ(rank_step(std::span(two).subspan(10, 20), 0.1, 20), 0u) << "parts of ten values";
}

}  // namespace

}  // namespace tracker::stats
