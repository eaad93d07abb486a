#include "tracker/judge/judge.hpp"

#include <algorithm>
#include <set>

#include "tracker/judge/evidence.hpp"
#include "tracker/judge/floor.hpp"
#include "tracker/judge/job_noise.hpp"
#include "tracker/judge/notes.hpp"
#include "tracker/judge/reason.hpp"
#include "tracker/judge/settle.hpp"
#include "tracker/judge/unused_rules.hpp"
#include "tracker/judge/waiver.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

// Below so many degrees the usual variance says that the benchmarks have little in common.
constexpr double kAlikeDegrees = 4;
// So many times the usual variance is more than chance would make of a usual one.
constexpr double kFarLouder = 4;

// The newest definition of a benchmark among the runs.
const Benchmark* find_in(const std::vector<Run>& runs, const std::string& name) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (const Benchmark* benchmark = find_benchmark(*run, name)) return benchmark;
  return nullptr;
}

// A benchmark that both sides measured, on the way to its verdict.
struct Case {
  std::string name;
  Gate gate;
  Evidence base;
  Evidence candidate;
  Contrast contrast;
};

// The pair of runs that one job measured in turn, newest first; leaves both lists alone where there is none.
bool keep_shared_job(std::vector<Run>& base, std::vector<Run>& candidate) {
  for (auto c = candidate.rbegin(); c != candidate.rend(); ++c)
    for (auto b = base.rbegin(); b != base.rend(); ++b) {
      if (b->job.empty() || b->job != c->job || b->id == c->id) continue;
      base = std::vector<Run>{Run(*b)};
      candidate = std::vector<Run>{Run(*c)};
      return true;
    }
  return false;
}

// Whether the sides are compared pair by pair, which leaves one run of each. A person may know what the runs
// do not say.
bool sides_in_turn(std::vector<Run>& base, std::vector<Run>& candidate, Pairing pairing) {
  if (pairing == Pairing::kNone) return false;
  if (keep_shared_job(base, candidate)) return true;
  if (pairing == Pairing::kFromRuns) return false;
  base = std::vector<Run>{Run(base.back())};
  candidate = std::vector<Run>{Run(candidate.back())};
  return true;
}

Comparison start(const Case& c) {
  Comparison comparison;
  comparison.benchmark = c.name;
  comparison.metric = c.gate.metric;
  comparison.threshold = c.gate.threshold;
  comparison.report_only = c.gate.report_only;
  comparison.base_invocations = c.base.values();
  comparison.candidate_invocations = c.candidate.values();
  comparison.base = c.base.typical();
  comparison.candidate = c.candidate.typical();
  return comparison;
}

// A counter that is zero has no ratio to anything but another zero; a time or rate of zero is a failure.
bool settle_zeros(const Case& c, Comparison& comparison) {
  if (!c.gate.metric.unit.empty() || !comparison.base || !comparison.candidate) return false;
  if (!c.base.only_zeros() && !c.candidate.only_zeros()) return false;
  const bool both = c.base.only_zeros() && c.candidate.only_zeros();
  comparison.verdict = both ? Verdict::kUnchanged : Verdict::kInconclusive;
  comparison.reason = both ? "zero on both sides" : "one side is zero, so there is no ratio to judge by";
  if (both) comparison.change = 0;
  return true;
}

// A benchmark that cannot be compared, and why; empty where it can.
// `failure` is what happened to the binary that should have had it, if anything did.
std::optional<Comparison> without_comparison(const Case& c, const Benchmark* base, const Benchmark* candidate,
                                             const BinaryFailure* failure) {
  Comparison comparison = start(c);
  const std::string no_value = " has no value above zero of '" + c.gate.metric.name + "'";
  if (candidate == nullptr && failure != nullptr) {
    comparison.verdict = Verdict::kFailed;
    comparison.reason = failure->binary + " " + failure->what;
  } else if (candidate == nullptr) {
    comparison.verdict = Verdict::kMissing;
    comparison.report_only = c.gate.report_only || c.gate.may_be_missing;
    comparison.reason = reason_for(comparison);
  } else if (candidate->error) {
    comparison.verdict = Verdict::kFailed;
    comparison.reason = *candidate->error;
  } else if (settle_zeros(c, comparison)) {
    return comparison;
  } else if (c.candidate.logs_by_job.empty()) {
    comparison.verdict = Verdict::kFailed;
    comparison.reason = "the candidate" + no_value;
  } else if (c.base.logs_by_job.empty()) {
    comparison.verdict = Verdict::kNew;
    comparison.reason = base == nullptr ? reason_for(comparison)
                        : base->error   ? "it failed in the base: " + *base->error
                                        : "the base" + no_value;
  } else {
    return {};
  }
  return comparison;
}

