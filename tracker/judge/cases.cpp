#include "tracker/judge/cases.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/clock.hpp"
#include "tracker/judge/judge_cases.hpp"
#include "tracker/judge/not_comparable.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

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
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (const Benchmark* benchmark = find_measured(*run, c.name))
      for (auto invocation = run->invocations.rbegin(); invocation != run->invocations.rend(); ++invocation)
        if (const Samples* samples = counted_samples(*invocation, c.name))
          return logs_of(metric_samples(c.gate.metric, *benchmark, *samples));
  return {};
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
  const Benchmark* of_base = newest_in(base, name);
  const Benchmark* of_candidate = newest_in(candidate, name);
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

namespace {

std::vector<double> plain_values(const Evidence& side) {
  std::vector<double> values;
  for (const auto& [job, rounds] : side.plain)
    for (const auto& [round, value] : rounds) values.push_back(value);
  return values;
}

Verdict verdict_of(const Case& c, double change, double half) {
  const double worse = c.gate.metric.better == Better::kHigher ? -change : change;
  const double threshold = c.gate.threshold;
  if (std::abs(change) > half && worse >= threshold) return Verdict::kRegressed;
  if (std::abs(change) > half && worse <= -threshold) return Verdict::kImproved;
  return std::abs(change) + half <= threshold ? Verdict::kUnchanged : Verdict::kInconclusive;
}

Comparison exact(const Case& c, double base, double candidate) {
  Comparison comparison = start(c);
  comparison.base = base;
  comparison.candidate = candidate;
  comparison.reasons = {{ReasonCode::kExactCount, {{"base", base}, {"candidate", candidate}}}};
  if (base == 0 && candidate == 0) comparison.reasons = {{ReasonCode::kZeroOnBothSides}};
  if (base != 0 || candidate == 0) {
    comparison.change = base == candidate ? 0 : (candidate - base) / std::abs(base);
    comparison.interval = {*comparison.change, *comparison.change};
    comparison.resolvable = 0;
  }
  // From zero, any change is beyond any share.
  const double infinite =
      candidate > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  comparison.verdict = verdict_of(c, comparison.change.value_or(infinite), 0);
  return comparison;
}

// The difference of the means, pair by pair where one job measured both, as a share of `scale`.
stats::Difference difference_of(const Evidence& base, const Evidence& candidate, Distance distance,
                                DeviceKind kind, double scale) {
  const auto of_base = plain_values(base);
  const auto of_candidate = plain_values(candidate);
  stats::Difference difference;
  difference.estimate = (stats::mean(of_candidate) - stats::mean(of_base)) / scale;
  std::vector<double> pairs;
  if (distance == Distance::kSameJob)
    for (const auto& [round, value] : base.plain.begin()->second)
      if (const auto& rounds = candidate.plain.begin()->second; rounds.count(round) > 0)
        pairs.push_back((rounds.at(round) - value) / scale);
  if (pairs.size() > 1) {
    difference.estimate = stats::mean(pairs);
    const auto count = static_cast<double>(pairs.size());
    difference.sampling = {stats::variance(pairs) / count, count - 1};
    return difference;
  }
  const auto n = static_cast<double>(of_base.size());
  const auto m = static_cast<double>(of_candidate.size());
  if (n + m > 2) {
    stats::PooledVariance pooled;
    pooled.add(of_base);
    pooled.add(of_candidate);
    const stats::Variance one = pooled.value();
    difference.sampling = {one.value / (scale * scale) * (1 / n + 1 / m), one.degrees};
  }
  difference.job_to_job = default_job_variance(kind, distance);
  difference.job_to_job.value *= 2;
  return difference;
}

Comparison by_difference(const Case& c, Runs candidate_runs, Distance distance, double error) {
  Comparison comparison = start(c);
  const auto of_base = plain_values(c.base);
  const auto of_candidate = plain_values(c.candidate);
  comparison.base = stats::mean(of_base);
  comparison.candidate = stats::mean(of_candidate);
  const double scale = *comparison.base != 0 ? std::abs(*comparison.base) : std::abs(*comparison.candidate);
  if (scale == 0 || of_base.size() < 2 || of_candidate.size() < 2) {
    comparison.reasons = {{ReasonCode::kZeroOnOneSide}};
    return comparison;
  }
  const auto difference =
      difference_of(c.base, c.candidate, distance, candidate_runs.back().device.kind, scale);
  const double half = stats::half_width(difference, 1 - error);
  comparison.change = difference.estimate;
  comparison.interval = {difference.estimate - half, difference.estimate + half};
  comparison.resolvable = half;
  comparison.verdict = verdict_of(c, difference.estimate, half);
  const bool decided =
      comparison.verdict != Verdict::kInconclusive && comparison.verdict != Verdict::kUnchanged;
  comparison.reasons = {decided ? Reason{ReasonCode::kPastThreshold,
                                         {{"change", difference.estimate}, {"threshold", c.gate.threshold}}}
                        : comparison.verdict == Verdict::kUnchanged
                            ? Reason{ReasonCode::kWithinThreshold, {{"threshold", c.gate.threshold}}}
                            : Reason{ReasonCode::kNoiseHides, {{"resolvable", half}}}};
  return comparison;
}

// Every counter that any of these runs has of the benchmark.
std::set<std::string> counters_of(Runs runs, const std::string& name) {
  std::set<std::string> counters;
  for (const auto& run : runs) {
    if (const Benchmark* benchmark = find_benchmark(run, name))
      for (const auto& [counter, value] : benchmark->counters) counters.insert(counter);
    for (const auto& invocation : run.invocations)
      if (const auto samples = invocation.samples.find(name); samples != invocation.samples.end())
        for (const auto& [counter, values] : samples->second.counters) counters.insert(counter);
  }
  return counters;
}

// The first sample that breaks it; NaN, which a sample without the counter has, is left aside.
std::optional<double> broken_by(Runs runs, const std::string& name, const Requirement& requirement) {
  for (const double value : repetition_values(runs, name, find_metric(requirement.counter)))
    if (!std::isnan(value) && !is_met(requirement, value)) return value;
  return {};
}

std::optional<double> first_value(Runs runs, const std::string& name, const std::string& counter) {
  for (const double value : repetition_values(runs, name, find_metric(counter)))
    if (!std::isnan(value)) return value;
  return {};
}

// What a counter of a usual name has to be, where it is what its name says. "correct = 0.97" is a share, of
// which half of the base's has to be left; "errors = 1e-7" is a distance, and a base with errors had them
// before.
std::optional<Requirement> usual_of(const std::string& counter, const std::vector<double>& base,
                                    const std::vector<double>& candidate) {
  constexpr double kShareLeft = 0.5;
  auto usual = usual_requirement(counter);
  if (!usual || candidate.empty()) return {};
  const auto are_whole = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return v == std::floor(v); });
  };
  const bool is_flag = are_whole(base) && are_whole(candidate);
  if (usual->relation == Requirement::Relation::kMost) {
    const bool had_none = std::all_of(base.begin(), base.end(), [](double v) { return v == 0; });
    return is_flag && !base.empty() && had_none ? usual : std::nullopt;
  }
  if (is_flag) return usual;
  if (base.empty()) return {};
  usual->value = kShareLeft * stats::median(base);
  usual->text = "half of the base's " + counter + " or more";
  return usual;
}

