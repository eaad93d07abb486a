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
      one.excluded = invocation.excluded;
      one.disturbed = invocation.conditions.disturbed();
      all.push_back(std::move(one));
    }
  }
  return all;
}

// The newest two runs that one job made of both sides and that have the benchmark.
std::pair<const Run*, const Run*> newest_pair(const std::vector<Run>& base, const std::vector<Run>& candidate,
                                              const Comparison& comparison, const Policy& policy) {
  for (auto of_candidate = candidate.rbegin(); of_candidate != candidate.rend(); ++of_candidate)
    for (auto of_base = base.rbegin(); of_base != base.rend(); ++of_base) {
      if (of_base->job.empty() || of_base->job != of_candidate->job || of_base->id == of_candidate->id)
        continue;
      if (find_renamed(*of_base, comparison.benchmark, policy) != nullptr &&
          find_renamed(*of_candidate, comparison.benchmark, policy) != nullptr)
        return {&*of_base, &*of_candidate};
    }
  return {};
}

// All where the side names none of them. A job that measured some benchmarks of both sides side by side is
// behind those that it confirmed alone.
RunPointers named_by(const Side& side, const std::vector<Run>& runs, const std::vector<Run>& others) {
  const auto confirms = [&](const Run& run) {
    return !run.selection.is_all() && !run.job.empty() &&
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
  RunPointers of_base = named_by(report.base, base, candidate);
  RunPointers of_candidate = named_by(report.candidate, candidate, base);
  if (report.interleaved || comparison.confirmed) {
    const auto [base_run, candidate_run] = newest_pair(base, candidate, comparison, policy);
    samples.paired = base_run != nullptr;
    if (samples.paired) {
      of_base = {base_run};
      of_candidate = {candidate_run};
    }
  }
  samples.base = samples_of(of_base, comparison, policy);
  samples.candidate = samples_of(of_candidate, comparison, policy);
  return samples;
}

}  // namespace tracker
