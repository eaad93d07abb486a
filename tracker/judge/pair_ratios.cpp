#include "tracker/judge/pair_ratios.hpp"

#include <map>

#include "tracker/judge/evidence.hpp"
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
    Evidence was = evidence_of({&base, 1}, before->second, pairs.gate.metric);
    Evidence is = evidence_of({&candidate, 1}, recorded.name, pairs.gate.metric);
    if (!keep_pairs(was, is)) continue;
    const double sign = pairs.gate.metric.better == Better::kLower ? 1 : -1;
    for (std::size_t i = 0; i < is.logs_by_job.front().size(); ++i)
      pairs.ratios.push_back(sign * (is.logs_by_job.front()[i] - was.logs_by_job.front()[i]));
    all.push_back(std::move(pairs));
  }
  return all;
}

}  // namespace tracker