// Empty where the requirement is met.
std::string why_wrong(const std::string& name, Runs base, Runs candidate, const Requirement& requirement,
                      bool is_there) {
  if (!is_there)
    return "there is no counter '" + requirement.counter + "', and the policy requires " + requirement.text;
  const std::optional<double> now = broken_by(candidate, name, requirement);
  if (!now) return "";
  std::string words = "the result is wrong: " + requirement.counter + " ";
  if (const auto before = first_value(base, name, requirement.counter))
    words += format_plain(*before) + " → ";
  return words + format_plain(now.value()) + ", required is " + requirement.text;
}

}  // namespace

bool is_exact(Runs runs, const std::string& benchmark, const Metric& metric) {
  if (!metric.unit.empty()) return false;
  const auto values = repetition_values(runs, benchmark, metric);
  return values.size() > 1 &&
         std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

std::optional<Comparison> judge_count(const Case& c, Runs base, Runs candidate, Distance distance,
                                      double error) {
  if (!c.gate.metric.unit.empty() || c.base.plain.empty() || c.candidate.plain.empty()) return {};
  const auto of_base = plain_values(c.base);
  const auto of_candidate = plain_values(c.candidate);
  if (is_exact(base, c.name, c.gate.metric) && is_exact(candidate, c.name, c.gate.metric))
    return exact(c, of_base.front(), of_candidate.front());
  const auto has_no_logarithm = [](double value) { return value <= 0; };
  if (std::none_of(of_base.begin(), of_base.end(), has_no_logarithm) &&
      std::none_of(of_candidate.begin(), of_candidate.end(), has_no_logarithm))
    return {};
  return by_difference(c, candidate, distance, error);
}

std::optional<Comparison> find_wrong_result(const Case& c, Runs base, Runs candidate) {
  const auto counters = counters_of(candidate, c.name);
  const auto values_in = [&](Runs runs, const std::string& counter) {
    auto values = repetition_values(runs, c.name, find_metric(counter));
    std::erase_if(values, [](double value) { return std::isnan(value); });
    return values;
  };
  std::vector<Requirement> requirements;
  for (const auto& counter : counters) {
    if (c.gate.require && c.gate.require->counter == counter) continue;
    if (auto usual = usual_of(counter, values_in(base, counter), values_in(candidate, counter)))
      requirements.push_back(std::move(*usual));
  }
  if (c.gate.require) requirements.push_back(*c.gate.require);
  for (const auto& requirement : requirements) {
    const std::string words =
        why_wrong(c.name, base, candidate, requirement, counters.count(requirement.counter) > 0);
    if (words.empty()) continue;
    Comparison comparison = start(c);
    comparison.verdict = Verdict::kFailed;
    comparison.failed_before = broken_by(base, c.name, requirement).has_value();
    comparison.report_only = c.gate.report_only;
    comparison.reasons = {
        {comparison.failed_before ? ReasonCode::kFailedInBoth : ReasonCode::kFailed, {{"text", words}}}};
    return comparison;
  }
  return {};
}

}  // namespace tracker
