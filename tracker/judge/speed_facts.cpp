#include "tracker/judge/speed_facts.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/quantity.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/judge/fact.hpp"

namespace tracker {
namespace {

std::string interval_in_words(const Interval& interval) {
  const auto bare = [](double share) {
    const std::string text = format_percent(share);
    return text.substr(0, text.find(' '));
  };
  return " [" + bare(interval.low) + ", " + bare(interval.high) + "]";
}

// Whether the two are one time and rates from it, so that the interval of one is that of the other.
bool is_of_one_time(const Metric& a, const Metric& b, const Benchmark& benchmark) {
  const std::string time = benchmark.time_base == TimeBase::kCpu ? "cpu_time" : "real_time";
  const auto of_it = [&](const Metric& metric) {
    return metric.name == time || metric.unit == "B/s" || metric.unit == "FLOP/s" || metric.unit == "1/s";
  };
  return of_it(a) && of_it(b);
}

// Of a metric whose time is the judged one's.
std::optional<Interval> interval_for(const Comparison& judged, const Metric& metric,
                                     const Benchmark& benchmark) {
  if (!judged.interval || noise_hides_everything(judged) || !std::isfinite(judged.interval->high) ||
      judged.interval->low <= -1)
    return {};
  if (metric.name == judged.metric.name) return judged.interval;
  if (!is_of_one_time(metric, judged.metric, benchmark)) return {};
  if ((metric.unit == "s") == (judged.metric.unit == "s")) return judged.interval;
  return Interval{1 / (1 + judged.interval->high) - 1, 1 / (1 + judged.interval->low) - 1};
}

Fact speed_fact(const Comparison& judged, const Metric& metric, const FactSide& base,
                const FactSide& candidate) {
  Value was = evidence_of(base.runs, judged.benchmark, metric).typical();
  Value is = evidence_of(candidate.runs, judged.benchmark, metric).typical();
  if (metric.name == judged.metric.name) {
    was = judged.base;
    is = judged.candidate;
  }
  Fact fact;
  fact.name = metric.name;
  std::replace(fact.name.begin(), fact.name.end(), '_', ' ');
  const auto [base_words, candidate_words] = format_quantities(was, is, metric.unit);
  if (was) fact.base = base_words;
  if (is) fact.candidate = candidate_words;
  fact.base_value = was;
  fact.candidate_value = is;
  fact.unit = metric.unit;
  fact.change = relative_change(was, is);
  const Benchmark* known = base.facts.benchmark        ? &*base.facts.benchmark
                           : candidate.facts.benchmark ? &*candidate.facts.benchmark
                                                       : nullptr;
  if (was && is && known != nullptr)
    if (const auto interval = interval_for(judged, metric, *known)) {
      if (!fact.change.empty()) fact.change += interval_in_words(*interval);
      fact.differs = interval->low > 0 || interval->high < 0;
    }
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
