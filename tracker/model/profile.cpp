#include "tracker/model/profile.hpp"

#include <algorithm>

namespace tracker {

const ProfiledBenchmark* find_benchmark(const Profile& profile, const std::string& name) {
  const auto found = std::find_if(profile.benchmarks.begin(), profile.benchmarks.end(),
                                  [&](const ProfiledBenchmark& benchmark) { return benchmark.name == name; });
  return found == profile.benchmarks.end() ? nullptr : &*found;
}

}  // namespace tracker
