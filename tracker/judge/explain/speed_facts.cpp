#include "tracker/judge/explain/speed_facts.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/judge/explain/fact.hpp"
#include "tracker/judge/verdict/evidence.hpp"

namespace tracker {
namespace {

std::string interval_in_words(const Interval& interval) {
  const auto bare = [](double share) {
    const std::string text = format_percent(share);
    return text.substr(0, text.find(' '));
  };
  return " [" + bare(interval.low) + ", " + bare(interval.high) + "]";
}

// What of one iteration a metric counts, where the metric is that work over the time which rates refer to: 1
// for the time itself. Empty where the metric is none of that, or the runs do not agree on the work.
std::optional<double> work_of(const Metric& metric, Runs runs, const std::string& name) {
  struct Row {
    const char* metric;
    std::optional<double> Benchmark::*work;
  };
  static constexpr Row kRows[] = {{"bytes_per_second", &Benchmark::bytes_per_iteration},
                                  {"flops", &Benchmark::flops_per_iteration},
                                  {"items_per_second", &Benchmark::items_per_iteration}};
  std::optional<double> known;
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_benchmark(run, name);
    if (benchmark == nullptr || benchmark->error) continue;
    std::optional<double> work;
    if (metric.name == (benchmark->time_base == TimeBase::kCpu ? "cpu_time" : "real_time")) work = 1;
    for (const auto& row : kRows)
      if (metric.name == row.metric) work = benchmark->*row.work;
    if (!work || (known && *known != *work)) return {};
    known = work;
  }
  return known;
}

// One metric on both sides, as it follows from the judged one.
struct Derived {
  double base = 0;
  double candidate = 0;
  double change = 0;
  std::optional<Interval> interval;
};

// Of a time and the rates that are made from it, one is as certain as the other. Empty where this metric does
// not follow from the judged one.
std::optional<Derived> derived(const Comparison& judged, const Metric& metric, const FactSide& base,
                               const FactSide& candidate) {
  if (!judged.base || !judged.candidate || !judged.change) return {};
  Derived found{*judged.base, *judged.candidate, *judged.change, judged.interval};
  if (metric.name != judged.metric.name) {
    const auto base_work = work_of(metric, base.runs, judged.benchmark);
    const auto candidate_work = work_of(metric, candidate.runs, judged.benchmark);
    const auto judged_base_work = work_of(judged.metric, base.runs, judged.benchmark);
    const auto judged_candidate_work = work_of(judged.metric, candidate.runs, judged.benchmark);
    if (!base_work || !candidate_work || !judged_base_work || !judged_candidate_work) return {};
    const bool judged_is_time = judged.metric.unit == "s";
    const auto rate = [](double work, double time) { return work / time; };
    const double base_s = judged_is_time ? *judged.base : rate(*judged_base_work, *judged.base);
    const double candidate_s =
        judged_is_time ? *judged.candidate : rate(*judged_candidate_work, *judged.candidate);
    // Of the times, candidate over base, as the verdict has it.
    const double judged_work = *judged_candidate_work / *judged_base_work;
    const auto time_ratio = [&](double share) {
      return judged_is_time ? 1 + share : judged_work / (1 + share);
    };
    const bool is_time = metric.unit == "s";
    const double work = *candidate_work / *base_work;
    const auto change = [&](double share) {
      const double ratio = time_ratio(share);
      return (is_time ? ratio : work / ratio) - 1;
    };
    found = {is_time ? base_s : rate(*base_work, base_s),
             is_time ? candidate_s : rate(*candidate_work, candidate_s),
             change(*judged.change),
             {}};
    if (judged.interval) {
      const double low = change(judged.interval->low);
      const double high = change(judged.interval->high);
      found.interval = Interval{std::min(low, high), std::max(low, high)};
    }
  }
  const bool says_nothing = !found.interval || noise_hides_everything(judged) ||
                            !std::isfinite(found.interval->low) || !std::isfinite(found.interval->high);
  if (says_nothing) found.interval = {};
  return found;
}

void add_words(Fact& fact, const Value& of_base, const Value& of_candidate, const std::string& unit) {
  const auto [base_words, candidate_words] = format_quantities(of_base, of_candidate, unit);
  if (of_base) fact.base = base_words;
  if (of_candidate) fact.candidate = candidate_words;
  fact.base_value = of_base;
  fact.candidate_value = of_candidate;
  fact.unit = unit;
}

// What is not judged has no noise that anybody has looked at: two values that are not the same show neither a
// difference nor that there is none.
Fact speed_fact(const Comparison& judged, const Metric& metric, const FactSide& base,
                const FactSide& candidate) {
  Fact fact;
  fact.name = metric.name;
  std::replace(fact.name.begin(), fact.name.end(), '_', ' ');
  if (const auto known = derived(judged, metric, base, candidate)) {
    add_words(fact, known->base, known->candidate, metric.unit);
    if (known->change != 0) fact.change = format_percent(known->change);
    if (known->interval && !fact.change.empty()) fact.change += interval_in_words(*known->interval);
    fact.differs = known->interval && (known->interval->low > 0 || known->interval->high < 0);
    fact.unclear = !fact.differs && judged.verdict != Verdict::kUnchanged;
    return fact;
  }
  const bool is_judged = metric.name == judged.metric.name;
  add_words(fact, is_judged ? judged.base : evidence_of(base.runs, judged.benchmark, metric).typical(),
            is_judged ? judged.candidate : evidence_of(candidate.runs, judged.benchmark, metric).typical(),
            metric.unit);
  fact.change = relative_change(fact.base_value, fact.candidate_value);
  fact.unclear = fact.base_value != fact.candidate_value;
  return fact;
}

Fact peak_fact(const Metric& metric, const Fact& speed, const FactSide& base, const FactSide& candidate) {
  const auto share = [&](const Value& value, const FactSide& side) -> Value {
    const Benchmark* benchmark = side.facts.benchmark ? &*side.facts.benchmark : nullptr;
    const auto peak =
        side.runs.empty() ? std::nullopt : metric_peak(metric, side.runs.back().device, benchmark);
    return value && peak && *peak > 0 ? Value(*value / *peak) : std::nullopt;
  };
  Fact fact = number_fact("share of the device's peak", share(speed.base_value, base),
                          share(speed.candidate_value, candidate), {format_share});
  fact.change.clear();
  fact.differs = speed.differs && fact.base != fact.candidate;
  fact.unclear = speed.unclear && fact.base != fact.candidate;
  return fact;
}

}  // namespace

FactGroup speed_facts(const Comparison& judged, const FactSide& base, const FactSide& candidate) {
  FactGroup group{"speed", {}};
  std::vector<Metric> metrics{judged.metric};
  for (const auto& metric : builtin_metrics())
    if (metric.name != judged.metric.name && metric.name != "cpu_time") metrics.push_back(metric);
  for (const auto& metric : metrics) {
    const Fact fact = speed_fact(judged, metric, base, candidate);
    add_fact(group, fact);
    if (metric.name == "bytes_per_second" || metric.name == "flops")
      add_fact(group, peak_fact(metric, fact, base, candidate));
  }
  return group;
}

}  // namespace tracker
