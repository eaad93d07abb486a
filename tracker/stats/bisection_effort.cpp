#include "tracker/stats/bisection_effort.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <set>
#include <vector>

namespace tracker::stats {
namespace {

constexpr int kSearches = 15;
constexpr int kMeasurementsMax = 100;  // of a search that is made up

// In the middle, and where nine of ten lie below.
int effort_at(std::vector<int> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

BisectionEffort expected_effort(int commits, const BisectionOptions& options, double size, double noise) {
  std::mt19937_64 random(1);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  };
  std::vector<int> measurements;
  std::vector<int> pairs;
  std::vector<int> measured_commits;
  for (int i = 0; i < kSearches; ++i) {
    const int guilty = 1 + static_cast<int>(uniform() * commits);
    Bisection search(commits, options);
    std::set<int> measured;
    int count = 0;
    int sum = 0;
    for (auto advice = search.advise();
         advice.what == BisectionAdvice::What::kMeasure && count < kMeasurementsMax;
         advice = search.advise()) {
      std::vector<double> ratios;
      for (int pair = 0; pair < advice.pairs; ++pair)
        ratios.push_back((advice.commit >= guilty ? size : 0) + noise * normal());
      search.add(advice.commit, ratios);
      measured.insert(advice.commit);
      ++count;
      sum += advice.pairs;
    }
    measurements.push_back(count);
    pairs.push_back(sum);
    measured_commits.push_back(static_cast<int>(measured.size()));
  }
  return {effort_at(measurements, 0.5), effort_at(measurements, 0.9), effort_at(pairs, 0.5),
          effort_at(pairs, 0.9), effort_at(measured_commits, 0.5)};
}

}  // namespace tracker::stats
