// How long judge() alone takes on runs in memory: interleaved in one job, in two jobs, and with a history.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "tests/speed/workload.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::speed {
namespace {

Run make_run(int side, const std::string& id, const std::string& job) {
  const Workload load;
  Run run;
  run.id = id;
  run.job = job;
  run.device.kind = DeviceKind::kGpu;
  run.device.model = "Made up";
  run.host.name = "vm";
  for (int b = 0; b < load.benchmarks; ++b) {
    Benchmark benchmark;
    benchmark.name = benchmark_name(b);
    benchmark.binary = "bench";
    benchmark.time_base = TimeBase::kManual;
    benchmark.bytes_per_iteration = kBytesPerIteration;
    run.benchmarks.push_back(benchmark);
  }
  for (int i = 0; i < load.invocations; ++i) {
    InvocationTimes times(side, i);
    Invocation invocation;
    invocation.binary = "bench";
    invocation.round = i + 1;
    for (int b = 0; b < load.benchmarks; ++b) {
      Samples samples;
      times.next_benchmark(b);
      for (int r = 0; r < load.repetitions; ++r) {
        samples.real_time_ns.push_back(times.next_time_ns());
        samples.cpu_time_ns.push_back(samples.real_time_ns.back() + 5000);
        samples.iterations.push_back(1853);
      }
      invocation.samples[benchmark_name(b)] = samples;
    }
    run.invocations.push_back(invocation);
  }
  return run;
}

void judge_sides(benchmark::State& state, const std::string& candidate_job, int history_runs) {
  const judge::SideRuns base{{}, {make_run(0, "1", "job-1")}};
  const judge::SideRuns candidate{{}, {make_run(1, "2", candidate_job)}};
  NoiseHistory history;
  for (int i = 0; i < history_runs; ++i)
    history.runs.push_back(make_run(2 + i, "0" + std::to_string(10 + i), "old-" + std::to_string(i)));
  for (auto _ : state) benchmark::DoNotOptimize(judge::judge(base, candidate, history, Policy{}));
}

void in_turn(benchmark::State& state) {
  judge_sides(state, "job-1", 0);
}
void two_jobs(benchmark::State& state) {
  judge_sides(state, "job-2", 0);
}
void two_jobs_and_ten_older(benchmark::State& state) {
  judge_sides(state, "job-2", 10);
}

BENCHMARK(in_turn)->Unit(benchmark::kMillisecond);
BENCHMARK(two_jobs)->Unit(benchmark::kMillisecond);
BENCHMARK(two_jobs_and_ten_older)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tracker::speed

BENCHMARK_MAIN();
