#include "tracker/model/run.hpp"

#include <algorithm>

namespace tracker {

int invocation_count(const Run& run) {
  std::map<std::string, int> counts;
  int most = 0;
  for (const auto& invocation : run.invocations)
    if (invocation.left_out.empty())
      for (const auto& [name, samples] : invocation.samples) most = std::max(most, ++counts[name]);
  return most;
}

const Benchmark* find_benchmark(const Run& run, const std::string& name) {
  const auto found = std::find_if(run.benchmarks.begin(), run.benchmarks.end(),
                                  [&](const Benchmark& benchmark) { return benchmark.name == name; });
  return found == run.benchmarks.end() ? nullptr : &*found;
}

}  // namespace tracker
