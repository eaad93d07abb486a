#include "tracker/judge/verdict/cases.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "tracker/base/parallel.hpp"
#include "tracker/judge/noise/clock_step.hpp"
#include "tracker/judge/verdict/counts.hpp"
#include "tracker/judge/verdict/judge_cases.hpp"
#include "tracker/judge/verdict/not_comparable.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

// The newest definition of a benchmark among the runs.
const Benchmark* find_in(Runs runs, const std::string& name) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (const Benchmark* benchmark = find_benchmark(*run, name)) return benchmark;
  return nullptr;
}

std::optional<Work> work_of(const Metric& metric, const Benchmark* benchmark) {
  if (benchmark == nullptr) return {};
  const bool by_cpu_time = benchmark->time_base == TimeBase::kCpu;
  if (metric.name != (by_cpu_time ? "cpu_time" : "real_time")) return {};
  if (benchmark->flops_per_iteration) return Work{*benchmark->flops_per_iteration, "FLOP/s"};
  if (benchmark->bytes_per_iteration) return Work{*benchmark->bytes_per_iteration, "B/s"};
  return {};
}

std::optional<Rate> rate_of(const Case& c) {
  const auto& known = c.candidate_work ? c.candidate_work : c.base_work;
  if (!known) return {};
  const auto speed = [&](const std::optional<Work>& work, const std::optional<double>& time_s) {
    const bool fits = work && work->unit == known->unit && time_s && *time_s > 0;
    return fits ? std::optional(work->amount / *time_s) : std::nullopt;
  };
  return Rate{known->unit, speed(c.base_work, c.base.typical()),
              speed(c.candidate_work, c.candidate.typical())};
}

// Figures in a message (addresses, sizes, values) are others in every run.
std::string without_figures(const std::string& message) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::string kept;
  for (auto at = message.begin(); at != message.end();) {
    const auto end = std::find_if_not(at, message.end(), is_word);
    if (end == at)
      kept += *at++;
    else if (std::any_of(at, end, is_digit))
      kept += '#';
    else
      kept.append(at, end);
    at = std::max(at, end);
  }
  return kept;
}

void fail(Comparison& comparison, const Gate& gate, bool failed_before, Reason reason) {
  comparison.verdict = Verdict::kFailed;
  comparison.failed_before = failed_before;
  comparison.report_only = gate.report_only || gate.may_be_missing;
  comparison.reasons = {std::move(reason)};
}

// `why_base`: what the base said instead of measuring, where it did.
void fail_with(Comparison& comparison, const Gate& gate, const std::string& why,
               const std::string& why_base) {
  const bool before = !why_base.empty() && without_figures(why) == without_figures(why_base);
  fail(comparison, gate, before, {before ? ReasonCode::kFailedInBoth : ReasonCode::kFailed, {{"text", why}}});
}

Reason failed_in_base(const Benchmark& base) {
  Reason reason{ReasonCode::kFailedInBase, {{"text", *base.error}}};
  if (base.skipped) reason.arguments.push_back({"skipped", 1});
  return reason;
}

// A benchmark that cannot be compared, and why; empty where it can.
// `failure` is what happened to the binary that should have had it, if anything did.
std::optional<Comparison> without_comparison(const Case& c, const Benchmark* base, const Benchmark* candidate,
                                             const BinaryFailure* failure) {
  Comparison comparison = start(c);
  const auto no_value = [&](ReasonCode code) { return Reason{code, {{"metric", c.gate.metric.name}}}; };
  const auto has_values = [](const Evidence& side) {
    return !side.logs_by_job.empty() || !side.plain.empty();
  };
  const bool is_in_base = base != nullptr && !has_values(c.base);
  if (candidate == nullptr && failure != nullptr) {
    fail_with(comparison, c.gate, failure->binary + " " + failure->what, "");
  } else if (candidate == nullptr) {
    comparison.verdict = Verdict::kMissing;
    comparison.report_only = c.gate.report_only || c.gate.may_be_missing;
    comparison.reasons = {{ReasonCode::kMissingInCandidate}};
  } else if (candidate->skipped) {
    comparison.verdict = Verdict::kMissing;
    comparison.report_only = c.gate.report_only || c.gate.may_be_missing;
    comparison.reasons = {{ReasonCode::kSkippedInCandidate, {{"text", *candidate->error}}}};
  } else if (candidate->error) {
    fail_with(comparison, c.gate, *candidate->error, is_in_base ? base->error.value_or("") : "");
  } else if (!has_values(c.candidate)) {
    const bool before = is_in_base && !base->error;
    fail(comparison, c.gate, before,
         no_value(before ? ReasonCode::kNoValueInBoth : ReasonCode::kNoValueInCandidate));
    // A counter that neither side has is nothing that was measured: no failure, and no pass either.
    if (before && c.gate.metric.unit.empty()) {
      comparison.verdict = Verdict::kNotComparable;
      comparison.failed_before = false;
    }
  } else if (!has_values(c.base)) {
    comparison.verdict = Verdict::kNew;
    comparison.reasons = {base == nullptr ? Reason{ReasonCode::kMissingInBase}
                          : base->error   ? failed_in_base(*base)
                                          : no_value(ReasonCode::kNoValueInBase)};
  } else {
    return {};
  }
  return comparison;
}

