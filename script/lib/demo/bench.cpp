// What script/demo measures: a small project with Google Benchmark. candidate.patch is its next commit.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

constexpr int kTile = 16;

// Tile by tile, so that each cache line is used while it is in the cache.
void transpose(const std::vector<float>& in, std::vector<float>& out, int n) {
  for (int row = 0; row < n; row += kTile)
    for (int column = 0; column < n; column += kTile)
      for (int i = row; i < row + kTile; ++i)
        for (int j = column; j < column + kTile; ++j) out[j * n + i] = in[i * n + j];
}

void BM_Transpose(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  std::vector<float> in(n * n, 1.0F);
  std::vector<float> out(n * n);
  for (auto _ : state) {
    transpose(in, out, n);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * 2 * n * n * static_cast<int>(sizeof(float)));
}
BENCHMARK(BM_Transpose)->Arg(1024);

// One value after the other, although they are sorted.
bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  for (const auto one : sorted)
    if (one == value) return true;
  return false;
}

void BM_Find(benchmark::State& state) {
  std::vector<std::uint32_t> sorted(state.range(0));
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::uint32_t wanted = 0;
  for (auto _ : state) {
    wanted = (wanted + 7919) % sorted.size();
    benchmark::DoNotOptimize(contains(sorted, wanted));
  }
}
BENCHMARK(BM_Find)->Arg(4096);

// Each step waits for the one before.
std::uint32_t random_after(std::uint32_t steps) {
  std::uint32_t value = 1;
  for (std::uint32_t i = 0; i < steps; ++i) benchmark::DoNotOptimize(value = value * 1664525U + 1013904223U);
  return value;
}

void BM_Random(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(random_after(static_cast<std::uint32_t>(state.range(0))));
}
BENCHMARK(BM_Random)->Arg(16384);

// Each execution draws how much it has to do, as some programs depend on where their memory happens to lie.
void BM_Noisy(benchmark::State& state) {
  static const std::uint32_t steps = 10000 + std::random_device{}() % 10000;
  for (auto _ : state) benchmark::DoNotOptimize(random_after(steps));
}
BENCHMARK(BM_Noisy);

}  // namespace

BENCHMARK_MAIN();
