#include "tracker/judge/judge.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/judge/decision.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/judge/policy_rules.hpp"

namespace tracker::judge {
namespace {

// The pair of runs that one job measured side by side, newest first; leaves both lists alone where there is
// none.
bool keep_shared_job(Runs& base, Runs& candidate) {
  for (std::size_t c = candidate.size(); c-- > 0;)
    for (std::size_t b = base.size(); b-- > 0;) {
      if (base[b].job.empty() || base[b].job != candidate[c].job || base[b].id == candidate[c].id) continue;
      base = base.subspan(b, 1);
      candidate = candidate.subspan(c, 1);
      return true;
    }
  return false;
}

// Whether the sides are compared pair by pair, which leaves one run of each. A person may know what the runs
// do not say.
bool sides_in_turn(Runs& base, Runs& candidate, Pairing pairing) {
  if (pairing == Pairing::kNone) return false;
  if (keep_shared_job(base, candidate)) return true;
  if (pairing == Pairing::kFromRuns) return false;
  base = base.last(1);
  candidate = candidate.last(1);
  return true;
}

void widen(std::optional<Interval>& range, const std::optional<double>& low,
           const std::optional<double>& high) {
  if (!low || !high) return;
  range = range ? Interval{std::min(range->low, *low), std::max(range->high, *high)} : Interval{*low, *high};
}

Clocks clocks_of(Runs runs) {
  Clocks clocks;
  for (const auto& run : runs)
    for (const auto& invocation : run.invocations) {
      if (invocation.excluded) continue;
      const Conditions& seen = invocation.conditions;
      widen(clocks.core_mhz, seen.core_clock_mhz_min, seen.core_clock_mhz_max);
      widen(clocks.memory_mhz, seen.memory_clock_mhz, seen.memory_clock_mhz);
    }
  return clocks;
}

// The side, with what its runs say themselves: those that the comparison rests on.
Side describe_runs(Side side, Runs runs) {
  side.runs.clear();
  std::set<std::string> jobs;
  side.dirty = false;
  for (const auto& run : runs) {
    side.runs.push_back(run.id);
    jobs.insert(job_or_id(run));
    side.dirty = side.dirty || run.dirty;
  }
  side.jobs = static_cast<int>(jobs.size());
  side.clocks = clocks_of(runs);
  return side;
}

std::map<std::string, Metric> metrics_of(OpenBenchmarks open) {
  std::map<std::string, Metric> metrics;
  for (const BenchmarkEvidence* e : open) metrics[e->name] = e->gate.metric;
  return metrics;
}

// What is compared, and what is known beside it.
struct Compared {
  Runs base;
  Runs candidate;
  Distance distance;
  const NoiseHistory& history;              // of this machine
  const std::optional<NoiseModel>& stored;  // with the base, where it is a baseline

  bool in_turn() const { return distance == Distance::kSameJob; }
  DeviceKind kind() const { return candidate.back().device.kind; }
};

// How many jobs later than the other one side was measured, by the order of ids.
int lag_between(const Compared& sides, const NoiseHistory& history) {
  const Run& base = sides.base.back();
  const Run& candidate = sides.candidate.back();
  const auto& [first, last] = std::minmax(base.id, candidate.id);
  std::set<std::string> between;
  for (const auto& run : history.runs)
    if (first < run.id && run.id < last && run.job != base.job && run.job != candidate.job)
      between.insert(job_or_id(run));
  return static_cast<int>(between.size()) + history.jobs_not_read + 1;
}

// Without what is compared itself: the base of a job that measured both is in the store like any older run.
NoiseModel past_noise(OpenBenchmarks open, const Compared& sides) {
  const auto metrics = metrics_of(open);
  if (!sides.in_turn())
    return learn_noise(metrics, sides.history, lag_between(sides, sides.history), sides.stored);
  const auto is_of_job = [&](const Run& run) {
    return !run.job.empty() && run.job == sides.candidate.back().job;
  };
  const auto& runs = sides.history.runs;
  if (std::ranges::none_of(runs, is_of_job)) return learn_noise(metrics, sides.history, 1, sides.stored);
  return learn_noise(metrics, keep_runs(sides.history, std::not_fn(is_of_job)), 1, sides.stored);
}

// Ignores unusual days of a history on the board of both sides, unless the base was measured on one. One job
// a side, as each may have been measured on a day of its own kind.
std::optional<UsualDays> usual_days_of(OpenBenchmarks open, const Compared& sides) {
  if (sides.distance != Distance::kSameBoard || sides.base.size() > 1 || sides.candidate.size() > 1)
    return {};
  const auto& runs = sides.history.runs;
  const Run& base = sides.base.back();
  if (!std::ranges::all_of(runs, [&](const Run& run) { return on_same_board(run, sides.candidate.back()); }))
    return {};
  const bool has_base = std::ranges::any_of(runs, [&](const Run& run) { return run.id == base.id; });
  const std::size_t jobs_max = runs.size() + (has_base ? 0 : 1);
  if (jobs_max < kJobsForDaysMin || open.size() < kBenchmarksForDaysMin) return {};
  const auto metrics = metrics_of(open);
  const double least = std::sqrt(least_job_variance(sides.kind(), sides.distance));
  const DaysSeen seen = days_seen(job_levels(metrics, sides.history, has_base ? nullptr : &base), least);
  if (seen.unusual.empty() || seen.is_unusual(job_or_id(base))) return {};
  const NoiseHistory usual =
      keep_runs(sides.history, [&](const Run& run) { return !seen.is_unusual(job_or_id(run)); });
  UsualDays days{learn_noise(metrics, usual, lag_between(sides, usual), sides.stored), seen};
  if (!job_noise(days.known, sides.kind(), sides.distance).shared) return {};
  return days;
}

// A verdict for what needs no noise, in the order of `all`; of the others, the difference of both sides.
std::vector<std::optional<Comparison>> find_differences(std::vector<BenchmarkEvidence>& all,
                                                        const Compared& sides, const Policy& policy) {
  const ClockTicks ticks = clock_ticks(sides.base, sides.candidate);
  const double error = error_of_one(1 - policy.confidence, all.size());
  std::vector<std::optional<Comparison>> decided(all.size());
  in_parts(all.size(), kBenchmarksAPart, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (!all[i].asked_for) continue;
      decided[i] = decide_without_noise(all[i], policy, sides.distance, error);
      if (!decided[i]) find_difference(all[i], sides.distance, ticks);
    }
  });
  return decided;
}

