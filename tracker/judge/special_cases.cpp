#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/judge/decision.hpp"
#include "tracker/judge/not_comparable.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

// Every counter that any of these runs has of the benchmark.
std::set<std::string> counters_of(const SideEvidence& side) {
  std::set<std::string> counters;
  for (const auto& one : side.seen) {
    for (const auto& [counter, value] : one.benchmark->counters) counters.insert(counter);
    for (const Samples* samples : one.samples)
      if (samples != nullptr)
        for (const auto& [counter, values] : samples->counters) counters.insert(counter);
  }
  return counters;
}

// Of all samples that have it.
std::vector<double> counter_values(const SideEvidence& side, const std::string& counter) {
  auto values = repetition_values(side, find_metric(counter));
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

// The first value that breaks it.
std::optional<double> broken_by(const std::vector<double>& values, const Requirement& requirement) {
  const auto broken = std::ranges::find_if(values, [&](double value) { return !is_met(requirement, value); });
  return broken == values.end() ? std::nullopt : std::optional(*broken);
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
    return std::ranges::all_of(values, [](double v) { return v == std::floor(v); });
  };
  const bool is_flag = are_whole(base) && are_whole(candidate);
  if (usual->relation == Requirement::Relation::kMost) {
    const bool had_none = std::ranges::all_of(base, [](double v) { return v == 0; });
    return is_flag && !base.empty() && had_none ? usual : std::nullopt;
  }
  if (is_flag) return usual;
  if (base.empty()) return {};
  usual->value = kShareLeft * stats::median(base);
  usual->text = "half of the base's " + counter + " or more";
  return usual;
}