// Whether the candidate's runs were to measure everything.
bool was_asked_for(const std::vector<Run>& candidate) {
  return std::any_of(candidate.begin(), candidate.end(), [](const Run& run) { return run.filter.empty(); });
}

const BinaryFailure* failure_of(const std::vector<Run>& runs, const Benchmark* benchmark) {
  for (const auto& run : runs)
    for (const auto& failure : run.failures)
      if (benchmark != nullptr && failure.binary == benchmark->binary) return &failure;
  return nullptr;
}

// The side, with what its runs say themselves: those that the comparison rests on.
Side describe_runs(const SideRuns& side_runs) {
  Side side = side_runs.side;
  side.runs.clear();
  std::set<std::string> jobs;
  side.dirty = false;
  for (const auto& run : side_runs.runs) {
    side.runs.push_back(run.id);
    jobs.insert(run.job.empty() ? run.id : run.job);
    side.dirty = side.dirty || run.dirty;
  }
  side.jobs = static_cast<int>(jobs.size());
  return side;
}

// Every benchmark of either side: as a case, or as a comparison already where it cannot be compared.
std::vector<Case> gather_cases(const std::vector<Run>& base, const std::vector<Run>& candidate,
                               const Policy& policy, Distance distance, ComparisonReport& report) {
  std::set<std::string> names;
  for (const auto* side : {&base, &candidate})
    for (const auto& run : *side)
      for (const auto& benchmark : run.benchmarks) names.insert(benchmark.name);
  std::vector<Case> cases;
  for (const auto& name : names) {
    const Benchmark* was = find_in(base, name);
    const Benchmark* is = find_in(candidate, name);
    const Benchmark* known = is != nullptr ? is : was;
    if (known == nullptr || (is == nullptr && !was_asked_for(candidate))) continue;
    Case c;
    c.name = name;
    c.gate = gate_for(policy, *known);
    c.base = evidence_of(base, name, c.gate.metric);
    c.candidate = evidence_of(candidate, name, c.gate.metric);
    if (auto comparison = without_comparison(c, was, is, failure_of(candidate, was))) {
      report.comparisons.push_back(*comparison);
      continue;
    }
    c.contrast = contrast(c.base, c.candidate, distance);
    cases.push_back(std::move(c));
  }
  return cases;
}

// The noise of one benchmark, with what the others say about it. Where they have little in common, a few
// far louder ones would have their noise talked down: those keep what they showed themselves.
stats::Variance noise_with_others(const stats::Variance& own, const stats::Variance& usual) {
  if (usual.degrees < kAlikeDegrees && own.value > kFarLouder * usual.value) return own;
  return stats::moderate(own, usual);
}

// What the verdicts rest on, for whoever has more to ask of the same data.
struct Settled {
  JobNoise jobs;
  double confidence = 0;  // of one comparison's interval
};

// Adds the verdict of every case.
Settled settle_cases(const std::vector<Case>& cases, const std::vector<Run>& history,
                     const std::optional<NoiseModel>& stored, Distance distance, const JudgeOptions& options,
                     ComparisonReport& report) {
  std::map<std::string, Gate> gates;
  std::vector<stats::Variance> observed;
  for (const auto& c : cases) {
    gates[c.name] = c.gate;
    observed.push_back(c.contrast.own);
  }
  const stats::Variance usual = stats::fit_usual_variance(observed);
  const JobNoise jobs = job_noise(gates, history, report.details.kind, distance, stored);
  // Bonferroni: each interval is so wide that all of them together hold with the stated confidence.
  const auto together =
      std::max({cases.size(), static_cast<std::size_t>(options.comparisons_min), std::size_t{1}});
  const double each = 1 - (1 - report.confidence) * options.error_share / static_cast<double>(together);
  for (const auto& c : cases) {
    stats::Variance sampling = noise_with_others(c.contrast.own, usual);
    sampling.value *= c.contrast.sampling_factor;
    stats::Variance job = jobs.variance.at(c.name);
    job.value *= c.contrast.job_factor;
    Comparison comparison = start(c);
    // One invocation a side has shown nothing of its noise, whatever the others' noise is.
    settle(comparison, {c.contrast.estimate, sampling, job}, c.contrast.own.degrees > 0, each);
    report.comparisons.push_back(comparison);
  }
  return {jobs, each};
}

