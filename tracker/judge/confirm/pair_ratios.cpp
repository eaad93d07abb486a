#include "tracker/judge/confirm/pair_ratios.hpp"

#include <map>

#include "tracker/judge/verdict/evidence.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {

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

}  // namespace tracker
