#include "tests/changepoints/measures.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>

#include "tests/changepoints/peers.hpp"
#include "tests/stats/simulate.hpp"
#include "tracker/stats/pooling.hpp"

namespace tracker::changepoints {
namespace {

using stats::Changes;
using stats::Detector;

Places places_of(const Changes& changes) {
  Places places;
  for (const auto& point : changes.points) places.push_back(point.at);
  return places;
}

Places find(const Detector& detector, const std::vector<double>& values) {
  return places_of(detector.find(values, {}));
}

std::vector<double> scaled(std::vector<double> values, std::size_t from, double by_log) {
  for (std::size_t i = from; i < values.size(); ++i) values[i] *= std::exp(by_log);
  return values;
}

// Where series changed together: by our rule for that, and for other detectors in the pooled series as a
// benchmark's times, of which one deviation is 1 %.
Places places_together(const Detector& detector, const std::vector<std::vector<double>>& series) {
  std::vector<double> values = stats::pooled(series);
  if (detector.find == stats::detectors().front().find) {
    Places places;
    for (const auto& change : stats::shared_changes(values)) places.push_back(change.at);
    return places;
  }
  for (double& value : values) value = 100 * std::exp(0.01 * value);
  return find(detector, values);
}

bool any_from(const Places& places, std::size_t from) {
  return std::any_of(places.begin(), places.end(), [&](std::size_t at) { return at >= from; });
}

void add(Rate& rate, bool hit) {
  rate.hits += hit ? 1 : 0;
  ++rate.of;
}

}  // namespace

Agreement agreement(const Detector& detector, const std::vector<LabelledSeries>& all) {
  Agreement sum;
  std::size_t hits = 0;
  std::size_t said = 0;
  std::size_t labelled = 0;
  for (const auto& series : all) {
    if (series.labels.empty()) continue;
    if (series.values.size() > length_max(detector)) {
      ++sum.skipped;
      continue;
    }
    ++sum.series;
    const Places found = find(detector, series.values);
    sum.f1 += f1(series.labels, found);
    sum.covering += covering(series.labels, found, series.values.size());
    if (series.labels.size() != 1) continue;
    const Places& labels = series.labels.front();
    hits += matched(labels, found);
    said += found.size();
    labelled += labels.size();
    if (labels.empty()) add(sum.alarmed, !found.empty());
    for (std::size_t i = 0; i < series.step_sigmas.size(); ++i)
      add(sum.recall[static_cast<int>(std::abs(series.step_sigmas[i]))], matched({labels[i]}, found) == 1);
  }
  sum.f1 /= static_cast<double>(std::max<std::size_t>(1, sum.series));
  sum.covering /= static_cast<double>(std::max<std::size_t>(1, sum.series));
  if (said + labelled > 0)
    sum.pooled_f1 = 2 * static_cast<double>(hits) / static_cast<double>(said + labelled);
  return sum;
}

Newest newest(const Detector& detector, const std::vector<LabelledSeries>& quiet) {
  constexpr std::size_t kLengths[] = {30, 50, 70, 90, 110, 120};
  constexpr double kHeight = 5;
  constexpr std::size_t kLooked = 8;
  Newest sum;
  for (const auto& series : quiet)
    for (const std::size_t length : kLengths) {
      if (length > series.values.size()) continue;
      const std::vector<double> values(series.values.begin(),
                                       series.values.begin() + static_cast<std::ptrdiff_t>(length));
      add(sum.alarmed, any_from(find(detector, values), length - kLooked));
      for (const std::size_t after : kNewest)
        for (const double sign : {1.0, -1.0}) {
          const auto changed = scaled(values, length - after, sign * kHeight * *series.sigma_log);
          add(sum.found[after], any_from(find(detector, changed), length - after - 1));
        }
    }
  return sum;
}

Creep creep(const Detector& detector, const std::vector<LabelledSeries>& quiet) {
  constexpr double kSlope = 0.05;
  Creep sum;
  for (const auto& series : quiet)
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> creeping = series.values;
      for (std::size_t i = 0; i < creeping.size(); ++i)
        creeping[i] *= std::exp(sign * kSlope * *series.sigma_log * static_cast<double>(i));
      const Changes of_creep = detector.find(creeping, {});
      add(sum.drift_without_steps, of_creep.points.empty() && !of_creep.drifts.empty());
      add(sum.without_steps, of_creep.points.empty());
      const std::size_t middle = series.values.size() / 2;
      const double height = kSlope * static_cast<double>(series.values.size());
      const Changes of_step =
          detector.find(scaled(series.values, middle, sign * height * *series.sigma_log), {});
      add(sum.step_without_drift, of_step.drifts.empty() && matched({middle}, places_of(of_step)) == 1);
    }
  return sum;
}

Pooled pooled_loss(const Detector& detector, const std::vector<LabelledSeries>& quiet) {
  constexpr int kTrials = 200;
  constexpr std::size_t kSeries = 20;
  constexpr std::size_t kAfter = 20;
  constexpr double kLoss = 0.5;
  Pooled sum;
  std::mt19937_64 engine(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<std::vector<double>> same;
    std::vector<std::vector<double>> lost;
    for (std::size_t i = 0; i < kSeries; ++i) {
      const auto& drawn = quiet[std::uniform_int_distribution<std::size_t>(0, quiet.size() - 1)(engine)];
      std::vector<double> values = drawn.values;
      // Turned, so that what happened to all of them at one time is not at one place.
      const auto turn = std::uniform_int_distribution<std::ptrdiff_t>(
          0, static_cast<std::ptrdiff_t>(values.size()) - 1)(engine);
      std::rotate(values.begin(), values.begin() + turn, values.end());
      lost.push_back(scaled(values, values.size() - kAfter, kLoss * *drawn.sigma_log));
      same.push_back(std::move(values));
    }
    const std::size_t place = same.front().size() - kAfter;
    add(sum.found, any_from(places_together(detector, lost), place - kMargin));
    add(sum.alarmed, !places_together(detector, same).empty());
  }
  return sum;
}

Seconds time_taken(const Detector& detector) {
  constexpr int kTurns = 3;
  constexpr std::size_t kLong = 10'000;
  constexpr std::size_t kMany = 500;
  constexpr std::size_t kShort = 1'000;
  const auto made = [](std::size_t count, unsigned seed) {
    stats::Simulation simulation(seed);
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(100 * std::exp((i / 250 % 2 == 0 ? 0 : 0.05) + simulation.normal(0.01)));
    return values;
  };
  const auto least = [&](const auto& work) {
    double seconds = 1e9;
    for (int turn = 0; turn < kTurns; ++turn) {
      const std::clock_t start = std::clock();  // processor time: others may be using the machine
      work();
      seconds = std::min(seconds, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return seconds;
  };
  Seconds taken;
  if (length_max(detector) < kLong) return taken;
  const auto one = made(kLong, 1);
  taken.long_series = least([&] { find(detector, one); });
  std::vector<std::vector<double>> many;
  for (unsigned i = 0; i < kMany; ++i) many.push_back(made(kShort, i));
  taken.many_series = least([&] {
    for (const auto& values : many) find(detector, values);
  });
  constexpr int kTimes = 20;
  taken.newest_value = least([&] {
                         for (int i = 0; i < kTimes; ++i) find(detector, many.front());
                       }) /
                       kTimes;
  return taken;
}

}  // namespace tracker::changepoints
