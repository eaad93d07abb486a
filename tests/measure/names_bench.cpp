// A real Google Benchmark binary whose benchmarks have every name that an expression could stumble over.
#include <benchmark/benchmark.h>

#include "tests/measure/odd_names.hpp"

namespace {

void measure(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* name : tracker::test::kOddNames) {
    benchmark::RegisterBenchmark(name, measure)->Iterations(3)->UseRealTime();
    benchmark::RegisterBenchmark(name, measure)->Iterations(5)->Arg(7)->Threads(2)->MeasureProcessCPUTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
