#include "tracker/judge/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tracker/judge/job_noise.hpp"
#include "tracker/judge/notes.hpp"
#include "tracker/judge/reason.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// A benchmark that both sides measured, on the way to its verdict.
struct Case {
  std::string name;
  Gate gate;
  std::vector<std::vector<double>> base_logs;  // by job, then by invocation
  std::vector<std::vector<double>> candidate_logs;
  stats::Variance own;  // noise of one invocation, or of one pair
  double estimate = 0;
  double sampling_factor = 0;  // variance of the estimate = factor × own
  double job_factor = 0;       // likewise for the jobs' offsets
};

// The newest definition of a benchmark among the runs.
const Benchmark* find_in(const std::vector<Run>& runs, const std::string& name) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (const Benchmark* benchmark = find_benchmark(*run, name)) return benchmark;
  return nullptr;
}

std::vector<std::vector<double>> logs_by_job(const std::vector<Run>& runs, const std::string& name,
                                             const Metric& metric) {
  std::vector<std::vector<double>> jobs;
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_benchmark(run, name);
    if (benchmark == nullptr || benchmark->error) continue;
    std::vector<double> logs;
    for (const double value : metric_values(metric, *benchmark, run))
      if (value > 0 && std::isfinite(value)) logs.push_back(std::log(value));
    if (!logs.empty()) jobs.push_back(logs);
  }
  return jobs;
}

int count_values(const std::vector<std::vector<double>>& jobs) {
  std::size_t count = 0;
  for (const auto& job : jobs) count += job.size();
  return static_cast<int>(count);
}

// The pair of runs that one job measured in turn, newest first; leaves both lists alone where there is none.
bool keep_shared_job(std::vector<Run>& base, std::vector<Run>& candidate) {
  for (auto c = candidate.rbegin(); c != candidate.rend(); ++c)
    for (auto b = base.rbegin(); b != base.rend(); ++b) {
      if (b->job != c->job || b->id == c->id) continue;
      base = std::vector<Run>{Run(*b)};
      candidate = std::vector<Run>{Run(*c)};
      return true;
    }
  return false;
}

void measure_noise(Case& c, bool interleaved) {
  if (interleaved) {
    const auto paired = stats::paired_difference(c.base_logs.front(), c.candidate_logs.front());
    c.estimate = paired.estimate;
    c.own = paired.per_pair;
    c.sampling_factor = 1.0 / std::max(paired.pairs, 1);
    return;
  }
  const auto base = stats::side_noise(c.base_logs);
  const auto candidate = stats::side_noise(c.candidate_logs);
  c.estimate = candidate.mean - base.mean;
  c.own = stats::moderate(base.per_invocation, candidate.per_invocation);
  c.sampling_factor = base.sampling_factor + candidate.sampling_factor;
  c.job_factor = 1.0 / base.jobs + 1.0 / candidate.jobs;
}

// Invocations a side, beyond those there are, that would bring the half-width down to what the verdict
// needs; empty where the jobs' part alone is wider than that, or where more than a thousand would be needed.
std::optional<int> invocations_needed(const stats::Difference& difference, double confidence, double needed,
                                      int invocations) {
  for (int more = 1; more <= 1000; more += 1 + more / 20) {
    stats::Difference then = difference;
    const double share = static_cast<double>(invocations) / (invocations + more);
    then.sampling.value *= share;
    then.sampling.degrees /= share;
    if (stats::half_width(then, confidence) <= needed) return more;
  }
  return {};
}

void settle(Comparison& comparison, const Case& c, const stats::Difference& difference, double confidence) {
  // One invocation a side has shown nothing of its noise.
  const double half = c.own.degrees > 0 ? stats::half_width(difference, confidence) : kUnknown;
  const double threshold = c.gate.threshold;
  comparison.change = std::expm1(difference.estimate);
  comparison.interval = {std::expm1(difference.estimate - half), std::expm1(difference.estimate + half)};
  if (std::isfinite(half)) comparison.resolvable = std::expm1(half);
  const double worse = c.gate.metric.better == Better::kHigher ? -*comparison.change : *comparison.change;
  const bool excludes_none = half < std::abs(difference.estimate);
  comparison.verdict = Verdict::kInconclusive;
  if (excludes_none && worse >= threshold) comparison.verdict = Verdict::kRegressed;
  if (excludes_none && worse <= -threshold) comparison.verdict = Verdict::kImproved;
  if (comparison.interval->low >= -threshold && comparison.interval->high <= threshold)
    comparison.verdict = Verdict::kUnchanged;
  bool settles = true;
  if (comparison.verdict == Verdict::kInconclusive && std::isfinite(half)) {
    const double size = std::abs(difference.estimate);
    const double needed = size < threshold ? threshold - size : size;
    const int invocations = std::min(comparison.base_invocations, comparison.candidate_invocations);
    comparison.more_invocations = invocations_needed(difference, confidence, needed, invocations);
    settles = comparison.more_invocations.has_value();
  }
  comparison.reason = reason_for(comparison, settles);
}

Comparison start(const Case& c) {
  Comparison comparison;
  comparison.benchmark = c.name;
  comparison.metric = c.gate.metric;
  comparison.threshold = c.gate.threshold;
  comparison.report_only = c.gate.report_only;
  comparison.base_invocations = count_values(c.base_logs);
  comparison.candidate_invocations = count_values(c.candidate_logs);
  if (!c.base_logs.empty()) comparison.base = std::exp(stats::side_noise(c.base_logs).mean);
  if (!c.candidate_logs.empty()) comparison.candidate = std::exp(stats::side_noise(c.candidate_logs).mean);
  return comparison;
}