bool matters_more(const Comparison& a, const Comparison& b) {
  const auto worse = [](const Comparison& c) {
    return c.metric.better == Better::kHigher ? -c.change.value_or(0) : c.change.value_or(0);
  };
  if (a.verdict != b.verdict) return a.verdict < b.verdict;
  if (a.verdict == Verdict::kImproved && worse(a) != worse(b)) return worse(a) < worse(b);
  if (worse(a) != worse(b)) return worse(a) > worse(b);
  return a.benchmark < b.benchmark;
}

// With the names that benchmarks have now.
ComparisonReport compare_sides(const SideRuns& base_side, const SideRuns& candidate_side,
                               const std::vector<Run>& history, const Policy& policy,
                               const JudgeOptions& options) {
  SideRuns base = base_side;
  SideRuns candidate = candidate_side;
  ComparisonReport report;
  report.interleaved = sides_in_turn(base.runs, candidate.runs, options.pairing);
  report.device = device_key(candidate.runs.back().device);
  report.details = candidate.runs.back().device;
  report.software = candidate.runs.back().software;
  report.base = describe_runs(base);
  report.candidate = describe_runs(candidate);
  report.confidence = policy.confidence;

  const Distance distance =
      report.interleaved ? Distance::kSameJob : distance_between(base.runs, candidate.runs);
  const std::vector<Case> cases = gather_cases(base.runs, candidate.runs, policy, distance, report);
  const Settled settled = settle_cases(cases, history, base.noise, distance, options, report);
  check_floors(report, candidate.runs, policy,
               {settled.jobs.variance, default_job_variance(report.details.kind, distance)},
               settled.confidence);
  std::sort(report.comparisons.begin(), report.comparisons.end(), matters_more);
  report.notes = comparison_notes(base, candidate, distance, settled.jobs.learned);
  return report;
}

std::vector<Run> with_new_names(std::vector<Run> runs, const Policy& policy) {
  for (auto& run : runs) rename_benchmarks(run, policy.renames);
  return runs;
}

SideRuns with_new_names(const SideRuns& side, const Policy& policy) {
  SideRuns renamed{side.side, with_new_names(side.runs, policy), side.noise};
  if (renamed.noise) rename_benchmarks(*renamed.noise, policy.renames);
  return renamed;
}

}  // namespace

ComparisonReport judge(const SideRuns& base, const SideRuns& candidate, const std::vector<Run>& history,
                       const Policy& policy, const JudgeOptions& options) {
  ComparisonReport report =
      policy.renames.empty() ? compare_sides(base, candidate, history, policy, options)
                             : compare_sides(with_new_names(base, policy), with_new_names(candidate, policy),
                                             with_new_names(history, policy), policy, options);
  apply_waivers(report, policy.waivers, options.today);
  if (was_asked_for(candidate.runs))
    for (auto& note : unused_rules(policy, {&base.runs, &candidate.runs, &history}))
      report.notes.push_back(std::move(note));
  return report;
}

ExitCode exit_code_for(const std::vector<ComparisonReport>& reports, bool strict) {
  bool open = reports.empty();
  for (const auto& report : reports) {
    bool compared = false;
    for (const auto& comparison : report.comparisons) {
      if (fails_gate(comparison)) return ExitCode::kRegressed;
      compared = compared || is_compared(comparison);
      const bool cannot_tell =
          comparison.verdict == Verdict::kInconclusive || (comparison.floor && comparison.floor->unclear);
      open = open || (strict && cannot_tell && !comparison.report_only);
    }
    open = open || !compared;
  }
  return open ? ExitCode::kCannotJudge : ExitCode::kOk;
}

}  // namespace tracker
