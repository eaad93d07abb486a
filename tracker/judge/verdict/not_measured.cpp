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

bool has_samples(const Run& run, const std::string& name) {
  return std::any_of(run.invocations.begin(), run.invocations.end(),
                     [&](const Invocation& one) { return !one.excluded && one.samples.contains(name); });
}

// The benchmarks, as they are called now, that one job has measured of both commits after this run.
std::set<std::string> measured_in_one_job(const MeasuredRuns& measured, const std::string& after,
                                          const Policy& policy) {
  std::set<std::string> names;
  for (const auto& candidate : measured.candidate)
    for (const auto& base : measured.base) {
      if (candidate.id <= after || candidate.job.empty() || candidate.job != base.job) continue;
      for (const auto& benchmark : candidate.benchmarks)
        if (has_samples(candidate, benchmark.name) && has_samples(base, benchmark.name))
          names.insert(renamed(benchmark.name, policy.renames));
    }
  return names;
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

SamePrograms recorded_same_programs(const Device& device, const std::vector<NotedSameProgram>& noted,
                                    const std::string& base_commit, const MeasuredRuns& measured,
                                    const Policy& policy) {
  SameProgram same;
  same.device = device;
  for (const auto& [run, noted_same] : noted) {
    if (noted_same.commit != base_commit) continue;
    auto names = not_to_be_measured({noted_same.benchmarks.begin(), noted_same.benchmarks.end()}, {}, policy);
    const auto later = measured_in_one_job(measured, run, policy);
    std::erase_if(names,
                  [&](const std::string& name) { return later.contains(renamed(name, policy.renames)); });
    if (!names.empty() && noted_same.saved_s)
      same.saved_s = std::max(same.saved_s.value_or(0), *noted_same.saved_s);
    same.benchmarks.merge(names);
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
    if (of_these == 0 || length_s <= 0 || !run->interim_analyses.empty()) continue;
    const double each_s =
        length_s / std::max(1, invocation_count(*run)) / static_cast<double>(run->benchmarks.size());
    return 2 * each_s * rounds * static_cast<double>(benchmarks.size());
  }
  return {};
}

}  // namespace tracker
