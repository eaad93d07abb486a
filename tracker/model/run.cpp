#include "tracker/model/run.hpp"

#include <algorithm>

namespace tracker {

const Benchmark* find_benchmark(const Run& run, const std::string& name) {
  const auto found = std::find_if(run.benchmarks.begin(), run.benchmarks.end(),
                                  [&](const Benchmark& benchmark) { return benchmark.name == name; });
  return found == run.benchmarks.end() ? nullptr : &*found;
}

}  // namespace tracker
