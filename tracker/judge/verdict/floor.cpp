#include "tracker/judge/verdict/floor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/verdict/evidence.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// The logarithm of the speed reached, as a share of the floor's.
struct Reached {
  stats::Difference share;
  bool noise_known = false;
  std::optional<ReasonCode> why_not;  // there is no share to speak of
};

double speed_sign(const Metric& metric) {
  return metric.better == Better::kHigher ? 1 : -1;
}

const Benchmark* newest(Runs runs, const std::string& name) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (const Benchmark* benchmark = find_benchmark(*run, name)) return benchmark;
  return nullptr;
}

Reached from_side(const std::vector<std::vector<double>>& logs_by_job, double sign, double limit,
                  const stats::Variance& job) {
  const auto side = stats::side_noise(logs_by_job);
  Reached reached;
  reached.share.estimate = sign * side.mean - limit;
  reached.share.sampling = side.per_invocation;
  reached.share.sampling.value *= side.sampling_factor;
  reached.share.job_to_job = job;
  reached.noise_known = side.per_invocation.degrees > 0;
  return reached;
}

Reached against_limit(Runs runs, const std::string& name, const Gate& gate, const stats::Variance& job) {
  const Evidence own = evidence_of(runs, name, gate.metric);
  const double sign = speed_sign(gate.metric);
  if (own.only_zeros()) {  // nothing of what should be much, or of what should be little
    Reached reached;
    reached.share.estimate = sign * -kUnknown;
    reached.noise_known = own.zeros > 1;
    return reached;
  }
  if (own.zeros > 0) return {{}, false, ReasonCode::kFloorZeros};
  return from_side(own.logs_by_job, sign, sign * std::log(gate.floor->limit), job);
}

// Both were measured in every round of the run, so what a round shares cancels in their ratio; so does the
// job's offset, as far as it is the same for both.
Reached against_other(Runs runs, const std::string& name, const Gate& gate) {
  const std::string& of = *gate.floor->of;
  std::vector<std::vector<double>> logs_by_job;
  std::map<std::string, std::size_t> places;
  for (const auto& run : runs) {
    const Benchmark* own = find_benchmark(run, name);
    const Benchmark* other = find_benchmark(run, of);
    if (own == nullptr || other == nullptr || own->error || other->error) continue;
    std::map<int, double> others;
    for (const auto& [round, value, build] : metric_rounds(gate.metric, *other, run))
      others.emplace(round, value);
    std::vector<double> logs;
    for (const auto& [round, value, build] : metric_rounds(gate.metric, *own, run)) {
      const auto found = others.find(round);
      if (found == others.end() || !(value > 0) || !(found->second > 0)) continue;
      const double log = std::log(value) - std::log(found->second);
      if (std::isfinite(log)) logs.push_back(log);
    }
    if (logs.empty()) continue;
    const auto place = places.try_emplace(run.job.empty() ? run.id : run.job, logs_by_job.size());
    if (place.second) logs_by_job.emplace_back();
    auto& job = logs_by_job[place.first->second];
    job.insert(job.end(), logs.begin(), logs.end());
  }
  if (!logs_by_job.empty())
    return from_side(logs_by_job, speed_sign(gate.metric), std::log(gate.floor->limit), {});
  const Benchmark* other = newest(runs, of);
  if (other == nullptr) return {{}, false, ReasonCode::kFloorNoReference};
  if (other->error) return {{}, false, ReasonCode::kFloorReferenceFailed};
  return {{}, false, ReasonCode::kFloorNoSharedRounds};
}

// The rate that the device bounds: the metric's own, or of the work that a time is for.
Metric bounded_metric(const Metric& metric, const Benchmark& benchmark) {
  if (metric.name == "bytes_per_second" || metric.name == "flops") return metric;
  return find_metric(benchmark.flops_per_iteration ? "flops" : "bytes_per_second");
}

Reached against_peak(Runs runs, const std::string& name, const Gate& gate, const stats::Variance& job) {
  const Benchmark* benchmark = newest(runs, name);
  const Metric metric = bounded_metric(gate.metric, *benchmark);
  const auto peak = metric_peak(metric, runs.back().device, benchmark);
  const Evidence own = evidence_of(runs, name, metric);
  if (!peak || !(*peak > 0)) return {{}, false, ReasonCode::kFloorPeakUnknown};
  if (own.logs_by_job.empty()) return {{}, false, ReasonCode::kFloorNoWork};
  return from_side(own.logs_by_job, speed_sign(metric), std::log(gate.floor->limit * *peak), job);
}

Reason why_broken(const Comparison& c, const Floor& floor, double reached) {
  if (floor.of)
    return {ReasonCode::kBelowReference,
            {{"reached", reached * floor.limit}, {"limit", floor.limit}, {"of", *floor.of}}};
  const bool higher = c.metric.better == Better::kHigher;
  return {ReasonCode::kBelowFloor,
          {{"short_by", higher ? 1 - reached : 1 / reached - 1},
           {"higher", higher ? 1.0 : 0.0},
           {"floor", floor.text}}};
}

