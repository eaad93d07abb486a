#include "tracker/stats/steps.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/source_tree.hpp"
#include "tests/stats/simulate.hpp"

namespace tracker::stats {
namespace {

constexpr Variance kUsual{1e-4, 30};  // 1 %: what a GPU's jobs are taken for without a history

std::vector<double> quiet(int count, double deviation, unsigned seed = 1) {
  Simulation simulation(seed);
  std::vector<double> logs;
  for (int i = 0; i < count; ++i) logs.push_back(simulation.normal(deviation));
  return logs;
}

std::vector<std::size_t> step_places(const std::vector<double>& logs, double least = 0.02) {
  std::vector<std::size_t> at;
  for (const auto& step : find_steps(logs, least, kUsual)) at.push_back(step.at);
  return at;
}

void shift(std::vector<double>& logs, std::size_t from, std::size_t to, double by) {
  for (std::size_t i = from; i < to; ++i) logs[i] += by;
}

using Places = std::vector<std::size_t>;

TEST(Steps, AreFoundWhereTheyAre) {
  std::vector<double> logs = quiet(60, 0.003);
  shift(logs, 20, 60, -0.05);
  shift(logs, 41, 60, 0.03);
  const auto steps = find_steps(logs, 0.02, kUsual);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].at, 20u);
  EXPECT_NEAR(steps[0].before, 0, 0.003);
  EXPECT_NEAR(steps[0].after, -0.05, 0.003);
  EXPECT_TRUE(steps[0].settled);
  EXPECT_EQ(steps[1].at, 41u);
  EXPECT_NEAR(steps[1].after - steps[1].before, 0.03, 0.003);
}

TEST(Steps, SmallerThanAskedForAreNone) {
  std::vector<double> logs = quiet(60, 0.003);
  shift(logs, 30, 60, 0.015);
  EXPECT_EQ(step_places(logs, 0.02), Places{});
  EXPECT_EQ(step_places(logs, 0.01), Places{30});
}

TEST(Steps, AShortHistoryTakesTheUsualNoise) {
  EXPECT_EQ(step_places({0, 0.001, -0.2}), Places{2});
  EXPECT_EQ(step_places({0, 0.001, -0.03}), Places{});  // two usual deviations
  EXPECT_EQ(step_places({0, -0.2}), Places{});          // one value is no level
  EXPECT_EQ(step_places({}), Places{});
}

TEST(Steps, ALoneSpikeIsNoneUnlessItIsTheNewest) {
  std::vector<double> logs = quiet(40, 0.003);
  logs[20] -= 0.3;
  EXPECT_EQ(step_places(logs), Places{});
  logs[20] += 0.3;
  logs[39] -= 0.3;
  const auto steps = find_steps(logs, 0.02, kUsual);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].at, 39u);
  EXPECT_FALSE(steps[0].settled);
}

TEST(Steps, AChangeTakenBackIsTwo) {
  std::vector<double> logs = quiet(50, 0.003);
  shift(logs, 30, 34, -0.06);
  EXPECT_EQ(step_places(logs), (Places{30, 34}));
}

TEST(Steps, WhatTheLevelReachedBeforeIsNothingNew) {
  std::vector<double> logs = quiet(40, 0.002);
  for (std::size_t i = 3; i < 40; i += 9) logs[i] -= 0.05;  // 3, 12, 21, 30 and 39, the newest
  EXPECT_EQ(step_places(logs), Places{});
}

TEST(Steps, NoneInNoise) {
  for (const int count : {5, 12, 30, 120, 600}) {
    int alarms = 0;
    for (unsigned seed = 0; seed < 200; ++seed)
      alarms += step_places(quiet(count, 0.02, seed), 0).empty() ? 0 : 1;
    EXPECT_LE(alarms, 3) << count;
  }
}

TEST(Steps, NoneInNoiseThatWanders) {
  int alarms = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::vector<double> logs = quiet(200, 0.02, seed);
    for (std::size_t i = 1; i < logs.size(); ++i) logs[i] += 0.5 * logs[i - 1];
    alarms += step_places(logs, 0).empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 6);
}

struct Window {
  std::vector<double> logs;
  double deviation = 0;
  std::map<std::size_t, double> steps;  // by place, in deviations
};

std::vector<Window> recorded_windows() {
  std::vector<Window> windows;
  const auto document = nlohmann::json::parse(std::ifstream(std::string(TRACKER_TEST_DATA) + "/steps.json"));
  for (const auto& row : document) {
    Window window;
    for (const double value : row.at("values")) window.logs.push_back(std::log(value));
    window.deviation = row.at("sigma_log");
    for (std::size_t i = 0; i < row.at("steps_at").size(); ++i)
      window.steps[row.at("steps_at")[i]] = row.at("steps_sigma")[i];
    windows.push_back(window);
  }
  return windows;
}

// In another order the values of a quiet window are as they were recorded, but no two stretches differ by
// more than chance.
TEST(Steps, NoneInRecordedNoiseInAnyOrder) {
  std::mt19937_64 engine(1);
  int series = 0;
  int alarms = 0;
  int newest = 0;
  for (auto& window : recorded_windows()) {
    if (!window.steps.empty()) continue;
    for (int turn = 0; turn < 50; ++turn) {
      std::shuffle(window.logs.begin(), window.logs.end(), engine);
      const auto steps = find_steps(window.logs, 0, kUsual);
      ++series;
      alarms += steps.empty() ? 0 : 1;
      newest += !steps.empty() && !steps.back().settled ? 1 : 0;
    }
  }
  EXPECT_EQ(series, 34 * 50);
  EXPECT_LE(alarms, 0.04 * series);
  EXPECT_LE(newest, 0.01 * series);
}

TEST(Steps, OfRecordedSeriesAreFoundFromFourDeviationsOn) {
  std::map<int, std::pair<int, int>> found;  // by height in deviations: found, planted
  for (const auto& window : recorded_windows()) {
    const auto at = step_places(window.logs, 0);
    for (const auto& [place, deviations] : window.steps) {
      auto& [hits, planted] = found[static_cast<int>(std::abs(deviations))];
      const std::size_t expected = place;
      hits += std::any_of(at.begin(), at.end(),
                          [&](std::size_t i) { return i + 5 >= expected && i <= expected + 5; })
                  ? 1
                  : 0;
      ++planted;
    }
  }
  EXPECT_EQ(found[8].first, found[8].second);
  EXPECT_GE(found[4].first, 0.9 * found[4].second);
  EXPECT_GE(found[2].first, 0.5 * found[2].second);
}

}  // namespace
}  // namespace tracker::stats
