#include "tracker/judge/verdict/not_measured.hpp"

#include <algorithm>

#include "tracker/judge/confirm/measuring_cost.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

Gate gate_of(const std::string& name, const Policy& policy) {
  Benchmark benchmark;
  benchmark.name = name;
  return gate_for(policy, benchmark);
}

// The benchmarks, as they are called now, that the floors of these are shares of.
std::set<std::string> references_of(const std::set<std::string>& names, const Policy& policy) {
  std::set<std::string> references;
  for (const auto& name : names)
    if (const auto floor = gate_of(renamed(name, policy.renames), policy).floor; floor && floor->of)
      references.insert(*floor->of);
  return references;
}

}  // namespace

std::set<std::string> not_to_be_measured(const std::set<std::string>& same,
                                         const std::set<std::string>& measured, const Policy& policy) {
  std::set<std::string> skipped;
  std::set<std::string> kept = measured;
  for (const auto& name : same)
    (measured.count(name) == 0 && skips_identical_code(gate_of(renamed(name, policy.renames), policy))
         ? skipped
         : kept)
        .insert(name);
  // What a floor needs may have a floor of its own, where the policy skips that.
  for (std::size_t before = 0; before != kept.size();) {
    before = kept.size();
    const auto references = references_of(kept, policy);
    for (const auto& name : std::set<std::string>(skipped))
      if (references.count(renamed(name, policy.renames)) > 0) kept.insert(skipped.extract(name));
  }
  return skipped;
}

Comparison same_program_row(const std::string& benchmark, const Policy& policy) {
  const Gate gate = gate_of(benchmark, policy);
  Comparison row;
  row.benchmark = benchmark;
  row.metric = gate.metric;
  row.threshold = gate.threshold;
  row.report_only = gate.report_only;
  row.source = gate.source;
  row.verdict = Verdict::kUnchanged;
  row.same_code = true;
  row.not_measured = true;
  row.reasons = {{ReasonCode::kSameProgram}};
  return row;
}

void put_not_measured(ComparisonReport& report, const std::set<std::string>& benchmarks,
                      const Policy& policy) {
  std::erase_if(report.comparisons,
                [&](const Comparison& row) { return benchmarks.count(row.benchmark) > 0; });
  for (const auto& benchmark : benchmarks) report.comparisons.push_back(same_program_row(benchmark, policy));
  std::sort(report.comparisons.begin(), report.comparisons.end(), matters_more);
}

void put_same_programs(const SamePrograms& same, const Side& base, const Side& candidate,
                       const Policy& policy, std::vector<ComparisonReport>& reports) {
  for (const auto& [key, on_device] : same) {
    auto report = std::find_if(reports.begin(), reports.end(),
                               [&key = key](const ComparisonReport& other) { return other.device == key; });
    if (report == reports.end()) {
      ComparisonReport made;
      made.device = key;
      made.details = on_device.device;
      made.base = base;
      made.candidate = candidate;
      made.confidence = policy.confidence;
      report = reports.insert(reports.end(), std::move(made));
    }
    std::set<std::string> names;
    for (const auto& name : on_device.benchmarks) names.insert(renamed(name, policy.renames));
    put_not_measured(*report, names, policy);
    report->not_measured = NotMeasured{static_cast<int>(names.size()), on_device.saved_s};
  }
}

void record_same_programs(const SamePrograms& same, const std::string& base_commit, const Run& empty,
                          std::vector<Run>& candidate) {
  for (const auto& [key, on_device] : same) {
    auto run = std::find_if(candidate.begin(), candidate.end(),
                            [&key = key](const Run& other) { return device_key(other.device) == key; });
    if (run == candidate.end()) {
      run = candidate.insert(candidate.end(), empty);
      run->device = on_device.device;
    }
    run->same_program = SameProgramAs{
        base_commit, {on_device.benchmarks.begin(), on_device.benchmarks.end()}, on_device.saved_s};
  }
}

SamePrograms recorded_same_programs(const Device& device, const std::vector<SameProgramAs>& noted,
                                    const std::string& base_commit, const Policy& policy) {
  SameProgram same;
  same.device = device;
  for (const auto& [commit, names, saved_s] : noted) {
    if (commit != base_commit) continue;
    same.benchmarks.merge(not_to_be_measured({names.begin(), names.end()}, {}, policy));
    if (saved_s) same.saved_s = std::max(same.saved_s.value_or(0), *saved_s);
  }
  if (same.benchmarks.empty()) return {};
  return {{device_key(device), same}};
}

std::optional<double> measuring_time_s(const std::set<std::string>& benchmarks, const std::vector<Run>& runs,
                                       int rounds) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    const auto of_these = std::count_if(run->benchmarks.begin(), run->benchmarks.end(),
                                        [&](const Benchmark& b) { return benchmarks.count(b.name) > 0; });
    const double length_s = length_of(*run);
    // A job that goes on with fewer benchmarks does not tell how long all take.
    if (of_these == 0 || length_s <= 0 || !run->looks.empty()) continue;
    const double each_s =
        length_s / std::max(1, invocation_count(*run)) / static_cast<double>(run->benchmarks.size());
    return 2 * each_s * rounds * static_cast<double>(benchmarks.size());
  }
  return {};
}

}  // namespace tracker
