#include "tests/changepoints/made_up.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "tests/stats/simulate.hpp"

namespace tracker::changepoints {
namespace {

constexpr unsigned kOfEachKind = 10;

struct Draft {
  std::vector<double> values;
  Places labels;
};

struct Kind {
  const char* name;
  Draft (*make)(stats::Simulation& noise, std::size_t count);
};

double real(std::size_t i) {
  return static_cast<double>(i);
}

// Values that follow one another, about a level.
std::vector<double> following(stats::Simulation& noise, std::size_t count, double correlation) {
  std::vector<double> values(count);
  double now = 0;
  for (auto& value : values) value = now = correlation * now + noise.normal(1);
  return values;
}

Draft following_with_step(stats::Simulation& noise, std::size_t count) {
  Draft draft{following(noise, count, 0.7), {count * 2 / 5}};
  for (std::size_t i = 0; i < count; ++i) draft.values[i] += 50 + (i < draft.labels[0] ? 0 : 6);
  return draft;
}

Draft following_alone(stats::Simulation& noise, std::size_t count) {
  Draft draft{following(noise, count, 0.8), {}};
  for (auto& value : draft.values) value += 50;
  return draft;
}

Draft random_walk(stats::Simulation& noise, std::size_t count) {
  Draft draft{following(noise, count, 1), {}};
  for (auto& value : draft.values) value += 200;
  return draft;
}

Draft trend(stats::Simulation& noise, std::size_t count) {
  Draft draft;
  for (std::size_t i = 0; i < count; ++i) draft.values.push_back(100 + 0.5 * real(i) + noise.normal(1.5));
  return draft;
}

Draft trend_with_fall(stats::Simulation& noise, std::size_t count) {
  Draft draft{{}, {count / 2}};
  for (std::size_t i = 0; i < count; ++i)
    draft.values.push_back(100 + 0.3 * real(i) - (i < count / 2 ? 0 : 0.3 * real(count)) + noise.normal(1.5));
  return draft;
}

Draft rise_between_levels(stats::Simulation& noise, std::size_t count) {
  Draft draft{{}, {count / 3, count / 2}};
  for (std::size_t i = 0; i < count; ++i) {
    const double share = std::clamp((real(i) - real(count / 3)) / real(count / 2 - count / 3), 0.0, 1.0);
    draft.values.push_back(100 + 30 * share + noise.normal(1.5));
  }
  return draft;
}

Draft seasons(stats::Simulation& noise, std::size_t count) {
  Draft draft;
  for (std::size_t i = 0; i < count; ++i)
    draft.values.push_back(50 + 8 * std::sin(2 * std::numbers::pi * real(i) / 12) + noise.normal(1));
  return draft;
}

Draft seasons_with_step(stats::Simulation& noise, std::size_t count) {
  Draft draft = seasons(noise, count);
  draft.labels = {count / 2};
  for (std::size_t i = count / 2; i < count; ++i) draft.values[i] += 25;
  return draft;
}

Draft counts_with_two_rates(stats::Simulation& noise, std::size_t count) {
  Draft draft{{}, {count / 3, count * 3 / 4}};
  for (std::size_t i = 0; i < count; ++i) {
    const double rate = i < count / 3 ? 3 : i < count * 3 / 4 ? 9 : 4;
    draft.values.push_back(std::max(0.0, std::round(rate + noise.normal(std::sqrt(rate)))));
  }
  return draft;
}

Draft growth(stats::Simulation& noise, std::size_t count) {
  Draft draft;
  double log = 3;
  for (std::size_t i = 0; i < count; ++i) {
    log += 0.03 + noise.normal(0.02);
    draft.values.push_back(std::exp(log));
  }
  return draft;
}

constexpr Kind kKinds[] = {
    {"following, a step", following_with_step},
    {"following", following_alone},
    {"random walk", random_walk},
    {"trend", trend},
    {"trend, a fall", trend_with_fall},
    {"levels, a rise between", rise_between_levels},
    {"seasons", seasons},
    {"seasons, a step", seasons_with_step},
    {"counts, three rates", counts_with_two_rates},
    {"growth", growth},
};

}  // namespace

Group made_up_kinds() {
  Group group{"made_up", {}};
  for (const auto& kind : kKinds)
    for (unsigned seed = 0; seed < kOfEachKind; ++seed) {
      stats::Simulation noise(seed);
      const Draft draft = kind.make(noise, 50 + 15 * std::size_t{seed});
      LabelledSeries series;
      series.name = kind.name;
      series.values = draft.values;
      series.labels = {draft.labels};
      group.series.push_back(series);
    }
  return group;
}

std::vector<LabelledSeries> made_up_noise() {
  constexpr double kDeviation = 0.01;
  constexpr std::size_t kCount = 120;
  std::vector<LabelledSeries> all;
  for (unsigned seed = 0; seed < 5 * kOfEachKind; ++seed) {
    stats::Simulation noise(seed);
    LabelledSeries series;
    series.name = "noise";
    for (std::size_t i = 0; i < kCount; ++i)
      series.values.push_back(100 * std::exp(noise.normal(kDeviation)));
    series.labels = {{}};
    series.sigma_log = kDeviation;
    all.push_back(series);
  }
  return all;
}

}  // namespace tracker::changepoints
