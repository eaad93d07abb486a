// A small benchmark binary for every release of Google Benchmark since 1.5: one of each kind that its JSON
// tells apart. script/try-releases builds it against each.
#include <chrono>
#include <limits>
#include <numeric>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

void sum(benchmark::State& state) {
  std::vector<int> values(static_cast<std::size_t>(state.range(0)));
  std::iota(values.begin(), values.end(), 1);
  for (auto _ : state) {
    int total = 0;
    for (const int value : values) {
      total += value;
      benchmark::DoNotOptimize(total);
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * state.range(0) * 4);
  state.counters["values"] = static_cast<double>(state.range(0));
}
BENCHMARK(sum)->Arg(1 << 10)->Arg(1 << 13);

void threads(benchmark::State& state) {
  int total = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++total);
}
BENCHMARK(threads)->Threads(2)->UseRealTime();

void by_hand(benchmark::State& state) {
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20000; ++i) benchmark::DoNotOptimize(i);
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
}
BENCHMARK(by_hand)->UseManualTime()->Iterations(50);

void not_a_number(benchmark::State& state) {
  int total = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++total);
  state.counters["nan"] = std::numeric_limits<double>::quiet_NaN();
  state.counters["infinite"] = std::numeric_limits<double>::infinity();
  state.counters["two"] = 2;
}
BENCHMARK(not_a_number);

void aggregates_only(benchmark::State& state) {
  int total = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++total);
}
BENCHMARK(aggregates_only)->ReportAggregatesOnly();

void fails(benchmark::State& state) {
  state.SkipWithError("no such device");
  for (auto _ : state) {
  }
}
BENCHMARK(fails);

}  // namespace

BENCHMARK_MAIN();
