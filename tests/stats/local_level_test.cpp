// A level that wanders by itself makes few points, and a step stays one: docs/lab/changepoints.md has the
// table.
#include "tracker/stats/local_level.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <gtest/gtest.h>

#include "tests/stats/simulate.hpp"
#include "tracker/stats/change_points.hpp"

namespace tracker::stats {
namespace {

using Noise = std::function<std::vector<double>(Simulation&, std::size_t)>;

// Values that follow one another, of variance 1; a random walk with steps of `walk`.
Noise following_by(double correlation) {
  return [correlation](Simulation& noise, std::size_t count) {
    std::vector<double> values;
    double last = noise.normal(1);
    for (std::size_t i = 0; i < count; ++i) {
      last = correlation * last + std::sqrt(1 - correlation * correlation) * noise.normal(1);
      values.push_back(last);
    }
    return values;
  };
}

Noise walking_by(double step) {
  return [step](Simulation& noise, std::size_t count) {
    std::vector<double> values;
    double last = 0;
    for (std::size_t i = 0; i < count; ++i) values.push_back(last += noise.normal(step));
    return values;
  };
}

Noise independent() {
  return following_by(0);
}

Noise sum_of(const Noise& one, const Noise& other) {
  return [one, other](Simulation& noise, std::size_t count) {
    auto values = one(noise, count);
    const auto more = other(noise, count);
    for (std::size_t i = 0; i < count; ++i) values[i] += more[i];
    return values;
  };
}

struct Seen {
  double points = 0;     // the share of series without a step that have any,
  double would = 0;      // that would have any if levels did not wander,
  double wandering = 0;  // and that are said to wander
  double found_2 = 0;    // the share in which a step of two deviations is found
  double found_3 = 0;
};

Seen seen_in(const char* name, const Noise& make, std::size_t count, unsigned series) {
  Seen seen;
  const double one = 1.0 / series;
  for (unsigned seed = 0; seed < series; ++seed) {
    Simulation noise(seed);
    const auto values = make(noise, count);
    const std::size_t at = count * 2 / 5;
    const auto changes = [&](double height) {
      std::vector<double> times;
      for (std::size_t i = 0; i < count; ++i)
        times.push_back(100 * std::exp(0.01 * (values[i] + (i < at ? 0 : height))));
      return find_changes(times);
    };
    const auto found = [&](double height) {
      for (const auto& point : changes(height).points)
        if (point.at + 5 >= at && point.at <= at + 5) return one;
      return 0.0;
    };
    const Changes without = changes(0);
    seen.points += without.points.empty() ? 0 : one;
    seen.would += without.points.empty() && without.wandered.empty() ? 0 : one;
    seen.wandering += without.wandered.empty() ? 0 : one;
    seen.found_2 += found(2);
    seen.found_3 += found(3);
  }
  if (std::getenv("TRACKER_PRINT") != nullptr)
    std::printf("| %s | %zu | %.0f | %.0f | %.0f | %.0f |\n", name, count, 100 * seen.would,
                100 * seen.points, 100 * seen.found_2, 100 * seen.found_3);
  return seen;
}

// The whole of what the page states takes a minute.
Seen seen_in(const char* name, const Noise& make, std::size_t count) {
  return seen_in(name, make, count, std::getenv("TRACKER_PRINT") != nullptr ? 500 : 200);
}

TEST(Wandering, CostsNoCleanStep) {
  const Seen of_120 = seen_in("independent", independent(), 120);
  EXPECT_EQ(of_120.points, 0);
  EXPECT_EQ(of_120.wandering, 0);
  EXPECT_GE(of_120.found_2, 0.92);
  EXPECT_GE(seen_in("independent", independent(), 40).found_3, 0.95);
  EXPECT_GE(seen_in("correlated by 0.5", following_by(0.5), 120).found_3, 0.95);
}

TEST(Wandering, IsNoStep) {
  EXPECT_LE(seen_in("correlated by 0.7", following_by(0.7), 40).points, 0.08);
  EXPECT_LE(seen_in("correlated by 0.7", following_by(0.7), 120).points, 0.05);
  EXPECT_LE(seen_in("correlated by 0.9", following_by(0.9), 120).points, 0.08);
  EXPECT_LE(seen_in("walk", walking_by(1), 120).points, 0.15);
  const auto returning = sum_of(following_by(0.95), independent());
  EXPECT_LE(seen_in("correlated by 0.95, and independent", returning, 40).points, 0.18);
  const Seen seen = seen_in("correlated by 0.95, and independent", returning, 120);
  EXPECT_LE(seen.points, 0.3);
  EXPECT_GE(seen.wandering, 0.1);
  EXPECT_GE(seen.found_3, 0.75);
  for (const double step : {0.1, 0.2, 0.3, 0.5}) {
    const std::string name = "walk by " + std::to_string(step).substr(0, 3) + ", and independent";
    EXPECT_LE(seen_in(name.c_str(), sum_of(walking_by(step), independent()), 120).points, 0.55) << name;
  }
}

TEST(Wandering, NeedsTwoLevels) {
  const std::vector<double> values(20, 1.0);
  EXPECT_TRUE(steps_beside_wandering(values, 1, {}).empty());
  const std::vector<Stretch> one{{level_of(values, 0, 20, 1), {}, {}}};
  EXPECT_TRUE(steps_beside_wandering(values, 1, one).empty());
  const std::vector<Stretch> alike{{level_of(values, 0, 10, 1), {}, {}},
                                   {level_of(values, 10, 20, 1), {}, {}}};
  EXPECT_EQ(steps_beside_wandering(values, 1, alike), std::vector<bool>{false});
}

}  // namespace
}  // namespace tracker::stats
