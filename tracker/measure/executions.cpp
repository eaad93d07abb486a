#include "tracker/measure/executions.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace tracker {
namespace {

// Of two that may be absent.
template <typename T, typename Choose>
void combine(std::optional<T>& kept, const std::optional<T>& other, Choose choose) {
  if (kept && other)
    kept = choose(*kept, *other);
  else if (other)
    kept = other;
}

void append_conditions(Conditions& kept, const Conditions& next) {
  const auto lower = [](auto a, auto b) { return std::min(a, b); };
  const auto higher = [](auto a, auto b) { return std::max(a, b); };
  combine(kept.core_clock_mhz_min, next.core_clock_mhz_min, lower);
  combine(kept.core_clock_mhz_max, next.core_clock_mhz_max, higher);
  combine(kept.memory_clock_mhz, next.memory_clock_mhz, lower);
  combine(kept.temperature_c_max, next.temperature_c_max, higher);
  combine(kept.throttled_s, next.throttled_s, [](double a, double b) { return a + b; });
  combine(kept.other_processes, next.other_processes, higher);
  combine(kept.load_average, next.load_average, higher);
  for (const auto& reason : next.throttle_reasons)
    if (std::find(kept.throttle_reasons.begin(), kept.throttle_reasons.end(), reason) ==
        kept.throttle_reasons.end())
      kept.throttle_reasons.push_back(reason);
}

template <typename T>
void append(std::vector<T>& kept, const std::vector<T>& next) {
  kept.insert(kept.end(), next.begin(), next.end());
}

// A repetition without a counter that others have gets NaN for it.
void append_samples(Samples& kept, const Samples& next) {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  const std::size_t before = kept.real_time_ns.size();
  append(kept.real_time_ns, next.real_time_ns);
  append(kept.cpu_time_ns, next.cpu_time_ns);
  append(kept.iterations, next.iterations);
  for (const auto& [name, values] : next.counters) {
    auto& list = kept.counters[name];
    list.resize(before, kMissing);
    append(list, values);
  }
  for (auto& [name, values] : kept.counters) values.resize(kept.real_time_ns.size(), kMissing);
}

}  // namespace

void append_execution(BenchmarkFile& file, BenchmarkFile next) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < file.benchmarks.size(); ++i) places[file.benchmarks[i].name] = i;
  for (auto& benchmark : next.benchmarks) {
    const auto place = places.find(benchmark.name);
    if (place == places.end()) {
      file.benchmarks.push_back(std::move(benchmark));
      continue;
    }
    Benchmark& known = file.benchmarks[place->second];
    if (!known.error && !benchmark.error) known.code = common_code(known.code, benchmark.code);
    if (!known.error) known.error = benchmark.error;
  }
  for (const auto list : {&BenchmarkFile::aggregates_only, &BenchmarkFile::dropped_counters})
    for (const auto& name : next.*list)
      if (std::find((file.*list).begin(), (file.*list).end(), name) == (file.*list).end())
        (file.*list).push_back(name);
  for (const auto& [name, samples] : next.invocation.samples)
    append_samples(file.invocation.samples[name], samples);
  for (const auto& benchmark : file.benchmarks)
    if (benchmark.error) file.invocation.samples.erase(benchmark.name);
  append_conditions(file.invocation.conditions, next.invocation.conditions);
  ++file.invocation.executions;
}

}  // namespace tracker
