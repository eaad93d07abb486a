// How long it takes to find the changes of one long series, and of many series, with a step every 250 values.
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include "tests/stats/simulate.hpp"
#include "tracker/stats/change_points.hpp"

namespace tracker::speed {
namespace {

std::vector<double> make_series(std::size_t count, unsigned seed) {
  constexpr std::size_t kLevelLength = 250;
  stats::Simulation noise(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(100 * std::exp((i / kLevelLength % 2 == 0 ? 0 : 0.05) + noise.normal(0.01)));
  return values;
}

void find_changes_of(benchmark::State& state) {
  const auto series = static_cast<unsigned>(state.range(0));
  const auto count = static_cast<std::size_t>(state.range(1));
  std::vector<std::vector<double>> all;
  for (unsigned i = 0; i < series; ++i) all.push_back(make_series(count, i));
  for (auto _ : state)
    for (const auto& values : all) benchmark::DoNotOptimize(stats::find_changes(values));
}
BENCHMARK(find_changes_of)
    ->ArgNames({"series", "values"})
    ->Args({1, 1'000})
    ->Args({1, 10'000})
    ->Args({500, 1'000})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tracker::speed
