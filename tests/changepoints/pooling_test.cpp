// What docs/changepoints.md states of related series taken together: what is found, and that noise which all
// of them share makes few alarms.
#include "tracker/stats/pooling.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <gtest/gtest.h>

#include "tests/changepoints/measures.hpp"
#include "tests/source_tree.hpp"
#include "tests/stats/simulate.hpp"
#include "tracker/stats/change_points.hpp"

namespace tracker::changepoints {
namespace {

constexpr std::size_t kPooledSeries = 20;
constexpr std::size_t kValuesAfter = 20;
constexpr unsigned kPooledTrials = 200;

// What all series share at each value: standard normal, and as long as asked.
using SharedNoise = std::function<std::vector<double>(stats::Simulation&, std::size_t)>;

// The same for so many values in a row: a day's factor.
SharedNoise days_of(std::size_t values) {
  return [values](stats::Simulation& noise, std::size_t count) {
    std::vector<double> all;
    while (all.size() < count) all.insert(all.end(), values, noise.normal(1));
    all.resize(count);
    return all;
  };
}

SharedNoise following_by(double correlation) {
  return [correlation](stats::Simulation& noise, std::size_t count) {
    std::vector<double> all{noise.normal(1)};
    while (all.size() < count)
      all.push_back(correlation * all.back() + std::sqrt(1 - correlation * correlation) * noise.normal(1));
    return all;
  };
}

struct PooledRates {
  double alarmed = 0;
  double found = 0;  // a loss of half a deviation in each series, within the newest values
};

// `share`: of each series' variance that all of them share.
PooledRates pooled_rates(const SharedNoise& shared_noise, double share, std::size_t count) {
  int alarmed = 0;
  int found = 0;
  for (unsigned seed = 0; seed < kPooledTrials; ++seed) {
    stats::Simulation noise(seed);
    const auto shared = shared_noise(noise, count);
    std::vector<std::vector<double>> same;
    for (std::size_t s = 0; s < kPooledSeries; ++s) {
      same.emplace_back();
      for (std::size_t i = 0; i < count; ++i)
        same.back().push_back(std::sqrt(share) * shared[i] + noise.normal(std::sqrt(1 - share)));
    }
    auto lost = same;
    for (auto& series : lost)
      for (std::size_t i = count - kValuesAfter; i < count; ++i) series[i] += 0.5;
    alarmed += stats::shared_changes(stats::pooled_deviations(same)).empty() ? 0 : 1;
    const auto changes = stats::shared_changes(stats::pooled_deviations(lost));
    found +=
        !changes.empty() && !changes.back().drifts && changes.back().at + kValuesAfter + 5 >= count ? 1 : 0;
  }
  return {alarmed / double{kPooledTrials}, found / double{kPooledTrials}};
}

PooledRates printed(const char* name, const SharedNoise& noise, double share, std::size_t count) {
  const PooledRates rates = pooled_rates(noise, share, count);
  if (std::getenv("TRACKER_PRINT") != nullptr)
    std::printf("| %s | %.0f %% | %zu | %.1f | %.0f |\n", name, 100 * share, count, 100 * rates.alarmed,
                100 * rates.found);
  return rates;
}

TEST(Pooling, FindsHalfADeviationInTwentySeriesWithinTwentyValues) {
  for (const std::size_t count : {100u, 120u, 200u, 400u}) {
    const auto rates = printed("none", days_of(1), 0, count);
    EXPECT_GE(rates.found, 0.9) << count;
    EXPECT_LE(rates.alarmed, 0.01) << count;
  }
}

TEST(Pooling, FindsItInRecordedNoise) {
  std::vector<LabelledSeries> quiet;
  for (const auto& group : read_groups(TRACKER_TEST_DATA "/steps.json"))
    for (const auto& series : group.series)
      if (series.labels == std::vector<Places>{{}} && series.sigma_log) quiet.push_back(series);
  const Pooled seen = pooled_loss(stats::detectors().front(), quiet);
  EXPECT_GE(seen.found.share(), 0.8);
  EXPECT_LE(seen.alarmed.share(), 0.01);
}

TEST(Pooling, NoiseThatAllShareIsNoLoss) {
  for (const std::size_t count : {120u, 200u, 400u}) {
    EXPECT_LE(printed("each value", days_of(1), 0.3, count).alarmed, 0.01) << count;
    EXPECT_LE(printed("each value", days_of(1), 0.9, count).alarmed, 0.01) << count;
    EXPECT_LE(printed("five values", days_of(5), 0.3, count).alarmed, 0.01) << count;
    EXPECT_LE(printed("five values", days_of(5), 0.9, count).alarmed, 0.01) << count;
    // Of what lasts longer, a short history shows too little to tell it from a change.
    EXPECT_LE(printed("ten values", days_of(10), 0.3, count).alarmed, count == 120 ? 0.04 : 0.01) << count;
    EXPECT_LE(printed("neighbours by 0.7", following_by(0.7), 0.3, count).alarmed, count == 120 ? 0.03 : 0.02)
        << count;
  }
  EXPECT_LE(printed("twenty values", days_of(20), 0.3, 400).alarmed, 0.05);
}

TEST(Pooling, SharedNoiseMakesSeriesWorthFewer) {
  const auto variance_of = [](double share) {
    double sum = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
      stats::Simulation noise(seed);
      const auto shared = days_of(1)(noise, 120);
      std::vector<std::vector<double>> series(kPooledSeries);
      for (auto& one : series)
        for (std::size_t i = 0; i < 120; ++i)
          one.push_back(std::sqrt(share) * shared[i] + noise.normal(std::sqrt(1 - share)) + (i < 60 ? 0 : 5));
      const auto changes = stats::shared_changes(stats::pooled_deviations(series));
      sum += changes.empty() ? 0 : changes.front().variance;
    }
    return sum / 20;
  };
  EXPECT_NEAR(variance_of(0), 1.2 / kPooledSeries, 0.06);
  EXPECT_GE(variance_of(0.5), 0.4) << "of which 0.5 is shared by all";
}

TEST(Pooling, ASharedCreepIsADriftAndNoStep) {
  int drifts = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    stats::Simulation noise(seed);
    std::vector<std::vector<double>> series(kPooledSeries);
    for (auto& one : series)
      for (std::size_t i = 0; i < 120; ++i) one.push_back(noise.normal(1) + 0.01 * static_cast<double>(i));
    const auto changes = stats::shared_changes(stats::pooled_deviations(series));
    drifts += changes.size() == 1 && changes[0].drifts ? 1 : 0;
  }
  EXPECT_GE(drifts, 45);
}

TEST(Pooling, GapsAndTooFewValuesAreNothing) {
  EXPECT_TRUE(stats::pooled_deviations({}).empty());
  EXPECT_TRUE(stats::shared_changes({}).empty());
  EXPECT_TRUE(stats::shared_changes(std::vector<double>(200, 0)).empty());
  const double nan = std::nan("");
  const auto pooled = stats::pooled_deviations({{1, nan, nan}, {3, nan, 5}, {2, 4, nan}});
  EXPECT_DOUBLE_EQ(pooled[0], 2);
  EXPECT_TRUE(std::isnan(pooled[1])) << "one of three";
  EXPECT_TRUE(std::isnan(pooled[2]));
}

}  // namespace
}  // namespace tracker::changepoints