// The rule, step by step as docs/statistics.md tells it. Benchmarks have the names that they have now.
ComparisonReport compare(const Compared& sides, ComparisonReport report, const Policy& policy,
                         const Options& options) {
  // One value an invocation: what both sides show of each benchmark, gathered once.
  std::vector<BenchmarkEvidence> all = gather_evidence(sides.base, sides.candidate, policy, sides.distance);

  // Pairs, or separate jobs: their difference. What needs no noise has its verdict here.
  auto decided = find_differences(all, sides, policy);
  std::vector<const BenchmarkEvidence*> open;
  std::vector<const BenchmarkEvidence*> behind;  // each row of the report
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].asked_for) continue;
    (decided[i] ? behind : open).push_back(&all[i]);
    if (decided[i]) report.comparisons.push_back(std::move(*decided[i]));
  }
  behind.insert(behind.end(), open.begin(), open.end());

  // The noise: of the past, of other jobs, and of the report's other benchmarks.
  const ReportNoise noise = find_noise(open, {.known = past_noise(open, sides),
                                              .neighbours = changed_neighbours(sides.base, sides.candidate),
                                              .kind = sides.kind(),
                                              .distance = sides.distance,
                                              .error = (1 - policy.confidence) * options.error_share,
                                              .comparisons_min = options.comparisons_min,
                                              .usual_days = usual_days_of(open, sides)});

  // Doubts; the interval and the verdict; why.
  std::vector<Basis> bases = find_bases(open, noise);
  std::vector<Comparison> judged = decide(bases, noise);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    judged[i].reasons = reasons_for(judged[i], bases[i]);
    report.comparisons.push_back(std::move(judged[i]));
  }

  // What the code has to do with it, and the policy's floors.
  for (std::size_t i = 0; i < behind.size(); ++i) {
    Comparison& row = report.comparisons[i];
    apply_same_code(row, *behind[i], sides.in_turn());
    check_floor(row, *behind[i], all, noise.of_one_job(row.benchmark), noise.confidence);
    add_cause(row, *behind[i], sides.in_turn());
  }
  std::ranges::sort(report.comparisons, matters_more);
  report.likely_renames = likely_renames(report.comparisons);
  report.notes =
      notes_of(report, open, sides.base, sides.candidate, sides.distance, noise.jobs.learned, policy);
  return report;
}

ComparisonReport compare_sides(const SideRuns& base_side, const SideRuns& candidate_side,
                               const NoiseHistory& all_history, const Policy& policy,
                               const Options& options) {
  Runs base = base_side.runs;
  Runs candidate = candidate_side.runs;
  const auto of_machine = of_one_machine(all_history, candidate.back());
  ComparisonReport report;
  report.interleaved = sides_in_turn(base, candidate, options.pairing);
  report.confidence = policy.confidence;
  report.device = device_key(candidate.back().device);
  report.details = candidate.back().device;
  report.software = candidate.back().software;
  report.base = describe_runs(base_side.side, base);
  report.candidate = describe_runs(candidate_side.side, candidate);
  const Compared sides{base, candidate,
                       report.interleaved ? Distance::kSameJob : distance_between(base, candidate),
                       of_machine ? *of_machine : all_history, base_side.noise};
  return compare(sides, std::move(report), policy, options);
}

// The same where benchmarks have other names now: some that several have are kept apart, others are renamed.
ComparisonReport compare_renamed(SideRuns base, SideRuns candidate, NoiseHistory history,
                                 const Policy& policy, const SharedNames& shared, const Options& options) {
  const auto rename = [&](auto& runs) {
    keep_names_apart(runs, shared);
    rename_benchmarks(runs, policy.renames);
  };
  for (SideRuns* side : {&base, &candidate}) {
    for (auto& run : side->runs) rename(run);
    if (side->noise) rename_benchmarks(*side->noise, policy.renames);
  }
  rename(history);
  return compare_sides(base, candidate, history, policy, options);
}

}  // namespace

ComparisonReport judge(const SideRuns& base, const SideRuns& candidate, const NoiseHistory& history,
                       const Policy& policy, const Options& options) {
  require_metric_names(policy, {&base.runs, &candidate.runs, &history.runs});
  SharedNames shared;
  for (const auto* side : {&base, &candidate})
    for (const auto& run : side->runs)
      for (const auto& benchmark : run.benchmarks) shared.add(benchmark);
  ComparisonReport report = policy.renames.empty() && shared.empty()
                                ? compare_sides(base, candidate, history, policy, options)
                                : compare_renamed(base, candidate, history, policy, shared, options);
  apply_waivers(report, policy.waivers, options.today);
  if (was_asked_for(candidate.runs))
    for (auto& note : unused_rules(policy, {&base.runs, &candidate.runs, &history.runs}, history.times))
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
      open = open || (strict && is_left_open(comparison));
    }
    open = open || !compared;
  }
  return open ? ExitCode::kCannotJudge : ExitCode::kOk;
}

}  // namespace tracker::judge
