#include "tracker/judge/confirm/ratios.hpp"

#include <map>

#include "tracker/judge/noise/job_noise.hpp"
#include "tracker/judge/verdict/evidence.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

// The base's own offset is in all ratios with it: each counts as less certain than it is alone.
constexpr double kSharedBase = 2;

void rename_all(std::vector<Run>& runs, const Policy& policy) {
  if (policy.renames.empty()) return;
  for (auto& run : runs) rename_benchmarks(run, policy.renames);
}

}  // namespace

std::vector<PairRatios> pair_ratios(const Run& base, const Run& candidate, const Policy& policy) {
  std::map<std::string, std::string> names;  // of the base, by how they are called now
  for (const auto& benchmark : base.benchmarks)
    names[renamed(benchmark.name, policy.renames)] = benchmark.name;
  std::vector<PairRatios> all;
  for (const auto& recorded : candidate.benchmarks) {
    Benchmark benchmark = recorded;
    benchmark.name = renamed(recorded.name, policy.renames);
    const auto before = names.find(benchmark.name);
    if (before == names.end()) continue;
    PairRatios pairs{benchmark.name, recorded.name, gate_for(policy, benchmark), {}};
    Evidence of_base = evidence_of({&base, 1}, before->second, pairs.gate.metric);
    Evidence of_candidate = evidence_of({&candidate, 1}, recorded.name, pairs.gate.metric);
    if (!keep_pairs(of_base, of_candidate)) continue;
    const double sign = pairs.gate.metric.better == Better::kLower ? 1 : -1;
    for (std::size_t i = 0; i < of_candidate.logs_by_job.front().size(); ++i)
      pairs.ratios.push_back(sign * (of_candidate.logs_by_job.front()[i] - of_base.logs_by_job.front()[i]));
    all.push_back(std::move(pairs));
  }
  return all;
}

std::optional<StoredRatio> stored_ratio(std::vector<Run> base, std::vector<Run> candidate,
                                        const NoiseHistory& history, const std::string& benchmark,
                                        const Metric& metric, const Policy& policy) {
  if (base.empty() || candidate.empty()) return {};
  rename_all(base, policy);
  rename_all(candidate, policy);
  Evidence of_base = evidence_of(base, benchmark, metric);
  Evidence of_candidate = evidence_of(candidate, benchmark, metric);
  if (of_base.logs_by_job.empty() || of_candidate.logs_by_job.empty()) return {};
  const Distance distance = distance_between(base, candidate);
  const Contrast difference = contrast(of_base, of_candidate, distance);
  const auto of_machine = of_one_machine(history, candidate.back());
  const auto known = learn_noise({{benchmark, metric}}, of_machine ? *of_machine : history);
  const auto noise = job_noise(known, candidate.front().device.kind, distance);
  const auto job = noise.variance.find(benchmark);
  const double job_variance = job != noise.variance.end()
                                  ? job->second.value
                                  : default_job_variance(candidate.front().device.kind, distance).value;
  StoredRatio ratio;
  ratio.log_ratio = metric.better == Better::kLower ? difference.estimate : -difference.estimate;
  ratio.variance = kSharedBase *
                   (difference.sampling_factor * difference.own.value + difference.job_factor * job_variance);
  return ratio;
}

}  // namespace tracker
