// How often `tracker check` is wrong where nothing changed, replayed commit by commit:
// docs/lab/changepoints.md states what is printed here with TRACKER_PRINT=1, of longer lines.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/events/made_up_line.hpp"
#include "tests/source_tree.hpp"
#include "tests/support/random.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/events/events.hpp"

namespace tracker::events {
namespace {

using test::Random;

using Lines = std::vector<std::vector<double>>;  // logarithms, of each series
// So many values of the series of that number.
using Noise = std::function<std::vector<double>(Random&, std::size_t number, std::size_t count)>;

constexpr std::size_t kBefore = 100;  // commits before the first check
constexpr double kThreshold = 0.005;
constexpr std::size_t kNewest = 20;
constexpr double kMonth = 600;  // commits: twenty a day

double deviation_of(Random& random) {
  return 0.003 + 0.017 * random.uniform();
}

std::vector<double> normal_noise(Random& random, std::size_t, std::size_t count) {
  const double deviation = deviation_of(random);
  std::vector<double> logs;
  for (std::size_t i = 0; i < count; ++i) logs.push_back(deviation * random.normal());
  return logs;
}

// Neighbours correlate with 0.5.
std::vector<double> following_noise(Random& random, std::size_t, std::size_t count) {
  const double deviation = deviation_of(random);
  std::vector<double> logs;
  double last = random.normal();
  for (std::size_t i = 0; i < count; ++i) {
    last = 0.5 * last + std::sqrt(0.75) * random.normal();
    logs.push_back(deviation * last);
  }
  return logs;
}

// Two speeds, each run at one of them.
std::vector<double> two_speeds(Random& random, std::size_t, std::size_t count) {
  const double deviation = deviation_of(random);
  const double slow_share = 0.2 + 0.6 * random.uniform();
  std::vector<double> logs;
  for (std::size_t i = 0; i < count; ++i)
    logs.push_back(deviation * (0.3 * random.normal() + (random.uniform() < slow_share ? 2 : 0)));
  return logs;
}

// The windows of recorded histories without a step, but for those with shifts of their own.
const Lines& quiet_recordings() {
  static const Lines windows = [] {
    Lines all;
    std::ifstream file(TRACKER_TEST_DATA "/steps.json");
    for (const auto& window : nlohmann::json::parse(file)) {
      if (!window.at("steps_at").empty()) continue;
      std::vector<double> logs;
      for (const auto& value : window.at("values")) logs.push_back(std::log(value.get<double>()));
      double sum = 0;
      for (const double log : logs) sum += log;
      for (double& log : logs) log -= sum / static_cast<double>(logs.size());
      const Series series = test::made_up_series(0, logs, kThreshold);
      if (series.steps.empty() && series.drifts.empty()) all.push_back(logs);
    }
    return all;
  }();
  return windows;
}

// Blocks of so many neighbouring values of one recording, in any order.
Noise recorded_noise(std::size_t block) {
  return [block](Random& random, std::size_t number, std::size_t count) {
    const auto& window = quiet_recordings().at(number % quiet_recordings().size());
    std::vector<double> logs;
    while (logs.size() < count) {
      const std::size_t from = random.below(window.size() - block);
      for (std::size_t i = from; i < from + block && logs.size() < count; ++i) logs.push_back(window[i]);
    }
    return logs;
  };
}

std::vector<Series> first_values(const Lines& lines, std::size_t count) {
  std::vector<Series> all;
  for (std::size_t i = 0; i < lines.size(); ++i)
    all.push_back(test::made_up_series(
        i, {lines[i].begin(), lines[i].begin() + static_cast<std::ptrdiff_t>(count)}, kThreshold));
  return all;
}

// Different regressions that checks after each of the commits named.
int alarms_in(const Lines& lines, std::size_t commits) {
  constexpr int kNear = 3;
  std::vector<std::pair<int, int>> seen;
  for (std::size_t count = kBefore + 1; count <= kBefore + commits; ++count) {
    const auto series = first_values(lines, count);
    for (const auto& event : check_newest(find(series), series, kNewest).regressions) {
      const int first = event.last_before.position + 1;
      const int last = event.last_possible.position;
      const bool known = std::any_of(seen.begin(), seen.end(), [&](const auto& one) {
        return one.first <= last + kNear && first <= one.second + kNear;
      });
      if (!known) seen.emplace_back(first, last);
    }
  }
  return static_cast<int>(seen.size());
}

struct Size {
  std::size_t series = 30;
  std::size_t commits = 60;
  unsigned lines = 1;
};

// The whole of what the page states takes minutes.
Size size_asked() {
  if (std::getenv("TRACKER_PRINT") == nullptr) return {};
  return {.series = 100, .commits = 300, .lines = 2};
}

double alarms_a_month(const char* name, const Noise& noise) {
  const Size size = size_asked();
  int alarms = 0;
  for (unsigned seed = 0; seed < size.lines; ++seed) {
    Random random(seed);
    Lines lines;
    for (std::size_t i = 0; i < size.series; ++i) lines.push_back(noise(random, i, kBefore + size.commits));
    alarms += alarms_in(lines, size.commits);
  }
  const double month = alarms * kMonth / static_cast<double>(size.commits * size.lines);
  if (std::getenv("TRACKER_PRINT") != nullptr)
    std::printf("| %s | %zu | %zu | %d | %.1f |\n", name, size.series, size.commits * size.lines, alarms,
                month);
  return month;
}

TEST(FalseAlarms, AreRareWhateverTheNoise) {
  EXPECT_LE(alarms_a_month("normal", normal_noise), 0);
  EXPECT_LE(alarms_a_month("neighbours correlate with 0.5", following_noise), 10);
  EXPECT_LE(alarms_a_month("two speeds", two_speeds), 0);
  EXPECT_LE(alarms_a_month("recorded, in blocks of 5", recorded_noise(5)), 10);
  EXPECT_LE(alarms_a_month("recorded, in blocks of 8", recorded_noise(8)), 10);
}

// A loss of so many deviations in the newest values of one of the series.
double found_share(double deviations, std::size_t values) {
  constexpr std::size_t kSeries = 100;  // among which it is to be found
  constexpr unsigned kTrials = 100;
  int found = 0;
  for (unsigned seed = 0; seed < kTrials; ++seed) {
    Random random(seed);
    std::vector<double> logs;
    for (std::size_t i = 0; i < kBefore; ++i) logs.push_back(0.01 * random.normal());
    for (std::size_t i = kBefore - values; i < kBefore; ++i) logs[i] += 0.01 * deviations;
    Series flat = test::made_up_series(1, std::vector<double>(kBefore, 0), kThreshold);
    std::vector<Series> all(kSeries - 1, flat);
    all.push_back(test::made_up_series(0, logs, kThreshold));
    found += check_newest(find(all), all, kNewest).regressions.empty() ? 0 : 1;
  }
  return static_cast<double>(found) / kTrials;
}

TEST(FoundAlarms, AfterFiveRuns) {
  for (const double deviations : {3.0, 4.0, 5.0})
    for (const std::size_t values : {4u, 5u, 8u})
      if (std::getenv("TRACKER_PRINT") != nullptr)
        std::printf("| %.0f σ, %zu runs | %.0f %% |\n", deviations, values,
                    100 * found_share(deviations, values));
  EXPECT_LE(found_share(5, 4), 0.1);
  EXPECT_GE(found_share(5, 5), 0.9);
  EXPECT_GE(found_share(4, 8), 0.9);
}

}  // namespace
}  // namespace tracker::events
