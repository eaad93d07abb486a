#include "tracker/judge/judge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tracker/judge/cases.hpp"
#include "tracker/judge/companions.hpp"
#include "tracker/judge/job_noise.hpp"
#include "tracker/judge/lend.hpp"
#include "tracker/judge/noise_model.hpp"
#include "tracker/judge/notes.hpp"
#include "tracker/judge/settle.hpp"

namespace tracker {
namespace {

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

// What stands behind every verdict of one report.
struct Grounds {
  std::vector<NoiseShown> shown;  // in the order of the cases
  LentNoise lent;
  JobNoise jobs;
  std::map<std::string, std::string> companions;
  DeviceKind kind = DeviceKind::kCpu;
  bool paired = false;
  double error = 0;       // of the whole report
  double confidence = 0;  // of one interval
};

std::vector<NoiseShown> noise_shown(const std::vector<Case>& cases, const NoiseModel& known, bool paired) {
  std::vector<NoiseShown> shown;
  for (const auto& c : cases) {
    const BenchmarkNoise& before = known.benchmarks.at(c.name);
    const NoiseVariance& alike = paired ? before.neighbours : before.invocation;
    shown.push_back({c.contrast.own, {alike.value, alike.degrees}});
  }
  return shown;
}

// Only what looks like a change can be two speeds instead of one.
std::optional<HiddenModes> hidden_in(const Case& c, std::size_t place, const Basis& basis,
                                     const Grounds& grounds) {
  const double change = basis.difference.estimate;
  const bool looks_real = stats::half_width(basis.difference, basis.confidence) < std::abs(change);
  if (!basis.noise_known || !looks_real) return {};
  return hidden_modes(grounds.lent, grounds.shown, place,
                      {change, grounds.paired, c.base.values(), c.candidate.values(), grounds.error});
}

Basis basis_of(const Case& c, std::size_t place, const Grounds& grounds) {
  const auto part = [](const stats::Variance& variance, double factor) {
    return stats::Variance{variance.value * factor, variance.degrees};
  };
  Basis basis;
  basis.sampling_factor = c.contrast.sampling_factor;
  basis.difference = {c.contrast.estimate, part(grounds.lent.of(place), c.contrast.sampling_factor),
                      part(grounds.jobs.variance.at(c.name), c.contrast.job_factor)};
  if (const auto changed = grounds.companions.find(c.name); changed != grounds.companions.end()) {
    basis.companions = changed->second;
    basis.difference.companions = companion_variance(grounds.kind);
  }
  basis.confidence = grounds.confidence;
  // One invocation a side has shown nothing of its noise, whatever the others' noise is.
  basis.noise_known = c.contrast.own.degrees > 0;
  basis.paired = c.paired;
  basis.hidden = hidden_in(c, place, basis, grounds);
  return basis;
}

// Adds the verdict of every case; says whether the spread between jobs was learned for all of them.
bool settle_cases(const std::vector<Case>& cases, const SideRuns& base, const SideRuns& candidate,
                  const std::vector<Run>& history, Distance distance, const JudgeOptions& options,
                  ComparisonReport& report) {
  std::map<std::string, Metric> metrics;
  for (const auto& c : cases) metrics[c.name] = c.gate.metric;
  const NoiseModel known = known_noise(metrics, history, base.noise);
  const bool paired = distance == Distance::kSameJob;
  const auto shown = noise_shown(cases, known, paired);
  // Bonferroni: each interval is so wide that all of them together hold with the stated confidence.
  const auto together =
      std::max({cases.size(), static_cast<std::size_t>(options.comparisons_min), std::size_t{1}});
  const double error = (1 - report.confidence) * options.error_share;
  const Grounds grounds{shown,
                        LentNoise(shown),
                        job_noise(known, report.details.kind, distance),
                        changed_companions(base.runs, candidate.runs),
                        report.details.kind,
                        paired,
                        error,
                        1 - error / static_cast<double>(together)};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Comparison comparison = start(cases[i]);
    settle(comparison, basis_of(cases[i], i, grounds));
    report.comparisons.push_back(comparison);
  }
  return grounds.jobs.learned;
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

}  // namespace

ComparisonReport judge(const SideRuns& base_side, const SideRuns& candidate_side,
                       const std::vector<Run>& history, const Policy& policy, const JudgeOptions& options) {
  SideRuns base = base_side;
  SideRuns candidate = candidate_side;
  ComparisonReport report;
  report.interleaved = keep_shared_job(base.runs, candidate.runs);
  report.device = device_key(candidate.runs.back().device);
  report.details = candidate.runs.back().device;
  report.software = candidate.runs.back().software;
  report.base = describe_runs(base);
  report.candidate = describe_runs(candidate);
  report.confidence = policy.confidence;

  const Distance distance =
      report.interleaved ? Distance::kSameJob : distance_between(base.runs, candidate.runs);
  const std::vector<Case> cases =
      gather_cases(base.runs, candidate.runs, policy, distance, report.comparisons);
  const bool learned = settle_cases(cases, base, candidate, history, distance, options, report);
  std::sort(report.comparisons.begin(), report.comparisons.end(), matters_more);
  report.notes = comparison_notes(base, candidate, distance, learned);
  return report;
}

ExitCode exit_code_for(const std::vector<ComparisonReport>& reports, bool strict) {
  bool open = reports.empty();
  for (const auto& report : reports) {
    bool compared = false;
    for (const auto& comparison : report.comparisons) {
      if (fails_gate(comparison)) return ExitCode::kRegressed;
      compared = compared || is_compared(comparison);
      open = open || (strict && comparison.verdict == Verdict::kInconclusive && !comparison.report_only);
    }
    open = open || !compared;
  }
  return open ? ExitCode::kCannotJudge : ExitCode::kOk;
}

}  // namespace tracker