const BinaryFailure* failure_of(Runs runs, const Benchmark* benchmark) {
  for (const auto& run : runs)
    for (const auto& failure : run.failures)
      if (benchmark != nullptr && may_be_same_binary(failure.binary, benchmark->binary)) return &failure;
  return nullptr;
}

// Of a binary that is measured only where it is asked for, a side that has nothing was not asked.
bool was_not_asked(const Policy& policy, const Benchmark& benchmark, Runs side) {
  const bool is_asked = std::any_of(policy.asked.begin(), policy.asked.end(), [&](const std::string& label) {
    return may_be_same_binary(label, benchmark.binary);
  });
  if (!is_asked) return false;
  return std::none_of(side.begin(), side.end(), [&](const Run& run) {
    return std::any_of(run.benchmarks.begin(), run.benchmarks.end(), [&](const Benchmark& other) {
      return may_be_same_binary(other.binary, benchmark.binary);
    });
  });
}

// Of the newest invocation that counts.
std::vector<double> repetition_logs(Runs runs, const Case& c) {
  std::vector<double> logs;
  for (const auto& run : runs)
    for (const auto& invocation : run.invocations) {
      const Benchmark* benchmark = find_benchmark(run, c.name);
      const auto samples = invocation.samples.find(c.name);
      if (benchmark == nullptr || invocation.excluded || samples == invocation.samples.end()) continue;
      logs.clear();
      for (const double value : metric_samples(c.gate.metric, *benchmark, samples->second))
        if (value > 0 && std::isfinite(value)) logs.push_back(std::log(value));
    }
  return logs;
}

Repetitions repetitions_of(const Case& c, Runs base, Runs candidate) {
  if (c.base.values() != 1 || c.candidate.values() != 1) return {};
  const auto of_base = repetition_logs(base, c);
  const auto of_candidate = repetition_logs(candidate, c);
  const std::size_t count = std::min(of_base.size(), of_candidate.size());
  if (count < 2) return {};
  const double variance = std::max(stats::variance(of_base), stats::variance(of_candidate));
  return {static_cast<int>(count), std::expm1(std::sqrt(variance))};
}

void find_clocked_contrast(Case& c, Runs base, Runs candidate, double step, const OrderByRound& order) {
  const ClockByRound of_base = core_clocks_of(base, c.name);
  const ClockByRound of_candidate = core_clocks_of(candidate, c.name);
  c.lacks_clock = of_base.empty() || of_candidate.empty();
  auto clocked = contrast_at_same_clock(c.base, c.candidate, of_base, of_candidate, c.gate, step, order);
  c.contrast = std::move(clocked.contrast);
  c.clock = clocked.effect;
}

void find_contrast(Case& c, Runs base, Runs candidate, Distance distance, double step) {
  if (distance == Distance::kSameJob) c.paired = keep_pairs(c.base, c.candidate);
  if (distance == Distance::kSameJob && c.paired) {
    c.builds = keep_builds(c.base, c.candidate);
    const OrderByRound order =
        c.builds == 0 ? order_of(base.front(), candidate.front(), c.name) : OrderByRound{};
    if (c.gate.same_clock && c.builds == 0) return find_clocked_contrast(c, base, candidate, step, order);
    c.contrast = paired_contrast(c.base, c.candidate, step, order);
    return;
  }
  c.contrast = contrast(c.base, c.candidate, distance, step);
  if (!c.paired) c.contrast.own = {};  // rounds that drift apart show nothing of a pair's noise
}

}  // namespace

bool was_asked_for(Runs candidate) {
  return std::any_of(candidate.begin(), candidate.end(),
                     [](const Run& run) { return run.selection.is_all(); });
}

Comparison start(const Case& c) {
  Comparison comparison;
  comparison.benchmark = c.name;
  comparison.printed_name = c.printed_name;
  comparison.metric = c.gate.metric;
  comparison.threshold = c.gate.threshold;
  comparison.report_only = c.gate.report_only;
  comparison.source = c.gate.source;
  comparison.by_builds = c.builds > 0;
  comparison.base_invocations = c.base.values();
  comparison.candidate_invocations = c.candidate.values();
  comparison.base = c.base.typical();
  comparison.candidate = c.candidate.typical();
  comparison.rate = rate_of(c);
  return comparison;
}

