// A recording made up for tests.
#pragma once

#include <string>
#include <vector>

#include "tests/quality/recording.hpp"
#include "tests/support/make_run.hpp"
#include "tests/support/random.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::quality {

// One job of so many rounds: a long kernel (1 ms) and a short one (10 µs), normal noise of this share between
// rounds and none within, all times multiplied by the job's offset.
inline RecordedJob made_up_job(const std::string& name, int rounds, double noise, double offset,
                               std::uint64_t seed) {
  test::Random random(seed);
  std::vector<test::Timed> benchmarks{{"long", {}, {}, {}}, {"short", {}, {}, {}}};
  for (int i = 0; i < rounds; ++i) {
    benchmarks[0].times_ns.push_back(1e6 * offset * (1 + noise * random.normal()));
    benchmarks[1].times_ns.push_back(1e4 * offset * (1 + noise * random.normal()));
  }
  RecordedJob job{name, "inject0", test::make_run({.job = name, .board = name}, benchmarks), {}, {}};
  for (const auto& invocation : job.run.invocations) job.rounds.push_back({invocation});
  job.run.invocations.clear();
  for (const auto& benchmark : benchmarks) job.typical_ns[benchmark.name] = stats::median(benchmark.times_ns);
  return job;
}

}  // namespace tracker::quality
