#include "tracker/history/samples.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tracker/model/metric.hpp"
#include "tracker/model/rename.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

using RunPointers = std::vector<const Run*>;

// The name that a run has for the benchmark: its own, or an old one.
const Benchmark* find_renamed(const Run& run, const std::string& name, const Policy& policy) {
  if (const Benchmark* found = find_benchmark(run, name)) return found;
  for (const auto& benchmark : run.benchmarks)
    if (renamed(benchmark.name, policy.renames) == name) return &benchmark;
  return nullptr;
}

std::vector<InvocationSamples> samples_of(const RunPointers& runs, const Comparison& comparison,
                                          const Policy& policy) {
  std::vector<InvocationSamples> all;
  std::map<std::string, int> jobs;
  for (const Run* run : runs) {
    const Benchmark* benchmark = find_renamed(*run, comparison.benchmark, policy);
    if (benchmark == nullptr || benchmark->error) continue;
    int place = 0;
    for (const auto& invocation : run->invocations) {
      const auto found = invocation.samples.find(benchmark->name);
      if (found == invocation.samples.end()) continue;
      InvocationSamples one;
      one.round = invocation.round > 0 ? invocation.round : place + 1;
      ++place;
      one.values = metric_samples(comparison.metric, *benchmark, found->second);
      std::erase_if(one.values, [](double value) { return !std::isfinite(value); });
      if (one.values.empty()) continue;
      one.job = jobs.try_emplace(run->job.empty() ? run->id : run->job, jobs.size()).first->second;
      one.median = stats::median(one.values);
      one.left_out = invocation.left_out;
      one.disturbed = invocation.conditions.disturbed();
      all.push_back(std::move(one));
    }
  }
  return all;
}

// The newest two runs that one job made of both sides and that have the benchmark.
std::pair<const Run*, const Run*> newest_pair(const std::vector<Run>& base, const std::vector<Run>& candidate,
                                              const Comparison& comparison, const Policy& policy) {
  for (auto is = candidate.rbegin(); is != candidate.rend(); ++is)
    for (auto was = base.rbegin(); was != base.rend(); ++was) {
      if (was->job.empty() || was->job != is->job || was->id == is->id) continue;
      if (find_renamed(*was, comparison.benchmark, policy) != nullptr &&
          find_renamed(*is, comparison.benchmark, policy) != nullptr)
        return {&*was, &*is};
    }
  return {};
}

// All where the side names none of them. A job that measured some benchmarks of both sides in turn is behind
// those that it confirmed alone.
RunPointers named_by(const Side& side, const std::vector<Run>& runs, const std::vector<Run>& others) {
  const auto confirms = [&](const Run& run) {
    return !run.filter.empty() && !run.job.empty() &&
           std::any_of(others.begin(), others.end(),
                       [&](const Run& other) { return other.job == run.job && other.id != run.id; });
  };
  RunPointers all;
  RunPointers named;
  for (const auto& run : runs) {
    all.push_back(&run);
    const bool is_named = std::find(side.runs.begin(), side.runs.end(), run.id) != side.runs.end();
    if (is_named && !confirms(run)) named.push_back(&run);
  }
  return named.empty() ? all : named;
}

}  // namespace

BenchmarkSamples make_samples(const ComparisonReport& report, const Comparison& comparison,
                              const std::vector<Run>& base, const std::vector<Run>& candidate,
                              const Policy& policy) {
  BenchmarkSamples samples;
  samples.device = report.device;
  samples.comparison = comparison;
  samples.base_side = report.base;
  samples.candidate_side = report.candidate;
  RunPointers was = named_by(report.base, base, candidate);
  RunPointers is = named_by(report.candidate, candidate, base);
  if (report.interleaved || comparison.confirmed) {
    const auto [base_run, candidate_run] = newest_pair(base, candidate, comparison, policy);
    samples.paired = base_run != nullptr;
    if (samples.paired) {
      was = {base_run};
      is = {candidate_run};
    }
  }
  samples.base = samples_of(was, comparison, policy);
  samples.candidate = samples_of(is, comparison, policy);
  return samples;
}

}  // namespace tracker
