#include "tracker/judge/verdict/counts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

// What a counter has in every sample that counts; NaN stands for a sample without it.
std::vector<double> samples_in(Runs runs, const std::string& name, const Metric& metric) {
  std::vector<double> all;
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_benchmark(run, name);
    if (benchmark == nullptr || benchmark->error) continue;
    for (const auto& invocation : run.invocations)
      if (const auto samples = invocation.samples.find(name);
          samples != invocation.samples.end() && !invocation.excluded) {
        const auto values = metric_samples(metric, *benchmark, samples->second);
        all.insert(all.end(), values.begin(), values.end());
      }
  }
  return all;
}

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
  for (const double value : samples_in(runs, name, find_metric(requirement.counter)))
    if (!std::isnan(value) && !is_met(requirement, value)) return value;
  return {};
}

std::optional<double> first_value(Runs runs, const std::string& name, const std::string& counter) {
  for (const double value : samples_in(runs, name, find_metric(counter)))
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
  const auto values = samples_in(runs, benchmark, metric);
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
    auto values = samples_in(runs, c.name, find_metric(counter));
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