namespace {

// What is found of one benchmark: a case to judge, or what needs none; neither where nobody asked for it.
struct Gathered {
  std::optional<Case> to_judge;
  std::optional<Comparison> decided;
};

// What can be compared by a ratio of noisy values is left to be judged; what else there is to say is said
// here.
std::optional<Comparison> decide_without_noise(const Case& c, const MeasuredSide& base,
                                               const MeasuredSide& candidate, const Policy& policy,
                                               Distance distance, double error) {
  auto reason = why_not_comparable(base, candidate, c.gate);
  if (!reason && distance != Distance::kSameJob && !(base.exact && candidate.exact))
    reason = machine_changed_between(policy.machine_changes, base.benchmark);
  if (reason) {
    Comparison comparison = start(c);
    comparison.verdict = Verdict::kNotComparable;
    comparison.reasons = {std::move(*reason)};
    return comparison;
  }
  return judge_count(c, base.runs, candidate.runs, distance, error);
}

Gathered gather_case(const std::string& name, Runs base, Runs candidate, const Policy& policy,
                     Distance distance, const ClockTicks& ticks, double error) {
  const Benchmark* of_base = find_in(base, name);
  const Benchmark* of_candidate = find_in(candidate, name);
  const Benchmark* known = of_candidate != nullptr ? of_candidate : of_base;
  // What a job asked both sides for, it asked a binary for that failed.
  const bool failed = distance == Distance::kSameJob && failure_of(candidate, of_base) != nullptr;
  // Skipped by the candidate, it is missing only where the base measured it.
  if (of_candidate != nullptr && of_candidate->skipped && (of_base == nullptr || of_base->skipped)) return {};
  if (known == nullptr || (of_candidate == nullptr && !failed && !was_asked_for(candidate))) return {};
  if (of_base == nullptr && was_not_asked(policy, *of_candidate, base)) return {};
  if (of_candidate == nullptr && failure_of(candidate, of_base) == nullptr &&
      was_not_asked(policy, *of_base, candidate))
    return {};
  Case c;
  c.name = name;
  c.printed_name = printed_name(*known);
  c.gate = gate_for(policy, *known);
  c.base = evidence_of(base, name, c.gate.metric);
  c.candidate = evidence_of(candidate, name, c.gate.metric);
  c.base_work = work_of(c.gate.metric, of_base);
  c.candidate_work = work_of(c.gate.metric, of_candidate);
  c.gate.threshold = threshold_at(c.gate, name, c.base.typical());
  if (of_candidate != nullptr && !of_candidate->error)
    if (auto comparison = find_wrong_result(c, base, candidate)) return {{}, std::move(comparison)};
  if (auto comparison = without_comparison(c, of_base, of_candidate, failure_of(candidate, of_base)))
    return {{}, std::move(comparison)};
  if (auto comparison = decide_without_noise(
          c, {base, *of_base, is_exact(base, name, c.gate.metric)},
          {candidate, *of_candidate, is_exact(candidate, name, c.gate.metric)}, policy, distance, error))
    return {{}, std::move(comparison)};
  const ClockStep step = clock_step(base, candidate, name, c.gate.metric, ticks);
  find_contrast(c, base, candidate, distance, step.step);
  c.clock_step = step.hides;
  c.repetitions = repetitions_of(c, base, candidate);
  return {std::move(c), {}};
}

// Of all runs, in order, each once.
std::vector<std::string_view> names_in(Runs base, Runs candidate) {
  std::vector<std::string_view> names;
  for (const auto* side : {&base, &candidate})
    for (const auto& run : *side)
      for (const auto& benchmark : run.benchmarks) names.emplace_back(benchmark.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::vector<Case> gather_cases(Runs base, Runs candidate, const Policy& policy, Distance distance,
                               std::vector<Comparison>& decided) {
  const auto names = names_in(base, candidate);
  const ClockTicks ticks = clock_ticks(base, candidate);
  const double error = error_of_one(1 - policy.confidence, names.size());
  std::vector<Gathered> gathered(names.size());
  constexpr std::size_t kLeast = 100;
  in_parts(names.size(), kLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      gathered[i] = gather_case(std::string(names[i]), base, candidate, policy, distance, ticks, error);
  });
  std::vector<Case> cases;
  cases.reserve(names.size());
  for (auto& one : gathered) {
    if (one.decided) decided.push_back(std::move(*one.decided));
    if (one.to_judge) cases.push_back(std::move(*one.to_judge));
  }
  return cases;
}

}  // namespace tracker