// A benchmark that cannot be compared, and why; empty where it can.
// `failure` is what happened to the binary that should have had it, if anything did.
std::optional<Comparison> without_comparison(const Case& c, const Benchmark* base, const Benchmark* candidate,
                                             const BinaryFailure* failure) {
  Comparison comparison = start(c);
  if (candidate != nullptr && candidate->error) {
    comparison.verdict = Verdict::kFailed;
    comparison.reason = *candidate->error;
  } else if (c.candidate_logs.empty() && candidate != nullptr) {
    comparison.verdict = Verdict::kFailed;
    comparison.reason = "the candidate has no value above zero of '" + c.gate.metric.name + "'";
  } else if (candidate == nullptr && failure != nullptr) {
    comparison.verdict = Verdict::kFailed;
    comparison.reason = failure->binary + " " + failure->what;
  } else if (candidate == nullptr) {
    comparison.verdict = Verdict::kMissing;
    comparison.report_only = c.gate.report_only || c.gate.may_be_missing;
    comparison.reason = reason_for(comparison, true);
  } else if (c.base_logs.empty()) {
    comparison.verdict = Verdict::kNew;
    comparison.reason = base != nullptr && base->error ? "it failed in the base: " + *base->error
                                                       : reason_for(comparison, true);
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

// Every benchmark of either side: as a case, or as a comparison already where it cannot be compared.
std::vector<Case> gather_cases(const std::vector<Run>& base, const std::vector<Run>& candidate,
                               const Policy& policy, ComparisonReport& report) {
  std::set<std::string> names;
  for (const auto* side : {&base, &candidate})
    for (const auto& run : *side)
      for (const auto& benchmark : run.benchmarks) names.insert(benchmark.name);
  std::vector<Case> cases;
  for (const auto& name : names) {
    const Benchmark* was = find_in(base, name);
    const Benchmark* is = find_in(candidate, name);
    Case c;
    c.name = name;
    c.gate = gate_for(policy, is != nullptr ? *is : *was);
    c.base_logs = logs_by_job(base, name, c.gate.metric);
    c.candidate_logs = logs_by_job(candidate, name, c.gate.metric);
    if (is == nullptr && !was_asked_for(candidate)) continue;
    if (auto comparison = without_comparison(c, was, is, failure_of(candidate, was))) {
      report.comparisons.push_back(*comparison);
      continue;
    }
    measure_noise(c, report.interleaved);
    cases.push_back(std::move(c));
  }
  return cases;
}

// Adds the verdict of every case; says whether the spread between jobs was learned for all of them.
bool settle_cases(const std::vector<Case>& cases, const std::vector<Run>& history, Distance distance,
                  ComparisonReport& report) {
  std::map<std::string, Gate> gates;
  std::vector<stats::Variance> observed;
  for (const auto& c : cases) {
    gates[c.name] = c.gate;
    observed.push_back(c.own);
  }
  const stats::Variance usual = stats::fit_usual_variance(observed);
  const JobNoise jobs = job_noise(gates, history, report.details.kind, distance);
  // Bonferroni: each interval is so wide that all of them together hold with the stated confidence.
  const double each = 1 - (1 - report.confidence) / std::max<double>(1, static_cast<double>(cases.size()));
  for (const auto& c : cases) {
    stats::Variance sampling = stats::moderate(c.own, usual);
    sampling.value *= c.sampling_factor;
    stats::Variance job = jobs.variance.at(c.name);
    job.value *= c.job_factor;
    Comparison comparison = start(c);
    settle(comparison, c, {c.estimate, sampling, job}, each);
    report.comparisons.push_back(comparison);
  }
  return jobs.learned;
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
                       const std::vector<Run>& history, const Policy& policy) {
  SideRuns base = base_side;
  SideRuns candidate = candidate_side;
  ComparisonReport report;
  report.interleaved = keep_shared_job(base.runs, candidate.runs);
  report.device = device_key(candidate.runs.back().device);
  report.details = candidate.runs.back().device;
  report.software = candidate.runs.back().software;
  report.base = base.side;
  report.candidate = candidate.side;
  report.confidence = policy.confidence;

  const std::vector<Case> cases = gather_cases(base.runs, candidate.runs, policy, report);
  const Distance distance =
      report.interleaved ? Distance::kSameJob : distance_between(base.runs, candidate.runs);
  const bool learned = settle_cases(cases, history, distance, report);
  std::sort(report.comparisons.begin(), report.comparisons.end(), matters_more);
  report.notes = comparison_notes(base, candidate, distance, learned);
  return report;
}

bool fails_gate(const Comparison& comparison) {
  if (comparison.report_only) return false;
  return comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kFailed ||
         comparison.verdict == Verdict::kMissing;
}

ExitCode exit_code_for(const std::vector<ComparisonReport>& reports, bool strict) {
  bool open = false;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) {
      if (fails_gate(comparison)) return ExitCode::kRegressed;
      open = open || (comparison.verdict == Verdict::kInconclusive && !comparison.report_only);
    }
  return open && strict ? ExitCode::kCannotJudge : ExitCode::kOk;
}

}  // namespace tracker
