// Runs from a few numbers, for tests.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::test {

// One benchmark of a run: one time an invocation, measured as manual time.
struct Timed {
  std::string name;
  std::vector<double> times_ns;
  std::optional<double> bytes_per_iteration;  // makes bandwidth its default metric
  std::optional<std::string> error;
  std::optional<Code> code;
  std::map<std::string, double> counters;  // registers, local_bytes, …
};

// Five times around this one: as far apart as `noise` (a share) says, and with this one as their mean.
inline std::vector<double> around(double time_ns, double noise = 0.0001) {
  std::vector<double> times;
  for (const double step : {0.0, 1.0, -1.0, 0.5, -0.5}) times.push_back(time_ns * (1 + noise * step));
  return times;
}

// The same times in another order, so that pairs of the two differ.
inline std::vector<double> around_again(double time_ns, double noise = 0.0001) {
  std::vector<double> times;
  for (const double step : {0.5, -1.0, 0.0, -0.5, 1.0}) times.push_back(time_ns * (1 + noise * step));
  return times;
}

struct RunNumbers {
  std::string id = "20261120T120000Z-00000001";
  std::string job = "job-1";
  std::string board = "GPU-a";
  std::string commit = std::string(40, 'a');
  DeviceKind kind = DeviceKind::kGpu;
};

// The two sides of a comparison that one job measured.
inline const RunNumbers kBase{};
inline const RunNumbers kCandidate{.id = "20261120T120000Z-00000002", .commit = std::string(40, 'b')};

// A run of as many invocations as the longest list of times; the shorter ones lack the last invocations.
inline Run make_run(const RunNumbers& numbers, const std::vector<Timed>& benchmarks) {
  Run run;
  run.id = numbers.id;
  run.job = numbers.job;
  run.commit = numbers.commit;
  run.started_at = "2026-11-20T12:00:00Z";
  run.device.kind = numbers.kind;
  run.device.model = numbers.kind == DeviceKind::kGpu ? "NVIDIA H200" : "Some CPU";
  if (numbers.kind == DeviceKind::kGpu) run.device.uuid = numbers.board;
  run.host.name = numbers.kind == DeviceKind::kGpu ? "host" : numbers.board;
  std::size_t invocations = 0;
  for (const auto& one : benchmarks) {
    Benchmark benchmark;
    benchmark.name = one.name;
    benchmark.binary = "bench";
    benchmark.time_base = TimeBase::kManual;
    benchmark.bytes_per_iteration = one.bytes_per_iteration;
    benchmark.error = one.error;
    benchmark.code = one.code;
    benchmark.counters = one.counters;
    run.benchmarks.push_back(benchmark);
    invocations = std::max(invocations, one.times_ns.size());
  }
  for (std::size_t i = 0; i < invocations; ++i) {
    Invocation invocation;
    invocation.binary = "bench";
    for (const auto& one : benchmarks)
      if (i < one.times_ns.size()) invocation.samples[one.name] = {{one.times_ns[i]}, {}, {1}, {}};
    run.invocations.push_back(invocation);
  }
  return run;
}

}  // namespace tracker::test
