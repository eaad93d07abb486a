#include "tracker/judge/judge.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tracker/judge/cases.hpp"
#include "tracker/judge/companions.hpp"
#include "tracker/judge/job_noise.hpp"
#include "tracker/judge/noise_model.hpp"
#include "tracker/judge/notes.hpp"
#include "tracker/judge/settle_cases.hpp"

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

std::map<std::string, Metric> metrics_of(const std::vector<Case>& cases) {
  std::map<std::string, Metric> metrics;
  for (const auto& c : cases) metrics[c.name] = c.gate.metric;
  return metrics;
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
  const JobNoise jobs = settle_cases(cases,
                                     {.known = known_noise(metrics_of(cases), history, base.noise),
                                      .companions = changed_companions(base.runs, candidate.runs),
                                      .kind = report.details.kind,
                                      .distance = distance,
                                      .error = (1 - policy.confidence) * options.error_share,
                                      .comparisons_min = options.comparisons_min},
                                     report.comparisons);
  std::sort(report.comparisons.begin(), report.comparisons.end(), matters_more);
  report.notes = comparison_notes(base, candidate, distance, jobs.learned);
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