Reason why_unclear(const Comparison& c, const Floor& floor, const Reached& reached,
                   const Interval& interval) {
  constexpr double kFactorMax = 10;
  Reason reason;
  reason.arguments.push_back(
      {"floor", floor.of ? format_share(floor.limit) + " of " + *floor.of : floor.text});
  if (reached.why_not) {
    reason.code = *reached.why_not;
    if (floor.of) reason.arguments.push_back({"of", *floor.of});
    if (reason.code == ReasonCode::kFloorNoSharedRounds)
      reason.arguments.push_back({"metric", c.metric.name});
  } else if (!reached.noise_known) {
    reason.code = ReasonCode::kFloorOneInvocation;
  } else if (!std::isfinite(interval.high)) {
    reason.code = ReasonCode::kFloorNoiseUnknown;
  } else if (interval.high > kFactorMax) {
    reason.code = ReasonCode::kFloorNoiseHides;
  } else {
    const double whole = floor.of ? floor.limit : 1;
    reason.code = ReasonCode::kFloorUnclear;
    reason.arguments.push_back({"low", interval.low * whole});
    reason.arguments.push_back({"high", interval.high * whole});
    reason.arguments.push_back({"of_floor", floor.of ? 0.0 : 1.0});
  }
  return reason;
}

FloorCheck check_of(const Floor& floor, const Reached& reached, double confidence) {
  FloorCheck check;
  check.text = floor.text;
  const double half =
      !reached.why_not && reached.noise_known ? stats::half_width(reached.share, confidence) : kUnknown;
  check.reached = !reached.why_not ? std::exp(reached.share.estimate) : std::nan("");
  check.interval = {0, kUnknown};
  if (std::isfinite(half))
    check.interval = {std::exp(reached.share.estimate - half), std::exp(reached.share.estimate + half)};
  check.broken = check.interval.high < 1;
  check.unclear = !check.broken && check.interval.low < 1;
  return check;
}

void add_verdict(Comparison& c, const Floor& floor, const Reached& reached) {
  if (c.floor->unclear) c.reasons.push_back(why_unclear(c, floor, reached, c.floor->interval));
  if (!c.floor->broken) return;
  const Reason broken = why_broken(c, floor, c.floor->reached);
  if (c.verdict == Verdict::kRegressed) {
    c.reasons.push_back(broken);
    return;
  }
  const bool has_reason = c.verdict == Verdict::kNew || c.verdict == Verdict::kSameCode;
  if (!has_reason) c.reasons = {{ReasonCode::kOwnVerdict, {{"verdict", verdict_name(c.verdict)}}}};
  c.reasons.insert(c.reasons.begin(), broken);
  c.verdict = Verdict::kBelowFloor;
  c.more_invocations = {};
}

// A share fits any metric; and no benchmark is compared with itself.
bool has_floor(const Gate& gate, const std::string& name) {
  if (!gate.floor || gate.floor->of == name) return false;
  if (gate.floor->of || gate.floor->unit == gate.metric.unit) return true;
  throw Error(ExitCode::kUsage,
              "the floor '" + printable(gate.floor->text) + "' of benchmark '" + printable(name) +
                  "' does not fit its metric '" + printable(gate.metric.name) + "'",
              gate.metric.unit.empty() ? "a counter's floor is a plain number"
                                       : "write it in " + gate.metric.unit + ", or name another metric");
}

}  // namespace

void check_floors(ComparisonReport& report, Runs candidate, const Policy& policy, const JobOffsets& jobs,
                  double confidence) {
  const bool any = std::any_of(policy.rules.begin(), policy.rules.end(),
                               [](const PolicyRule& rule) { return rule.floor.has_value(); });
  if (!any) return;
  for (auto& comparison : report.comparisons) {
    const std::string& name = comparison.benchmark;
    const Benchmark* benchmark = newest(candidate, name);
    if (benchmark == nullptr || comparison.verdict == Verdict::kFailed) continue;
    const Gate gate = gate_for(policy, *benchmark);
    if (!has_floor(gate, name)) continue;
    const auto job = jobs.by_benchmark.find(name);
    const auto& offset = job == jobs.by_benchmark.end() ? jobs.of_others : job->second;
    const Reached reached = gate.floor->of == kPeakWord ? against_peak(candidate, name, gate, offset)
                            : gate.floor->of            ? against_other(candidate, name, gate)
                                                        : against_limit(candidate, name, gate, offset);
    comparison.floor = check_of(*gate.floor, reached, confidence);
    add_verdict(comparison, *gate.floor, reached);
  }
}

}  // namespace tracker