// Fails a candidate whose counter breaks the policy's requirement, or says under a usual name that the result
// is wrong ("Passed": 0).
std::optional<Comparison> find_wrong_result(const BenchmarkEvidence& e) {
  const auto counters = counters_of(e.candidate);
  std::vector<Requirement> requirements;
  for (const auto& counter : counters) {
    if ((e.gate.require && e.gate.require->counter == counter) || !usual_requirement(counter)) continue;
    if (auto usual = usual_of(counter, counter_values(e.base, counter), counter_values(e.candidate, counter)))
      requirements.push_back(std::move(*usual));
  }
  if (e.gate.require) requirements.push_back(*e.gate.require);
  for (const auto& requirement : requirements) {
    const auto before = counter_values(e.base, requirement.counter);
    std::string words;
    if (counters.count(requirement.counter) == 0) {
      words =
          "there is no counter '" + requirement.counter + "', and the policy requires " + requirement.text;
    } else if (const auto now = broken_by(counter_values(e.candidate, requirement.counter), requirement)) {
      words = "the result is wrong: " + requirement.counter + " " +
              (before.empty() ? "" : format_plain(before.front()) + " → ") + format_plain(*now) +
              ", required is " + requirement.text;
    } else {
      continue;
    }
    Comparison comparison = start(e);
    comparison.verdict = Verdict::kFailed;
    comparison.failed_before = broken_by(before, requirement).has_value();
    comparison.reasons = {
        {comparison.failed_before ? ReasonCode::kFailedInBoth : ReasonCode::kFailed, {{"text", words}}}};
    return comparison;
  }
  return {};
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

// A benchmark that a side did not measure.
std::optional<Comparison> find_unmeasured(const BenchmarkEvidence& e) {
  const Benchmark* base = e.base.newest();
  const Benchmark* candidate = e.candidate.newest();
  Comparison comparison = start(e);
  const auto no_value = [&](ReasonCode code) { return Reason{code, {{"metric", e.gate.metric.name}}}; };
  const bool is_in_base = base != nullptr && !e.base.values.any();
  const BinaryFailure* failure = failure_of(e);
  if (candidate == nullptr && failure != nullptr) {
    fail_with(comparison, e.gate, failure->binary + " " + failure->what, "");
  } else if (candidate == nullptr || candidate->skipped) {
    comparison.verdict = Verdict::kMissing;
    comparison.report_only = e.gate.report_only || e.gate.may_be_missing;
    comparison.reasons = {candidate == nullptr
                              ? Reason{ReasonCode::kMissingInCandidate}
                              : Reason{ReasonCode::kSkippedInCandidate, {{"text", *candidate->error}}}};
  } else if (candidate->error) {
    fail_with(comparison, e.gate, *candidate->error, is_in_base ? base->error.value_or("") : "");
  } else if (!e.candidate.values.any()) {
    const bool before = is_in_base && !base->error;
    fail(comparison, e.gate, before,
         no_value(before ? ReasonCode::kNoValueInBoth : ReasonCode::kNoValueInCandidate));
    // A counter that neither side has is nothing that was measured: no failure, and no pass either.
    if (before && e.gate.metric.unit.empty()) {
      comparison.verdict = Verdict::kNotComparable;
      comparison.failed_before = false;
    }
  } else if (!e.base.values.any()) {
    comparison.verdict = Verdict::kNew;
    comparison.reasons = {base == nullptr ? Reason{ReasonCode::kMissingInBase}
                          : base->error   ? failed_in_base(*base)
                                          : no_value(ReasonCode::kNoValueInBase)};
  } else {
    return {};
  }
  return comparison;
}

std::vector<double> plain_values(const SideValues& side) {
  std::vector<double> values;
  for (const auto& [job, rounds] : side.plain)
    for (const auto& [round, value] : rounds) values.push_back(value);
  return values;
}

Comparison exact(const BenchmarkEvidence& e, double base, double candidate) {
  Comparison comparison = start(e);
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
  comparison.verdict = verdict_of(comparison, comparison.change.value_or(infinite), comparison.change != 0.0);
  return comparison;
}

// The difference of the means, pair by pair where one job measured both, as a share of `scale`.
stats::Difference difference_of(const SideValues& base, const SideValues& candidate, Distance distance,
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

Comparison by_difference(const BenchmarkEvidence& e, Distance distance, double error) {
  Comparison comparison = start(e);
  const auto of_base = plain_values(e.base.values);
  const auto of_candidate = plain_values(e.candidate.values);
  comparison.base = stats::mean(of_base);
  comparison.candidate = stats::mean(of_candidate);
  const double scale = *comparison.base != 0 ? std::abs(*comparison.base) : std::abs(*comparison.candidate);
  if (scale == 0 || of_base.size() < 2 || of_candidate.size() < 2) {
    comparison.reasons = {{ReasonCode::kZeroOnOneSide}};
    return comparison;
  }
  const auto difference =
      difference_of(e.base.values, e.candidate.values, distance, e.candidate.runs.back().device.kind, scale);
  const double half = stats::half_width(difference, 1 - error);
  comparison.change = difference.estimate;
  comparison.interval = {difference.estimate - half, difference.estimate + half};
  comparison.resolvable = half;
  comparison.verdict = verdict_of(comparison, difference.estimate, std::abs(difference.estimate) > half);
  if (is_change(comparison))
    comparison.reasons = {
        {ReasonCode::kPastThreshold, {{"change", difference.estimate}, {"threshold", e.gate.threshold}}}};
  else if (comparison.verdict == Verdict::kUnchanged)
    comparison.reasons = {{ReasonCode::kWithinThreshold, {{"threshold", e.gate.threshold}}}};
  else
    comparison.reasons = {{ReasonCode::kNoiseHides, {{"resolvable", half}}}};
  return comparison;
}

// A counter that is exact on both sides, or that has values of zero and below.
std::optional<Comparison> judge_count(const BenchmarkEvidence& e, Distance distance, double error) {
  if (!e.gate.metric.unit.empty() || e.base.values.plain.empty() || e.candidate.values.plain.empty())
    return {};
  const auto of_base = plain_values(e.base.values);
  const auto of_candidate = plain_values(e.candidate.values);
  if (e.base.exact && e.candidate.exact) return exact(e, of_base.front(), of_candidate.front());
  const auto has_no_logarithm = [](double value) { return value <= 0; };
  if (std::ranges::none_of(of_base, has_no_logarithm) && std::ranges::none_of(of_candidate, has_no_logarithm))
    return {};
  return by_difference(e, distance, error);
}

}  // namespace

std::optional<Comparison> decide_without_noise(const BenchmarkEvidence& evidence, const Policy& policy,
                                               Distance distance, double error) {
  const Benchmark* candidate = evidence.candidate.newest();
  if (candidate != nullptr && !candidate->error)
    if (auto comparison = find_wrong_result(evidence)) return comparison;
  if (auto comparison = find_unmeasured(evidence)) return comparison;
  if (auto reason = why_not_comparable(evidence, policy, distance)) {
    Comparison comparison = start(evidence);
    comparison.verdict = Verdict::kNotComparable;
    comparison.reasons = {std::move(*reason)};
    return comparison;
  }
  return judge_count(evidence, distance, error);
}

}  // namespace tracker::judge
